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
	*program
	keys, rounds         reg.Register
	v                    vector
	bswapM, slideM, oneM operand.Mem
	poly                 operand.Mem
}

var stateNI = []reg.Register{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7}

// round2 is a round instruction in two-operand form: state = round(state, key).
type round2 func(key, state operand.Op)

func buildAESNI(p *program) {
	g := &aesni{program: p, v: p.sse()}
	g.bswapM, g.slideM = p.bswap(), p.slide()
	g.oneM = p.constant("one", 0, 1)
	g.poly = p.constant("poly", 0x87, 1)
	g.xor()
	g.records()
	g.ecb("encryptAESNI", encKeys, p.AESENC, p.AESENCLAST)
	g.ecb("decryptAESNI", decKeys, p.AESDEC, p.AESDECLAST)
	g.xts("xtsEncryptAESNI", encKeys, p.AESENC, p.AESENCLAST)
	g.xts("xtsDecryptAESNI", decKeys, p.AESDEC, p.AESDECLAST)
	g.unit()
}

func (g *aesni) begin(keys reg.Register) {
	g.keys, g.rounds = keys, g.GP64()
	g.MOVQ(at(keys, roundCount), g.rounds)
}

func (g *aesni) key(from, i int) { g.MOVOU(at(g.keys, from+16*i), reg.X12) }

// lastKey loads the last round key, which both key sizes have elsewhere.
func (g *aesni) lastKey(from int) {
	t := g.GP64()
	g.MOVQ(g.rounds, t)
	g.SHLQ(operand.U8(4), t)
	g.MOVOU(operand.Mem{Base: g.keys, Index: t, Scale: 1, Disp: from}, reg.X12)
}

// whiten XORs the first round key into the states.
func (g *aesni) whiten(from int, states ...reg.Register) {
	g.key(from, 0)
	for _, s := range states {
		g.PXOR(reg.X12, s)
	}
}

// cipher runs all rounds but the last, and loads the last round key.
func (g *aesni) cipher(enc round2, from int, states ...reg.Register) {
	short := g.label("rounds")
	for i := 1; i < 14; i++ {
		if i == 10 {
			g.CMPQ(g.rounds, operand.U8(10))
			g.JE(ref(short))
		}
		g.key(from, i)
		for _, s := range states {
			enc(reg.X12, s)
		}
	}
	g.Label(short)
	g.lastKey(from)
}

// start puts the first counter into X8, half by half: a load of both would wait
// for the stores of each.
func (g *aesni) start(hi, lo operand.Op) {
	g.MOVQ(hi, reg.X8)
	g.PINSRQ(operand.U8(1), lo, reg.X8)
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

func (g *aesni) xor() {
	g.function("xorAESNI", "func(keys, dst, src *byte, n int, hi, lo uint64)",
		"xorAESNI encrypts one stream of n > 0 bytes from the start of a block; lo does not wrap.")
	g.begin(g.arg("keys"))
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("n")}
	g.constants()
	g.start(g.argMem("hi"), g.argMem("lo"))
	g.stream(w, "done")
	g.Label("done")
	g.RET()
}

func (g *aesni) records() {
	g.recordFunction("recordsAESNI")
	g.begin(g.arg("keys"))
	g.constants()
	g.walk(records{
		maxSkip: 0,
		each: func(rec reg.Register, w work, next string) {
			g.MOVOU(at(rec, recordHi), reg.X8)
			g.stream(w, next)
		},
		rest: func(work, string) {},
		end:  func() {},
	})
}

func (g *aesni) unit() {
	g.function("unitAESNI", "func(n int)", "unitAESNI runs n times eight round instructions of one block.")
	g.unitLoop(func(key, state, _ operand.Op) { g.AESENC(key, state) }, stateNI...)
	g.RET()
}
