package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// aesni is the kernel for SSE 4.1 with AES: one block a register, eight side by
// side, round keys from memory.
//
// Registers: X0-X7 blocks, X8 the next counter, X9 the byte swap, X10 one, X11
// scratch, X12 a round key.
type aesni struct {
	narrow
	bswapM, oneM, poly operand.Mem
}

var stateNI = []reg.Register{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7}

func buildAESNI(p *program) {
	g := &aesni{narrow: narrow{program: p, k: reg.X12, load: p.MOVOU, v: p.sse(), xorInto: p.PXOR, end: func() {}}}
	g.bswapM, g.slideM = p.bswap(), p.slide()
	g.oneM = p.constant("one", 0, 1)
	g.poly = p.constant("poly", 0x87, 1)
	turns := []turn{{stateNI, stateNI, 16}, {stateNI[:1], stateNI[:1], 16}}
	k := streamKernel{g.constants, g.start, g.loadCounter, g.stream}
	g.xor("xorAESNI", k)
	g.records("recordsAESNI", k)
	g.ecb("encryptAESNI", encKeys, p.AESENC, p.AESENCLAST, turns...)
	g.ecb("decryptAESNI", decKeys, p.AESDEC, p.AESDECLAST, turns...)
	g.xts("xtsEncryptAESNI", encKeys, p.AESENC, p.AESENCLAST)
	g.xts("xtsDecryptAESNI", decKeys, p.AESDEC, p.AESDECLAST)
	g.unit()
}

// start puts the first counter into X8, half by half: a load of both would wait
// for the stores of each.
func (g *aesni) start(hi, lo operand.Op) {
	g.MOVQ(hi, reg.X8)
	g.PINSRQ(operand.U8(1), lo, reg.X8)
}

// loadCounter does the same for a record, whose counter was stored some time ago.
func (g *aesni) loadCounter(rec reg.Register) {
	g.MOVOU(at(rec, recordHi), reg.X8)
}

func (g *aesni) constants() {
	g.MOVOU(g.bswapM, reg.X9)
	g.MOVOU(g.oneM, reg.X10)
}

// blocks makes keystream in the states but for the last round.
func (g *aesni) blocks(states ...reg.Register) {
	for _, s := range states {
		g.MOVO(reg.X8, s)
		g.PSHUFB(reg.X9, s)
		g.PADDQ(reg.X10, reg.X8)
	}
	g.whiten(encKeys, states...)
	g.cipher(g.AESENC, encKeys, states...)
}

// stream encrypts one stream whose first counter is in X8, and jumps to done.
func (g *aesni) stream(w work, done string) {
	loop, rest, more, out, part := g.label("loop"), g.label("rest"), g.label("more"), g.label("out"), g.label("part")
	g.CMPQ(w.n, operand.U32(128))
	g.JB(ref(rest))
	g.align()
	g.Label(loop)
	g.blocks(stateNI...)
	for i, s := range stateNI {
		g.MOVOU(at(w.src, 16*i), reg.X11)
		g.PXOR(reg.X12, reg.X11)
		g.AESENCLAST(reg.X11, s)
		g.MOVOU(s, at(w.dst, 16*i))
	}
	g.advance(w, 128)
	g.CMPQ(w.n, operand.U32(128))
	g.JAE(ref(loop))
	g.Label(rest)
	g.TESTQ(w.n, w.n)
	g.JZ(ref(done))
	g.Comment("The rest as keystream of 64 or 128 bytes.")
	g.CMPQ(w.n, operand.U8(64))
	g.JA(ref(more))
	g.keystream(stateNI[:4])
	g.JMP(ref(out))
	g.Label(more)
	g.keystream(stateNI)
	g.Label(out)
	v := g.v
	v.xor = func(with, x operand.Op) { // the source need not be aligned
		g.MOVOU(with, reg.X11)
		g.PXOR(reg.X11, x)
	}
	g.lanes(w, 16, stateNI, v, g.MOVO, part)
	g.tail(g.v, g.slideM, w, done)
}

func (g *aesni) keystream(states []reg.Register) {
	g.blocks(states...)
	for _, s := range states {
		g.AESENCLAST(reg.X12, s)
	}
}

func (g *aesni) unit() {
	g.function("unitAESNI", "func(n int)", "unitAESNI runs n times eight round instructions of one block.")
	g.unitLoop(func(key, state, _ operand.Op) { g.AESENC(key, state) }, stateNI...)
	g.RET()
}
