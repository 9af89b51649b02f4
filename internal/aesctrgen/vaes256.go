package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vaes256 is the kernel for AVX2 with VAES: two blocks a register. There are
// sixteen registers, so that round keys come from memory, each once for all
// blocks that are on their way; the end of a stream is done in steps of 32, 16
// and less bytes.
//
// Registers: Y0-Y7 blocks, Y8 the counters of the next two blocks, Y9 the byte
// swap, Y10 the step from one register to the next, Y11 scratch, Y12 a round key.
type vaes256 struct {
	narrow
	bswapM, first, two, poly, shifts operand.Mem
}

var state256 = []reg.Register{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7}

func buildVAES256(p *program) {
	g := &vaes256{narrow: narrow{
		program: p, k: reg.Y12, load: p.VBROADCASTI128, v: p.vex(), end: p.VZEROUPPER,
		xorInto: func(with, x operand.Op) { p.VPXOR(with, x, x) },
	}}
	g.bswapM, g.slideM = p.bswap(), p.slide()
	g.first = p.constant("first", 0, 0, 0, 1)
	g.two = p.constant("two", 0, 2, 0, 2)
	g.poly = p.constant("poly", 0x87, 0)
	g.shifts = p.constant("shifts", 0, 0, 1, 1)
	enc, encLast := inPlace(p.vaesenc), inPlace(p.vaesenclast)
	dec, decLast := inPlace(p.vaesdec), inPlace(p.vaesdeclast)
	turns := []turn{
		{state256, state256, 32}, {state256[:1], state256[:1], 32}, {state256[:1], []reg.Register{reg.X0}, 16},
	}
	k := streamKernel{g.constants, g.start, g.loadCounter, g.stream}
	g.xor("xorVAES256", k)
	g.records("recordsVAES256", k)
	g.ecb("encryptVAES256", encKeys, enc, encLast, turns...)
	g.ecb("decryptVAES256", decKeys, dec, decLast, turns...)
	g.xts("xtsEncryptVAES256", encKeys, enc, encLast)
	g.xts("xtsDecryptVAES256", decKeys, dec, decLast)
	g.unit()
}

// inPlace is a round instruction of three operands in the form of two.
func inPlace(r round) round2 { return func(key, state operand.Op) { r(key, state, state) } }

// start puts the counters of the first two blocks into Y8, half by half: a load
// of both would wait for the stores of each.
func (g *vaes256) start(hi, lo operand.Op) {
	g.VPBROADCASTQ(hi, reg.Y8)
	g.VPBROADCASTQ(lo, reg.Y11)
	g.VPBLENDD(operand.U8(0xCC), reg.Y11, reg.Y8, reg.Y8)
	g.VPADDQ(g.first, reg.Y8, reg.Y8)
}

// loadCounter does the same for a record, whose counter was stored some time ago.
func (g *vaes256) loadCounter(rec reg.Register) {
	g.VBROADCASTI128(at(rec, recordHi), reg.Y8)
	g.VPADDQ(g.first, reg.Y8, reg.Y8)
}

func (g *vaes256) constants() {
	g.VBROADCASTI128(g.bswapM, reg.Y9)
	g.VMOVDQU(g.two, reg.Y10)
}

// blocks makes counter blocks in the states and all rounds but the last of them.
func (g *vaes256) blocks(states ...reg.Register) {
	for _, s := range states {
		g.VPSHUFB(reg.Y9, reg.Y8, s)
		g.VPADDQ(reg.Y10, reg.Y8, reg.Y8)
	}
	g.whiten(encKeys, states...)
	g.cipher(inPlace(g.vaesenc), encKeys, states...)
}

// stream encrypts one stream whose counters are in Y8, and jumps to done.
func (g *vaes256) stream(w work, done string) {
	loop, rest, out, part, tail := g.label("loop"), g.label("rest"), g.label("out"), g.label("part"), g.label("tail")
	g.CMPQ(w.n, operand.U32(256))
	g.JB(ref(rest))
	g.align()
	g.Label(loop)
	g.blocks(state256...)
	for i, s := range state256 {
		g.VPXOR(at(w.src, 32*i), reg.Y12, reg.Y11)
		g.vaesenclast(reg.Y11, s, s)
		g.VMOVDQU(s, at(w.dst, 32*i))
	}
	g.advance(w, 256)
	g.CMPQ(w.n, operand.U32(256))
	g.JAE(ref(loop))
	g.Label(rest)
	g.TESTQ(w.n, w.n)
	g.JZ(ref(done))
	g.Comment("The rest as keystream of 64, 128 or 256 bytes.")
	for _, lanes := range []int{2, 4, 8} {
		next := g.label("more")
		if lanes < 8 {
			g.CMPQ(w.n, operand.U32(uint32(32*lanes)))
			g.JA(ref(next))
		}
		g.blocks(state256[:lanes]...)
		for _, s := range state256[:lanes] {
			g.vaesenclast(reg.Y12, s, s)
		}
		if lanes < 8 {
			g.JMP(ref(out))
			g.Label(next)
		}
	}
	g.Label(out)
	g.lanes(w, 32, state256, g.v, g.VMOVDQA, part)
	g.CMPQ(w.n, operand.U8(16))
	g.JB(ref(tail))
	g.VPXOR(at(w.src, 0), reg.X0, reg.X1)
	g.VMOVDQU(reg.X1, at(w.dst, 0))
	g.VEXTRACTI128(operand.U8(1), reg.Y0, reg.X0)
	g.advance(w, 16)
	g.Label(tail)
	g.tail(g.v, g.slideM, w, done)
}

func (g *vaes256) unit() {
	g.function("unitVAES256", "func(n int)", "unitVAES256 runs n times eight round instructions of two blocks.")
	g.unitLoop(g.vaesenc, state256...)
	g.VZEROUPPER()
	g.RET()
}
