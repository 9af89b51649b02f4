package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	tweaks256 = []reg.Register{reg.Y8, reg.Y9, reg.Y10, reg.Y11}
	masks256  = []reg.Register{reg.Y4, reg.Y5, reg.Y6, reg.Y7}
)

// xts is the function for whole blocks of a data unit. Y8-Y11 are the tweaks of
// the next eight blocks; Y13 and Y15 are scratch, Y14 the polynomial.
func (g *vaes256) xts(name string, from int, enc, last round2) {
	g.function(name, "func(keys, dst, src *byte, blocks int, tweak *byte)",
		name+" does whole blocks of a data unit and moves the tweak on.")
	g.begin(g.arg("keys"))
	tweak := g.arg("tweak")
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("blocks")}
	g.SHLQ(operand.U8(4), w.n)
	g.firstTweaks(tweak)
	g.CMPQ(w.n, operand.U32(128))
	g.JB(ref("twos"))
	for i := range tweaks256[1:] {
		g.times2(tweaks256[i], tweaks256[i+1])
	}
	g.Label("loop")
	g.xtsBlocks(w, from, enc, last, 4)
	g.CMPQ(w.n, operand.U32(128))
	g.JAE(ref("loop"))
	g.Label("twos")
	g.CMPQ(w.n, operand.U8(32))
	g.JB(ref("ones"))
	g.Label("two")
	g.xtsBlocks(w, from, enc, last, 1)
	g.CMPQ(w.n, operand.U8(32))
	g.JAE(ref("two"))
	g.Label("ones")
	g.TESTQ(w.n, w.n)
	g.JZ(ref("done"))
	g.VPXOR(at(w.src, 0), reg.X8, reg.X0)
	g.whiten(from, reg.Y0)
	g.cipher(enc, from, reg.Y0)
	g.VPXOR(reg.Y12, reg.Y8, reg.Y4)
	last(reg.Y4, reg.Y0)
	g.VMOVDQU(reg.X0, at(w.dst, 0))
	g.VEXTRACTI128(operand.U8(1), reg.Y8, reg.X8)
	g.Label("done")
	g.VMOVDQU(reg.X8, at(tweak, 0))
	g.VZEROUPPER()
	g.RET()
}

// xtsBlocks does n registers of blocks, and moves their tweaks on.
func (g *vaes256) xtsBlocks(w work, from int, enc, last round2, n int) {
	for i, s := range state256[:n] {
		g.VPXOR(at(w.src, 32*i), tweaks256[i], s)
	}
	g.whiten(from, state256[:n]...)
	for i, t := range tweaks256[:n] {
		g.VMOVDQA(t, masks256[i])
		if n == 1 {
			g.times2(t, t)
		} else {
			g.times8(t)
		}
	}
	g.cipher(enc, from, state256[:n]...)
	for i, s := range state256[:n] {
		g.VPXOR(reg.Y12, masks256[i], masks256[i])
		last(masks256[i], s)
		g.VMOVDQU(s, at(w.dst, 32*i))
	}
	g.advance(w, 32*n)
}

// firstTweaks makes the tweaks of the first two blocks.
func (g *vaes256) firstTweaks(tweak reg.Register) {
	g.VBROADCASTI128(g.poly, reg.Y14)
	g.VBROADCASTI128(at(tweak, 0), reg.Y8)
	g.VMOVDQU(g.shifts, reg.Y15)
	rest := g.GP64()
	g.MOVQ(operand.U32(64), rest)
	g.VMOVQ(rest, reg.X13)
	g.VPBROADCASTQ(reg.X13, reg.Y13)
	g.VPSUBQ(reg.Y15, reg.Y13, reg.Y13)
	g.VPSRLVQ(reg.Y13, reg.Y8, reg.Y13) // a count of 64 gives 0
	g.VPSLLVQ(reg.Y15, reg.Y8, reg.Y8)
	g.reduce(reg.Y8)
}

// times2 multiplies each tweak of src by x^2.
func (g *vaes256) times2(src, dst reg.Register) {
	g.VPSRLQ(operand.U8(62), src, reg.Y13)
	g.VPSLLQ(operand.U8(2), src, dst)
	g.reduce(dst)
}

// reduce adds what was shifted out of both halves of t, in Y13: the low half's
// bits to the high half, the high half's times the polynomial to the low half.
func (g *vaes256) reduce(t reg.Register) {
	g.clmul(0x10, reg.Y13, reg.Y14, reg.Y15)
	g.VPSLLDQ(operand.U8(8), reg.Y13, reg.Y13)
	g.VPXOR(reg.Y15, t, t)
	g.VPXOR(reg.Y13, t, t)
}

// times8 multiplies by x^8: one byte.
func (g *vaes256) times8(t reg.Register) {
	g.VPSRLDQ(operand.U8(15), t, reg.Y13)
	g.clmul(0, reg.Y14, reg.Y13, reg.Y13)
	g.VPSLLDQ(operand.U8(1), t, t)
	g.VPXOR(reg.Y13, t, t)
}
