package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vaes512 is the kernel for AVX-512 with VAES: four blocks a register. The round
// keys stay in registers, and masked loads and stores do beginnings and ends, so
// that a short record costs the same as a register of 64 bytes: no buffer, no
// branch on how it ends.
//
// Registers: Z0-Z3 blocks, Z4-Z7 source, Z8 the counters of the next four
// blocks, Z9 the step from one register to the next, Z10 the blocks' places in a
// register, Z16-Z29 round keys (Z26-Z29 with AES-256 only), Z30 the last round
// key, Z31 the byte swap; K1 the mask of a partial register, K2 the second halves
// of blocks.
type vaes512 struct {
	*program
	rounds reg.Register
	fixed  int // rounds where the code is for one key size only; 0: for both
	bswapM operand.Mem
	// Constants have 16 bytes: the linker aligns them to that, and one of 64 that
	// lies across two pages makes every load of it ten times as slow. Those with
	// another value in each block are spread from bytes.
	first  operand.Mem // 0, 1, 2, 3 for the blocks of a register
	four   operand.Mem // 4 for each
	poly   operand.Mem
	shifts operand.Mem // 0, 1, 2, 3 in both halves of each block
}

var (
	state512  = []reg.Register{reg.Z0, reg.Z1, reg.Z2, reg.Z3}
	source512 = []reg.Register{reg.Z4, reg.Z5, reg.Z6, reg.Z7}
	keys512   = []reg.Register{
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25,
		reg.Z26, reg.Z27, reg.Z28, reg.Z29,
	}
)

func buildVAES512(p *program) {
	g := &vaes512{program: p}
	g.bswapM = p.bswap()
	g.first = p.constant("first", 0x0300020001000000, 0)
	g.four = p.constant("four", 0, 4)
	g.poly = p.constant("poly", 0x87, 0)
	g.shifts = p.constant("shifts", 0x0303020201010000, 0)
	g.xor()
	g.records()
	g.ecb("encryptVAES512", encKeys, p.vaesenc, p.vaesenclast)
	g.ecb("decryptVAES512", decKeys, p.vaesdec, p.vaesdeclast)
	g.xts("xtsEncryptVAES512", encKeys, p.vaesenc, p.vaesenclast)
	g.xts("xtsDecryptVAES512", decKeys, p.vaesdec, p.vaesdeclast)
	g.unit()
}

// round is an AES round instruction: VAESENC, VAESDEC and their last forms.
type round func(key, state, dst operand.Op)

// loadKeys fills the key registers from the schedule at offset from.
func (g *vaes512) loadKeys(keys reg.Register, from int) {
	g.Comment("Round keys, each in all four places of its register.")
	g.rounds = g.GP64()
	last, short := g.GP64(), g.label("keys")
	g.MOVQ(at(keys, roundCount), g.rounds)
	g.MOVQ(g.rounds, last)
	g.SHLQ(operand.U8(4), last)
	g.VBROADCASTI32X4(operand.Mem{Base: keys, Index: last, Scale: 1, Disp: from}, reg.Z30)
	for i, k := range keys512 {
		if i == 10 {
			g.CMPQ(g.rounds, operand.U8(10))
			g.JE(ref(short))
		}
		g.VBROADCASTI32X4(at(keys, from+16*i), k)
	}
	g.Label(short)
}

// cipher runs all rounds but the last over the states, which have been XORed
// with the first round key.
func (g *vaes512) cipher(enc round, states ...reg.Register) {
	short := g.label("rounds")
	for i, k := range keys512[1:] {
		if g.fixed == i+1 {
			break
		}
		if i == 9 && g.fixed == 0 {
			g.CMPQ(g.rounds, operand.U8(10))
			g.JE(ref(short))
		}
		for _, s := range states {
			enc(k, s, s)
		}
	}
	g.Label(short)
}

// counters loads what is the same for all counters.
func (g *vaes512) counters() {
	g.VBROADCASTI32X4(g.bswapM, reg.Z31)
	g.VBROADCASTI32X4(g.four, reg.Z9)
	g.VPMOVZXBQ(g.first, reg.Z10)
}

// start puts the counters of the first four blocks into Z8. The halves come one
// by one: they have just been stored that way, and a load of both would wait for
// the stores (records were stored some time ago, and come as a whole).
func (g *vaes512) start(hi, lo operand.Op) {
	g.VPBROADCASTQ(hi, reg.Z8)
	g.VPBROADCASTQ(lo, reg.K2, reg.Z8)
	g.VPADDQ(reg.Z10, reg.Z8, reg.Z8)
}

// next makes counter blocks for each state, XORed with the first round key.
func (g *vaes512) next(states ...reg.Register) {
	for _, s := range states {
		g.VPSHUFB(reg.Z31, reg.Z8, s)
		g.VPADDQ(reg.Z9, reg.Z8, reg.Z8)
	}
	for _, s := range states {
		g.VPXORQ(reg.Z16, s, s)
	}
}

// work is what one stream is: registers that it uses up.
type work struct{ dst, src, n, skip reg.Register }

// streamLabels are places in the code of one stream.
type streamLabels struct{ main, tail, full, one, wide, head, done string }

func (g *vaes512) streamLabels(done string) streamLabels {
	return streamLabels{g.label("main"), g.label("tail"), g.label("full"), g.label("one"), g.label("wide"), g.label("head"), done}
}

// short encrypts one stream of less than a register whose counters are in Z8, and
// goes on behind itself, at done. Others leave it for long. A short record takes
// no jump on its way: each costs the front end of the processor more than an
// instruction, and the kernel lives on how far that runs ahead.
func (g *vaes512) short(w work, l streamLabels) {
	g.TESTQ(w.skip, w.skip)
	g.JNZ(ref(l.head))
	g.Label(l.main)
	g.CMPQ(w.n, operand.U8(64))
	g.JAE(ref(l.full))
	g.Label(l.tail)
	mask := g.GP64()
	g.MOVQ(operand.I32(-1), mask)
	g.BZHIQ(w.n, mask, mask)
	g.masked(w, mask, true)
}

// long is what short has no place for.
func (g *vaes512) long(w work, l streamLabels) {
	g.Label(l.full)
	g.CMPQ(w.n, operand.U32(256))
	g.JAE(ref(l.wide))
	g.align()
	g.Label(l.one)
	g.next(reg.Z0)
	g.VPXORQ(at(w.src, 0), reg.Z30, reg.Z4)
	g.cipher(g.vaesenc, reg.Z0)
	g.vaesenclast(reg.Z4, reg.Z0, reg.Z0)
	g.VMOVDQU64(reg.Z0, at(w.dst, 0))
	g.ADDQ(operand.U8(64), w.src)
	g.ADDQ(operand.U8(64), w.dst)
	g.SUBQ(operand.U8(64), w.n)
	g.JZ(ref(l.done))
	g.CMPQ(w.n, operand.U8(64))
	g.JAE(ref(l.one))
	g.JMP(ref(l.tail))
	g.align()
	g.Label(l.wide)
	g.next(state512...)
	for i, z := range source512 {
		g.VPXORQ(at(w.src, 64*i), reg.Z30, z)
	}
	g.cipher(g.vaesenc, state512...)
	for i, s := range state512 {
		g.vaesenclast(source512[i], s, s)
		g.VMOVDQU64(s, at(w.dst, 64*i))
	}
	g.advance(w, 256)
	g.CMPQ(w.n, operand.U32(256))
	g.JAE(ref(l.wide))
	g.TESTQ(w.n, w.n)
	g.JZ(ref(l.done))
	g.CMPQ(w.n, operand.U8(64))
	g.JAE(ref(l.one))
	g.JMP(ref(l.tail))
	g.Label(l.head)
	g.head(w, l.done)
	g.JMP(ref(l.main))
}

// head does the first register of a stream that begins inside a block: the
// register stands before the buffers, and the mask keeps it out of there.
func (g *vaes512) head(w work, done string) {
	g.Comment("The stream begins inside a block.")
	mask, end, whole := g.GP64(), g.GP64(), g.label("whole")
	g.SUBQ(w.skip, w.src)
	g.SUBQ(w.skip, w.dst)
	g.ADDQ(w.skip, w.n)
	g.MOVQ(operand.I32(-1), mask)
	g.MOVQ(mask, end)
	g.SHLXQ(w.skip, mask, mask)
	g.CMPQ(w.n, operand.U8(64)) // BZHI looks at eight bits only
	g.JAE(ref(whole))
	g.BZHIQ(w.n, end, end)
	g.ANDQ(end, mask)
	g.Label(whole)
	g.masked(w, mask, false)
	g.ADDQ(operand.U8(64), w.src)
	g.ADDQ(operand.U8(64), w.dst)
	g.SUBQ(operand.U8(64), w.n)
	g.JBE(ref(done))
}

// masked encrypts the bytes of one register that mask has; the last one needs no
// counters after it.
func (g *vaes512) masked(w work, mask reg.Register, last bool) {
	g.KMOVQ(mask, reg.K1)
	if last {
		g.VPSHUFB(reg.Z31, reg.Z8, reg.Z0)
		g.VPXORQ(reg.Z16, reg.Z0, reg.Z0)
	} else {
		g.next(reg.Z0)
	}
	g.VMOVDQU8_Z(at(w.src, 0), reg.K1, reg.Z4)
	g.VPXORQ(reg.Z30, reg.Z4, reg.Z4)
	g.cipher(g.vaesenc, reg.Z0)
	g.vaesenclast(reg.Z4, reg.Z0, reg.Z0)
	g.VMOVDQU8(reg.Z0, reg.K1, at(w.dst, 0))
}

func (p *program) advance(w work, n int) {
	p.ADDQ(operand.U32(n), w.src)
	p.ADDQ(operand.U32(n), w.dst)
	p.SUBQ(operand.U32(n), w.n)
}

func (g *vaes512) xor() {
	g.function("xorVAES512", "func(keys, dst, src *byte, n int, hi, lo uint64, skip int)",
		"xorVAES512 encrypts one stream of n > 0 bytes; lo does not wrap.")
	keys := g.arg("keys")
	w := work{g.arg("dst"), g.arg("src"), g.arg("n"), g.arg("skip")}
	g.loadKeys(keys, encKeys)
	g.counters()
	second := g.GP32()
	g.MOVL(operand.U32(0xAA), second)
	g.KMOVD(second, reg.K2)
	g.start(g.argMem("hi"), g.argMem("lo"))
	l := g.streamLabels("done")
	g.short(w, l)
	g.Label("done")
	g.VZEROUPPER()
	g.RET()
	g.long(w, l)
}

// records are two walks, one for each key size: one jump less for each register.
func (g *vaes512) records() {
	g.recordFunction("recordsVAES512")
	g.loadKeys(g.arg("keys"), encKeys)
	g.counters()
	g.CMPQ(g.rounds, operand.U8(10))
	g.JNE(ref("aes256"))
	g.fixed = 10
	g.walk(g.walked())
	g.Label("aes256")
	g.fixed = 14
	g.walk(g.walked())
	g.fixed = 0
}

func (g *vaes512) walked() records {
	var l streamLabels
	return records{
		maxSkip: 15,
		each: func(rec reg.Register, w work, next string) {
			l = g.streamLabels(next)
			g.VBROADCASTI32X4(at(rec, recordHi), reg.Z8)
			g.VPADDQ(reg.Z10, reg.Z8, reg.Z8)
			g.short(w, l)
		},
		rest: func(w work, _ string) { g.long(w, l) },
		end:  g.VZEROUPPER,
	}
}

// unit runs round instructions on eight registers.
func (g *vaes512) unit() {
	g.function("unitVAES512", "func(n int)", "unitVAES512 runs n times eight round instructions of four blocks.")
	g.unitLoop(g.vaesenc, reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7)
	g.VZEROUPPER()
	g.RET()
}
