package loadgen

import (
	"sync/atomic"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Gate is what the updaters of one repetition share: the barrier between
// warm-up and measured window, the request to stop, and the pauses in which a
// log that keeps only so much is read back and recycled.
//
// stop and limit are atomic so that an updater can look at them between two
// transactions without a lock. Nobody waits for either to change, so a virtual
// clock cannot hang on them.
type Gate struct {
	stop  atomic.Bool
	limit atomic.Uint64 // LSN at which to pause

	mu      *simtime.Mutex // guards what follows
	changed *simtime.Cond
	running int // updaters that have not left
	barrier turnstile
	pause   turnstile
	planned turnstile // of a planned checkpoint
	redo    pgformat.LSN
	then    func() // what the last updater to reach the barrier does
	move    func() // and the last one to reach the checkpoint
	pauses  []Pause
	err     error

	// Maintain is what the last updater to arrive does in a pause, while the
	// others wait. It returns the LSN at which to pause next.
	Maintain func(p simtime.Proc) (next pgformat.LSN, err error)
}

// turnstile counts the updaters that wait at one place, and how often they were
// let through.
type turnstile struct{ waiting, passed int }

// Pause is a stretch of time in which no updater worked.
type Pause struct{ From, To simtime.Time }

// NewGate returns a gate for a number of updaters that never pauses, until a
// limit is set.
func NewGate(updaters int) *Gate {
	g := &Gate{mu: simtime.NewMutex(simtime.LockOther), running: updaters}
	g.changed = simtime.NewCond(g.mu)
	g.limit.Store(^uint64(0))
	return g
}

// Stop makes every updater leave at the end of its transaction. It may be
// called from anywhere, a signal handler included.
func (g *Gate) Stop() { g.stop.Store(true) }

// Stopped says whether Stop was called.
func (g *Gate) Stopped() bool { return g.stop.Load() }

// PauseAt makes the updaters pause once the log has reached limit.
func (g *Gate) PauseAt(limit pgformat.LSN) { g.limit.Store(uint64(limit)) }

// Paused is the total length of all pauses that began at or after from. It may
// be called once the updaters have been joined.
func (g *Gate) Paused(from simtime.Time) simtime.Duration {
	var sum simtime.Duration
	for _, p := range g.pauses {
		if p.From >= from {
			sum += p.To.Sub(p.From)
		}
	}
	return sum
}

// Arrive waits until every updater that has not left is here too; the last one
// runs then before all go on.
func (g *Gate) Arrive(p simtime.Proc, then func()) {
	p.Lock(g.mu)
	defer p.Unlock(g.mu)
	g.then = then
	g.wait(p, &g.barrier)
}

// checkpoint is a barrier whose last updater has a checkpoint made, and returns
// the new redo pointer; like a pause it is in no figure. Updaters with different
// numbers of transactions before it must not share a gate. After Stop nobody is
// waited for who has stopped already, and the redo pointer may be the old one.
func (g *Gate) checkpoint(p simtime.Proc, make func(p simtime.Proc) (pgformat.LSN, error)) (pgformat.LSN, error) {
	p.Lock(g.mu)
	defer p.Unlock(g.mu)
	g.move = func() {
		g.during(p, func() (err error) {
			g.redo, err = make(p)
			return err
		})
	}
	g.wait(p, &g.planned)
	return g.redo, g.err
}

// pauseIfDue takes part in a pause once the log has reached the limit.
func (g *Gate) pauseIfDue(p simtime.Proc, end pgformat.LSN) error {
	if uint64(end) < g.limit.Load() {
		return nil
	}
	p.Lock(g.mu)
	defer p.Unlock(g.mu)
	if uint64(end) >= g.limit.Load() { // still so: the pause has not been yet
		g.wait(p, &g.pause)
	}
	return g.err
}

// wait blocks at t until its turn has come. The caller owns g.mu.
func (g *Gate) wait(p simtime.Proc, t *turnstile) {
	t.waiting++
	turn := t.passed
	g.settle(p)
	for turn == t.passed {
		p.Wait(g.changed)
	}
}

// settle lets through whoever has been waited for long enough: a pause is on
// when every running updater waits somewhere, the barrier opens when every
// running updater waits there. The caller owns g.mu.
func (g *Gate) settle(p simtime.Proc) {
	if g.pause.waiting > 0 && g.pause.waiting+g.barrier.waiting+g.planned.waiting == g.running {
		g.maintain(p)
		g.open(p, &g.pause)
	}
	if n := g.planned.waiting; n > 0 && n+g.barrier.waiting == g.running {
		if n == g.running {
			g.move()
		}
		g.open(p, &g.planned)
		return // those let through are on their way to where they are waited for
	}
	if g.running > 0 && g.barrier.waiting == g.running {
		g.then()
		g.open(p, &g.barrier)
	}
}

func (g *Gate) open(p simtime.Proc, t *turnstile) {
	t.waiting = 0
	t.passed++
	p.Broadcast(g.changed)
}

func (g *Gate) maintain(p simtime.Proc) {
	g.during(p, func() error {
		next, err := g.Maintain(p)
		g.limit.Store(uint64(next))
		return err
	})
}

// during does the work of a pause. Its error is every updater's.
func (g *Gate) during(p simtime.Proc, work func() error) {
	from := p.Now()
	if err := work(); err != nil {
		g.err = err
	}
	g.pauses = append(g.pauses, Pause{From: from, To: p.Now()})
}

// Leave takes an updater out of the count; those who waited for it go on.
func (g *Gate) Leave(p simtime.Proc) {
	p.Lock(g.mu)
	defer p.Unlock(g.mu)
	g.running--
	g.settle(p)
}
