package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in aesctr's schedule.
const (
	encKeys    = 0   // 15 round keys of 16 bytes
	decKeys    = 240 // 15 round keys of 16 bytes, in the order of decryption
	roundCount = 480 // uint64: 10 or 14
)

// Offsets in aesctr.Record.
const (
	recordDst    = 0
	recordDstLen = 8
	recordSrc    = 24
	recordSrcLen = 32
	recordHi     = 48
	recordLo     = 56
	recordSkip   = 64
)

// maxCall is aesctr's: what one call does at most, in bytes.
const maxCall = 1 << 20

// program is one file of assembly being built.
type program struct {
	*build.Context
	labels int
}

func newProgram() *program {
	p := &program{Context: build.NewContext()}
	p.ConstraintExpr("amd64,!purego")
	return p
}

// function begins a function.
func (p *program) function(name, signature, doc string) {
	p.Function(name)
	p.Attributes(attr.NOSPLIT)
	p.SignatureExpr(signature)
	p.Pragma("noescape")
	p.Doc(strings.Split(doc, "\n")...)
}

// arg loads an argument into a register of its own.
func (p *program) arg(name string) reg.GPVirtual {
	r := p.GP64()
	p.Load(p.Param(name), r)
	return r
}

// argMem is an argument where it lies on the stack.
func (p *program) argMem(name string) operand.Op {
	b, err := p.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// label returns a name that no other label has.
func (p *program) label(what string) string {
	p.labels++
	return fmt.Sprintf("%s_%d", what, p.labels)
}

// align begins a hot loop at a cache line, so that its speed does not hang on what
// the linker puts before it.
func (p *program) align() {
	p.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.Imm(64)}})
}

func ref(label string) operand.LabelRef { return operand.LabelRef(label) }

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// constant makes a read-only table of 64-bit words.
func (p *program) constant(name string, words ...uint64) operand.Mem {
	m := p.StaticGlobal(name)
	p.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, w := range words {
		p.AddDatum(8*i, operand.U64(w))
	}
	return m
}

// print returns the assembly and its Go declarations.
func (p *program) print(name string) (asm, stubs []byte, err error) {
	f, err := p.Result()
	if err != nil {
		return nil, nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, nil, err
	}
	cfg := printer.Config{Argv: []string{"go", "generate"}, Pkg: "aesctr", Name: "aesctrgen"}
	asm, err = printer.NewGoAsm(cfg).Print(f)
	stubs, err2 := printer.NewStubs(cfg).Print(f)
	return asm, stubs, errors.Join(err, err2)
}

// bswap makes a counter block of the two halves of a counter, as they lie in
// memory and in registers: high half first, each little endian.
func (p *program) bswap() operand.Mem {
	return p.constant("bswap", 0x0001020304050607, 0x08090a0b0c0d0e0f)
}
