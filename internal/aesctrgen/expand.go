package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// buildExpand makes the key schedules (FIPS 197, section 5.2) with AESKEYGENASSIST,
// which looks nothing up in a table, and those of decryption with AESIMC
// (section 5.3.5, the equivalent inverse cipher).
func buildExpand(p *program) {
	p.expand128()
	p.expand256()
}

// rcon are the round constants x^i.
var rcon = []uint8{0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36}

func (p *program) expand128() {
	p.function("expand128", "func(key, keys *byte)", "expand128 makes both schedules of a key of 16 bytes.")
	key, keys := p.arg("key"), p.arg("keys")
	p.MOVOU(at(key, 0), reg.X0)
	p.MOVOU(reg.X0, at(keys, encKeys))
	for i, c := range rcon {
		p.AESKEYGENASSIST(operand.U8(c), reg.X0, reg.X1)
		p.PSHUFD(operand.U8(0xFF), reg.X1, reg.X1)
		p.mix(reg.X0, reg.X1)
		p.MOVOU(reg.X0, at(keys, encKeys+16*(i+1)))
	}
	p.invert(keys, 10)
	p.RET()
}

func (p *program) expand256() {
	p.function("expand256", "func(key, keys *byte)", "expand256 makes both schedules of a key of 32 bytes.")
	key, keys := p.arg("key"), p.arg("keys")
	p.MOVOU(at(key, 0), reg.X0)
	p.MOVOU(at(key, 16), reg.X1)
	p.MOVOU(reg.X0, at(keys, encKeys))
	p.MOVOU(reg.X1, at(keys, encKeys+16))
	for i, c := range rcon[:7] {
		p.AESKEYGENASSIST(operand.U8(c), reg.X1, reg.X2)
		p.PSHUFD(operand.U8(0xFF), reg.X2, reg.X2)
		p.mix(reg.X0, reg.X2)
		p.MOVOU(reg.X0, at(keys, encKeys+16*(2*i+2)))
		if i == 6 {
			break // the last round key
		}
		p.AESKEYGENASSIST(operand.U8(0), reg.X0, reg.X2)
		p.PSHUFD(operand.U8(0xAA), reg.X2, reg.X2)
		p.mix(reg.X1, reg.X2)
		p.MOVOU(reg.X1, at(keys, encKeys+16*(2*i+3)))
	}
	p.invert(keys, 14)
	p.RET()
}

// mix turns the words of k into those of the next round key: each is XORed with
// all before it and with t.
func (p *program) mix(k, t reg.Register) {
	p.MOVO(k, reg.X3)
	for range 3 {
		p.PSLLDQ(operand.U8(4), reg.X3)
		p.PXOR(reg.X3, k)
	}
	p.PXOR(t, k)
}

// invert makes the schedule of decryption: backwards, and all but the ends put
// through the inverse MixColumns.
func (p *program) invert(keys reg.Register, rounds int) {
	for i := 0; i <= rounds; i++ {
		p.MOVOU(at(keys, encKeys+16*(rounds-i)), reg.X0)
		if i > 0 && i < rounds {
			p.AESIMC(reg.X0, reg.X0)
		}
		p.MOVOU(reg.X0, at(keys, decKeys+16*i))
	}
}
