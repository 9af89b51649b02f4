package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const blocksSignature = "func(keys, dst, src *byte, blocks int)"

// ecb is the function that puts each block through the cipher on its own.
func (g *vaes512) ecb(name string, from int, enc, last round) {
	g.function(name, blocksSignature, name+" puts whole blocks through the cipher, each on its own.")
	keys := g.arg("keys")
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("blocks")}
	g.loadKeys(keys, from)
	g.SHLQ(operand.U8(4), w.n)
	g.CMPQ(w.n, operand.U32(256))
	g.JB(ref("ones"))
	g.Label("loop")
	for i, s := range state512 {
		g.VPXORQ(at(w.src, 64*i), reg.Z16, s)
	}
	g.cipher(enc, state512...)
	for i, s := range state512 {
		last(reg.Z30, s, s)
		g.VMOVDQU64(s, at(w.dst, 64*i))
	}
	g.advance(w, 256)
	g.CMPQ(w.n, operand.U32(256))
	g.JAE(ref("loop"))
	g.Label("ones")
	g.TESTQ(w.n, w.n)
	g.JZ(ref("done"))
	g.Label("one")
	g.partMask(w.n)
	g.VMOVDQU8_Z(at(w.src, 0), reg.K1, reg.Z0)
	g.VPXORQ(reg.Z16, reg.Z0, reg.Z0)
	g.cipher(enc, reg.Z0)
	last(reg.Z30, reg.Z0, reg.Z0)
	g.VMOVDQU8(reg.Z0, reg.K1, at(w.dst, 0))
	g.advance(w, 64)
	g.JA(ref("one"))
	g.Label("done")
	g.VZEROUPPER()
	g.RET()
}

// partMask sets K1 to the first n bytes of a register, all if there are as many.
func (g *vaes512) partMask(n reg.Register) {
	mask, whole := g.GP64(), g.label("whole")
	g.MOVQ(operand.I32(-1), mask)
	g.CMPQ(n, operand.U8(64)) // BZHI looks at eight bits only
	g.JAE(ref(whole))
	g.BZHIQ(n, mask, mask)
	g.Label(whole)
	g.KMOVQ(mask, reg.K1)
}

var tweaks512 = []reg.Register{reg.Z8, reg.Z9, reg.Z10, reg.Z11}

// xts is the function for whole blocks of a data unit. Z8-Z11 are the tweaks of
// the next sixteen blocks; Z12 and Z13 are scratch, Z14 the polynomial.
func (g *vaes512) xts(name string, from int, enc, last round) {
	g.function(name, "func(keys, dst, src *byte, blocks int, tweak *byte)",
		name+" does whole blocks of a data unit and moves the tweak on.")
	keys, tweak := g.arg("keys"), g.arg("tweak")
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("blocks")}
	g.loadKeys(keys, from)
	g.SHLQ(operand.U8(4), w.n)
	g.firstTweaks(tweak)
	g.CMPQ(w.n, operand.U32(256))
	g.JB(ref("ones"))
	g.moreTweaks()
	g.Label("loop")
	for i, s := range state512 {
		g.VPXORQ(at(w.src, 64*i), tweaks512[i], s)
		g.VPXORQ(reg.Z16, s, s)
		g.VPXORQ(reg.Z30, tweaks512[i], source512[i])
	}
	for _, t := range tweaks512 {
		g.times16(t)
	}
	g.cipher(enc, state512...)
	for i, s := range state512 {
		last(source512[i], s, s)
		g.VMOVDQU64(s, at(w.dst, 64*i))
	}
	g.advance(w, 256)
	g.CMPQ(w.n, operand.U32(256))
	g.JAE(ref("loop"))
	g.Label("ones")
	g.TESTQ(w.n, w.n)
	g.JZ(ref("done"))
	g.Label("one")
	g.xtsOne(w, enc, last)
	g.JA(ref("one"))
	g.Comment("The tweak of the next block: n is now 0 or minus what the last register lacked.")
	g.Label("done")
	g.nextTweak(w.n, tweak)
	g.VZEROUPPER()
	g.RET()
}

// xtsOne does up to four blocks, with the flags of what is left.
func (g *vaes512) xtsOne(w work, enc, last round) {
	g.partMask(w.n)
	g.VMOVDQU8_Z(at(w.src, 0), reg.K1, reg.Z0)
	g.VPXORQ(reg.Z8, reg.Z0, reg.Z0)
	g.VPXORQ(reg.Z16, reg.Z0, reg.Z0)
	g.VPXORQ(reg.Z30, reg.Z8, reg.Z4)
	g.VMOVDQA64(reg.Z8, reg.Z5) // for nextTweak
	g.times4(reg.Z8, reg.Z8)
	g.cipher(enc, reg.Z0)
	last(reg.Z4, reg.Z0, reg.Z0)
	g.VMOVDQU8(reg.Z0, reg.K1, at(w.dst, 0))
	g.advance(w, 64)
}

// firstTweaks makes the tweaks of the first four blocks, the given one times 1,
// x, x^2 and x^3.
func (g *vaes512) firstTweaks(tweak reg.Register) {
	g.VBROADCASTI32X4(g.poly, reg.Z14)
	g.VBROADCASTI32X4(at(tweak, 0), reg.Z8)
	rest := g.GP64()
	shifts, back := reg.Z12, reg.Z13
	g.VPMOVZXBQ(g.shifts, shifts)
	g.MOVQ(operand.U32(64), rest)
	g.VPBROADCASTQ(rest, back)
	g.VPSUBQ(shifts, back, back)
	g.VPSRLVQ(back, reg.Z8, back) // a count of 64 gives 0
	g.VPSLLVQ(shifts, reg.Z8, reg.Z8)
	g.reduce(reg.Z8, back, shifts)
}

// times4 multiplies each tweak of src by x^4.
func (g *vaes512) times4(src, dst reg.Register) {
	g.VPSRLQ(operand.U8(60), src, reg.Z13)
	g.VPSLLQ(operand.U8(4), src, dst)
	g.reduce(dst, reg.Z13, reg.Z12)
}

// reduce adds what was shifted out of both halves: the low half's bits to the
// high half, the high half's times the polynomial to the low half.
func (g *vaes512) reduce(t, out, scratch reg.Register) {
	g.clmul(0x10, out, reg.Z14, scratch)
	g.VPSLLDQ(operand.U8(8), out, out)
	g.VPTERNLOGQ(operand.U8(0x96), scratch, out, t)
}

// times16 multiplies by x^16: two bytes, which takes no unit that the rounds
// need.
func (g *vaes512) times16(t reg.Register) {
	g.VPSRLDQ(operand.U8(14), t, reg.Z13)
	g.clmul(0, reg.Z14, reg.Z13, reg.Z13)
	g.VPSLLDQ(operand.U8(2), t, t)
	g.VPXORQ(reg.Z13, t, t)
}

func (g *vaes512) moreTweaks() {
	for i := range tweaks512[1:] {
		g.times4(tweaks512[i], tweaks512[i+1])
	}
}

// nextTweak stores the tweak behind the last block: that of the last register
// with blocks missing at its end, or the first of the next.
func (g *vaes512) nextTweak(n, tweak reg.Register) {
	part := g.label("part")
	local := g.AllocLocal(64)
	g.TESTQ(n, n)
	g.JNZ(ref(part))
	g.VMOVDQU(reg.X8, at(tweak, 0))
	g.VZEROUPPER()
	g.RET()
	g.Label(part)
	g.ADDQ(operand.U8(64), n)
	g.VMOVDQU64(reg.Z5, local)
	g.VMOVDQU(local.Idx(n, 1), reg.X0)
	g.VMOVDQU(reg.X0, at(tweak, 0))
}
