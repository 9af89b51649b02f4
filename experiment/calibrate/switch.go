package calibrate

import (
	"runtime"

	"github.com/walbench/walbench/simtime"
)

const (
	switchesPerSample = 64
	switchWarmUp      = 8
)

// addSwitch adds a core's change from one process to the next.
func (b *bench) addSwitch() {
	b.add("switch", switchesPerSample, func(count int) (simtime.Duration, error) { return b.switches(count), nil })
}

// switches has two processes take turns, count times in all, while Go's scheduler may use
// one core: each wakes the other and then waits for it, so that the core goes from one
// to the other. On which of the machine's cores that is, is the operating system's
// business, as in a log.
func (b *bench) switches(count int) (took simtime.Duration) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	trips := (count + 1) / 2
	t := newTurns()
	other := b.p.Spawn("other", func(p simtime.Proc) {
		for range switchWarmUp + trips {
			t.await(p)
		}
	})
	var start simtime.Time
	for i := range switchWarmUp + trips {
		if i == switchWarmUp {
			start = b.p.Now()
		}
		t.pass(b.p)
	}
	took = b.p.Now().Sub(start) * simtime.Duration(count) / simtime.Duration(2*trips)
	other.Join(b.p)
	return took
}

// turns says which of two processes it is to go on.
type turns struct {
	mu      *simtime.Mutex // guards what follows
	changed *simtime.Cond
	others  bool
}

func newTurns() *turns {
	mu := simtime.NewMutex(simtime.LockOther)
	return &turns{mu: mu, changed: simtime.NewCond(mu)}
}

// pass gives the turn to the other one and waits for it to come back.
func (t *turns) pass(p simtime.Proc) {
	t.give(p)
	p.Lock(t.mu)
	defer p.Unlock(t.mu)
	for t.others {
		p.Wait(t.changed)
	}
}

// give gives the turn to the other one.
func (t *turns) give(p simtime.Proc) {
	p.Lock(t.mu)
	defer p.Unlock(t.mu)
	t.others = true
	p.Signal(t.changed)
}

// await waits for the turn and gives it back.
func (t *turns) await(p simtime.Proc) {
	p.Lock(t.mu)
	defer p.Unlock(t.mu)
	for !t.others {
		p.Wait(t.changed)
	}
	t.others = false
	p.Signal(t.changed)
}
