package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector are the 16-byte instructions that the end of a stream takes, in the
// encoding that the kernel uses: never both in one kernel, since a change between
// them costs when upper halves are in use.
type vector struct {
	load, store func(from, to operand.Op)
	xor         func(with, x operand.Op) // x ^= with
	shuffle     func(by, x operand.Op)
	shift       func(bytes uint64, x operand.Op) // x >>= 8 * bytes
	quad, word  func(x, mem operand.Op)
	low         func(x, gp operand.Op)
}

func (p *program) sse() vector {
	return vector{
		load: p.MOVOU, store: p.MOVOU, xor: p.PXOR, shuffle: p.PSHUFB,
		shift: func(n uint64, x operand.Op) { p.PSRLDQ(operand.U8(n), x) },
		// Not MOVD to memory: Go's assembler takes that for MOVQ and stores 8 bytes.
		quad: p.MOVQ, word: p.MOVSS, low: p.MOVD,
	}
}

func (p *program) vex() vector {
	return vector{
		load: p.VMOVDQU, store: p.VMOVDQU,
		xor:     func(with, x operand.Op) { p.VPXOR(with, x, x) },
		shuffle: func(by, x operand.Op) { p.VPSHUFB(by, x, x) },
		shift:   func(n uint64, x operand.Op) { p.VPSRLDQ(operand.U8(n), x, x) },
		quad:    p.VMOVQ, word: p.VMOVD, low: p.VMOVD,
	}
}

// slide is what shifts a register by s bytes to the right when it is loaded from
// byte s on and used to shuffle.
func (p *program) slide() operand.Mem {
	return p.constant("slide", 0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x8080808080808080, 0x8080808080808080)
}

// tail encrypts the last n < 16 bytes of a stream with the keystream in X0. The
// source is loaded as 16 bytes: forward, unless that could leave its page, and
// else those that end with it. No byte outside is written.
func (p *program) tail(v vector, slide operand.Mem, w work, done string) {
	cross, have, four, two, one := p.label("cross"), p.label("have"), p.label("four"), p.label("two"), p.label("one")
	t := p.GP64()
	p.TESTQ(w.n, w.n)
	p.JZ(ref(done))
	p.MOVQ(w.src, t)
	p.ANDQ(operand.U32(4095), t)
	p.CMPQ(t, operand.U32(4080))
	p.JA(ref(cross))
	v.load(at(w.src, 0), reg.X1)
	p.JMP(ref(have))
	p.Label(cross)
	v.load(operand.Mem{Base: w.src, Index: w.n, Scale: 1, Disp: -16}, reg.X1)
	p.LEAQ(slide, t)
	p.SUBQ(w.n, t)
	v.load(at(t, 16), reg.X2)
	v.shuffle(reg.X2, reg.X1)
	p.Label(have)
	v.xor(reg.X0, reg.X1)
	p.TESTQ(operand.U32(8), w.n)
	p.JZ(ref(four))
	v.quad(reg.X1, at(w.dst, 0))
	v.shift(8, reg.X1)
	p.ADDQ(operand.U8(8), w.dst)
	p.Label(four)
	p.TESTQ(operand.U32(4), w.n)
	p.JZ(ref(two))
	v.word(reg.X1, at(w.dst, 0))
	v.shift(4, reg.X1)
	p.ADDQ(operand.U8(4), w.dst)
	p.Label(two)
	rest := p.GP32()
	v.low(reg.X1, rest)
	p.TESTQ(operand.U32(2), w.n)
	p.JZ(ref(one))
	p.MOVW(rest.As16(), at(w.dst, 0))
	p.SHRL(operand.U8(16), rest)
	p.ADDQ(operand.U8(2), w.dst)
	p.Label(one)
	p.TESTQ(operand.U32(1), w.n)
	p.JZ(ref(done))
	p.MOVB(rest.As8(), at(w.dst, 0))
	p.JMP(ref(done))
}

// lane encrypts one whole register at the stream's place i, or leaves for part
// with less than that.
func (p *program) lanes(w work, size int, states []reg.Register, v vector, move func(from, to operand.Op), part string) {
	var leave []string
	for i, s := range states {
		leave = append(leave, p.label("part"))
		p.CMPQ(w.n, operand.U8(uint8(size)))
		p.JB(ref(leave[i]))
		v.xor(at(w.src, size*i), s)
		v.store(s, at(w.dst, size*i))
		p.SUBQ(operand.U8(uint8(size)), w.n)
	}
	p.Comment("Less than a register is left: it becomes the first one.")
	for i := len(states); i > 0; i-- {
		if i < len(states) {
			p.Label(leave[i])
			move(states[i], states[0])
		} else {
			// Behind the last register nothing is left.
			p.XORQ(w.n, w.n)
		}
		p.ADDQ(operand.U32(uint32(size*i)), w.src)
		p.ADDQ(operand.U32(uint32(size*i)), w.dst)
		p.JMP(ref(part))
	}
	p.Label(leave[0])
	p.Label(part)
}
