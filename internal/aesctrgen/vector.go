package main

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// avo v0.5.0 knows the AES rounds and carry-less multiplication for registers of
// 128 bits only. What follows are the same instructions for wider ones (VAES and
// VPCLMULQDQ), which Go's assembler does know.

// instruction adds what avo has no constructor for: from and then to, as Go
// orders them.
func (p *program) instruction(opcode string, to operand.Op, from ...operand.Op) {
	p.Instruction(&ir.Instruction{
		Opcode: opcode, Operands: append(append([]operand.Op{}, from...), to),
		Inputs: from, Outputs: []operand.Op{to},
	})
}

func (p *program) vaesenc(key, s, to operand.Op)     { p.instruction("VAESENC", to, key, s) }
func (p *program) vaesenclast(key, s, to operand.Op) { p.instruction("VAESENCLAST", to, key, s) }
func (p *program) vaesdec(key, s, to operand.Op)     { p.instruction("VAESDEC", to, key, s) }
func (p *program) vaesdeclast(key, s, to operand.Op) { p.instruction("VAESDECLAST", to, key, s) }

// clmul multiplies one half of a and one of b in each block: bit 0 of halves says
// which of b (0: low), bit 4 which of a.
func (p *program) clmul(halves uint8, a, b, to operand.Op) {
	p.instruction("VPCLMULQDQ", to, operand.U8(halves), a, b)
}
