package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// recordLoop is the function that walks over records: begin comes once, each
// encrypts one record and jumps to its label done, end comes last. The checks of
// a record use ports that the AES units leave free. Whatever is out of the
// ordinary ends the walk, and the caller does that record by the single call: an
// empty record, one that breaks a rule (and panics there), one whose counter
// carries into its high half, one too long for what is left of maxCall, one that
// begins more than maxSkip bytes into a block.
func (p *program) recordLoop(name string, maxSkip uint8, begin func(keys reg.Register), each func(rec reg.Register, w work, done string), end func()) {
	p.function(name, "func(keys, recs *byte, count, stride int) (done int)",
		name+" encrypts records until one is out of the ordinary, each stride bytes behind\n"+
			"the last, and returns how many it did.")
	rec, count, stride := p.arg("recs"), p.arg("count"), p.arg("stride")
	begin(p.arg("keys"))
	budget := p.GP64()
	p.MOVQ(operand.U32(maxCall), budget)
	left := p.GP64()
	p.MOVQ(count, left)
	p.Label("record")
	w := p.checked(rec, budget, maxSkip, "stop")
	each(rec, w, "next")
	p.Label("next")
	p.ADDQ(stride, rec)
	p.DECQ(left)
	p.JNZ(ref("record"))
	p.Label("stop")
	p.SUBQ(left, count)
	p.Store(count, p.Return("done"))
	end()
	p.RET()
}

// checked loads a record and jumps to stop if it is out of the ordinary.
func (p *program) checked(rec, budget reg.Register, maxSkip uint8, stop string) work {
	w := work{p.GP64(), p.GP64(), p.GP64(), p.GP64()}
	p.MOVQ(at(rec, recordSrcLen), w.n)
	p.MOVQ(at(rec, recordDst), w.dst)
	p.MOVQ(at(rec, recordSrc), w.src)
	p.MOVQ(at(rec, recordSkip), w.skip)
	p.SUBQ(w.n, budget)
	p.JB(ref(stop))
	p.CMPQ(at(rec, recordDstLen), w.n)
	p.JB(ref(stop))
	p.CMPQ(w.skip, operand.U8(maxSkip))
	p.JA(ref(stop))
	p.TESTQ(w.n, w.n)
	p.JZ(ref(stop))
	p.Comment("Overlap without being the same: 0 < |dst - src| < n.")
	d, t, twice, apart := p.GP64(), p.GP64(), p.GP64(), p.label("apart")
	p.MOVQ(w.dst, d)
	p.SUBQ(w.src, d)
	p.LEAQ(operand.Mem{Base: d, Index: w.n, Scale: 1, Disp: -1}, t)
	p.LEAQ(operand.Mem{Base: w.n, Index: w.n, Scale: 1, Disp: -1}, twice)
	p.CMPQ(t, twice)
	p.JAE(ref(apart))
	p.TESTQ(d, d)
	p.JNZ(ref(stop))
	p.Label(apart)
	p.Comment("A carry into the high half of the counter may be near.")
	p.CMPQ(at(rec, recordLo), operand.I32(-maxCall/16-16))
	p.JA(ref(stop))
	return w
}

// unitLoop runs the round instruction enc n times over each register, in which
// nothing depends on another register.
func (p *program) unitLoop(enc round, states ...reg.Register) {
	n := p.arg("n")
	p.Label("loop")
	for _, s := range states {
		enc(s, s, s)
	}
	p.DECQ(n)
	p.JNZ(ref("loop"))
}
