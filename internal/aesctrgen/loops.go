package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// records is a walk over records: each encrypts one, and falls through to the
// next at its end, rest is what it has out of the way. The checks of a record use
// ports that the AES units leave free. Whatever is out of the ordinary ends the
// walk, and the caller does that record by the single call: an empty record, one
// that breaks a rule (and panics there), one whose counter carries into its high
// half, one too long for what is left of maxCall, one that begins more than
// maxSkip bytes into a block.
type records struct {
	maxSkip uint8
	each    func(rec reg.Register, w work, next string)
	rest    func(w work, next string)
	end     func()
}

// recordFunction begins the function of a walk.
func (p *program) recordFunction(name string) {
	p.function(name, "func(keys, recs *byte, count, stride int) (done int)",
		name+" encrypts records until one is out of the ordinary, each stride bytes behind\n"+
			"the last, and returns how many it did.")
}

// walk does the records of the function's arguments, and returns.
func (p *program) walk(r records) {
	rec, left, budget := p.arg("recs"), p.arg("count"), p.GP64()
	turn, next, stop := p.label("record"), p.label("next"), p.label("stop")
	p.MOVQ(operand.U32(maxCall), budget)
	p.align()
	p.Label(turn)
	w := p.checked(rec, budget, r.maxSkip, stop)
	r.each(rec, w, next)
	p.Label(next)
	p.ADDQ(p.argMem("stride"), rec)
	p.DECQ(left)
	p.JNZ(ref(turn))
	p.Label(stop)
	done := p.arg("count")
	p.SUBQ(left, done)
	p.Store(done, p.Return("done"))
	r.end()
	p.RET()
	r.rest(w, next)
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
	p.Comment("Overlap without being the same: 0 < dst - src < n or 0 < src - dst < n.")
	d, less, t := p.GP64(), p.GP64(), p.GP64()
	p.LEAQ(at(w.n, -1), less)
	p.MOVQ(w.dst, d)
	p.SUBQ(w.src, d)
	p.LEAQ(at(d, -1), t)
	p.CMPQ(t, less)
	p.JB(ref(stop))
	p.NOTQ(d)
	p.CMPQ(d, less)
	p.JB(ref(stop))
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
