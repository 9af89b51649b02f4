package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var tweaksNI = []reg.Register{reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11}

// xts is the function for whole blocks of a data unit, six side by side: X0-X5
// are blocks, X6-X11 their tweaks, X13 the next tweak, X14 scratch, X15 what a
// bit shifted out of each half turns into.
func (g *aesni) xts(name string, from int, enc, last round2) {
	g.function(name, "func(keys, dst, src *byte, blocks int, tweak *byte)",
		name+" does whole blocks of a data unit and moves the tweak on.")
	g.begin(g.arg("keys"))
	tweak := g.arg("tweak")
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("blocks")}
	g.SHLQ(operand.U8(4), w.n)
	g.MOVOU(g.poly, reg.X15)
	g.MOVOU(at(tweak, 0), reg.X13)
	for _, n := range []int{6, 1} {
		loop, end := g.label("loop"), g.label("end")
		g.CMPQ(w.n, operand.U32(uint32(16*n)))
		g.JB(ref(end))
		g.Label(loop)
		for i, s := range stateNI[:n] {
			g.MOVO(reg.X13, tweaksNI[i])
			g.MOVOU(at(w.src, 16*i), s)
			g.PXOR(reg.X13, s)
			g.double()
		}
		g.whiten(from, stateNI[:n]...)
		g.cipher(enc, from, stateNI[:n]...)
		for i, s := range stateNI[:n] {
			g.PXOR(reg.X12, tweaksNI[i])
			last(tweaksNI[i], s)
			g.MOVOU(s, at(w.dst, 16*i))
		}
		g.advance(w, 16*n)
		g.CMPQ(w.n, operand.U32(uint32(16*n)))
		g.JAE(ref(loop))
		g.Label(end)
	}
	g.MOVOU(reg.X13, at(tweak, 0))
	g.RET()
}

// double multiplies the next tweak by x.
func (g *aesni) double() {
	g.PSHUFD(operand.U8(0x13), reg.X13, reg.X14)
	g.PSRAL(operand.U8(31), reg.X14)
	g.PAND(reg.X15, reg.X14)
	g.PADDQ(reg.X13, reg.X13)
	g.PXOR(reg.X14, reg.X13)
}
