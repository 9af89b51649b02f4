package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow is what the kernels share that have too few registers for the round
// keys: those come from memory, each once for all blocks that are on their way.
type narrow struct {
	*program
	keys, rounds reg.Register
	k            reg.Register                 // a round key
	load         func(key, to operand.Op)     // of a key, into every place of k
	xorInto      func(with, state operand.Op) // state ^= with
	v            vector
	slideM       operand.Mem
	end          func() // what comes before RET
}

// round2 is a round instruction in two-operand form: state = round(state, key).
type round2 func(key, state operand.Op)

// begin takes the argument that all functions have.
func (g *narrow) begin(keys reg.Register) {
	g.keys, g.rounds = keys, g.GP64()
	g.MOVQ(at(keys, roundCount), g.rounds)
}

// key loads round key i of the schedule at offset from.
func (g *narrow) key(from, i int) { g.load(at(g.keys, from+16*i), g.k) }

// lastKey loads the last round key, which both key sizes have elsewhere.
func (g *narrow) lastKey(from int) {
	t := g.GP64()
	g.MOVQ(g.rounds, t)
	g.SHLQ(operand.U8(4), t)
	g.load(operand.Mem{Base: g.keys, Index: t, Scale: 1, Disp: from}, g.k)
}

// whiten XORs the first round key into the states.
func (g *narrow) whiten(from int, states ...reg.Register) {
	g.key(from, 0)
	for _, s := range states {
		g.xorInto(g.k, s)
	}
}

// cipher runs all rounds but the last, and loads the last round key.
func (g *narrow) cipher(enc round2, from int, states ...reg.Register) {
	short := g.label("rounds")
	for i := 1; i < 14; i++ {
		if i == 10 {
			g.CMPQ(g.rounds, operand.U8(10))
			g.JE(ref(short))
		}
		g.key(from, i)
		for _, s := range states {
			enc(g.k, s)
		}
	}
	g.Label(short)
	g.lastKey(from)
}

// turn is a loop that does a register's worth of bytes in each of some states.
type turn struct {
	states []reg.Register // whole
	parts  []reg.Register // what of them is loaded and stored
	size   int            // bytes of a part
}

// ecb is the function that puts each block through the cipher on its own, in
// turns from the widest to a single block.
func (g *narrow) ecb(name string, from int, enc, last round2, turns ...turn) {
	g.function(name, blocksSignature, name+" puts whole blocks through the cipher, each on its own.")
	g.begin(g.arg("keys"))
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("blocks")}
	g.SHLQ(operand.U8(4), w.n)
	for _, t := range turns {
		loop, behind := g.label("loop"), g.label("end")
		bytes := operand.U32(uint32(t.size * len(t.parts)))
		g.CMPQ(w.n, bytes)
		g.JB(ref(behind))
		g.Label(loop)
		for i, part := range t.parts {
			g.v.load(at(w.src, t.size*i), part)
		}
		g.whiten(from, t.states...)
		g.cipher(enc, from, t.states...)
		for i, s := range t.states {
			last(g.k, s)
			g.v.store(t.parts[i], at(w.dst, t.size*i))
		}
		g.advance(w, t.size*len(t.parts))
		g.CMPQ(w.n, bytes)
		g.JAE(ref(loop))
		g.Label(behind)
	}
	g.end()
	g.RET()
}

// streamKernel is what differs between the kernels' functions for streams.
type streamKernel struct {
	constants func()
	start     func(hi, lo operand.Op)   // the counters of a call
	load      func(rec reg.Register)    // those of a record
	stream    func(w work, done string) // encrypts, and jumps to done
}

// xor is the function for one stream.
func (g *narrow) xor(name string, k streamKernel) {
	g.function(name, "func(keys, dst, src *byte, n int, hi, lo uint64)",
		name+" encrypts one stream of n > 0 bytes from the start of a block; lo does not wrap.")
	g.begin(g.arg("keys"))
	w := work{dst: g.arg("dst"), src: g.arg("src"), n: g.arg("n")}
	k.constants()
	k.start(g.argMem("hi"), g.argMem("lo"))
	k.stream(w, "done")
	g.Label("done")
	g.end()
	g.RET()
}

// records is the function for many records.
func (g *narrow) records(name string, k streamKernel) {
	g.recordFunction(name)
	g.begin(g.arg("keys"))
	k.constants()
	g.walk(records{
		maxSkip: 0,
		each: func(rec reg.Register, w work, next string) {
			k.load(rec)
			k.stream(w, next)
		},
		rest: func(work, string) {},
		end:  g.end,
	})
}
