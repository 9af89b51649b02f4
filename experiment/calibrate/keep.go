package calibrate

import (
	"runtime"

	"github.com/walbench/walbench/simtime"
)

// sleepToKeep is longer than Go's runtime lets a system call keep a core, mostly.
const sleepToKeep = 30 * simtime.Millisecond

// addKeep adds for how long a process that sleeps keeps its core.
func (b *bench) addKeep() {
	b.add("keep", 1, func(int) (simtime.Duration, error) { return b.keeps(), nil })
	b.named["keep"].every = 2 * seldom
}

// keeps has another process ready to run, under a scheduler of one core, when this one
// goes to sleep, and says how long it is until it runs. It is no longer than the sleep.
func (b *bench) keeps() simtime.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	t := newTurns()
	var ran simtime.Time
	other := b.p.Spawn("other", func(p simtime.Proc) {
		t.await(p) // once to have its thread
		t.await(p)
		ran = p.Now()
	})
	t.pass(b.p)
	t.give(b.p)
	start := b.p.Now()
	b.p.Sleep(sleepToKeep)
	other.Join(b.p)
	return max(0, ran.Sub(start))
}
