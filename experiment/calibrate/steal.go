package calibrate

import (
	"runtime"
	"sync/atomic"

	"github.com/walbench/walbench/simtime"
)

// busyAfter is how long a process has been ready, and both cores busy, before one of them
// becomes free.
const busyAfter = 20 * simtime.Microsecond

// addSteal adds how long a core that has become free takes to find a process that another
// one has made ready. It needs two cores.
func (b *bench) addSteal(cores int) {
	if cores < 2 {
		return
	}
	b.add("steal", wakesPerSample, func(count int) (simtime.Duration, error) { return b.steals(count), nil })
}

// addSteal is what the operating system and Go's scheduler make of it, so the median.
func (n *numbers) addSteal(cores int) {
	if cores < 2 {
		n.set("steal_ps", 0, simtime.Measured, "there is one core")
		return
	}
	n.addMedian("steal_ps", "steal", "a process made ready 20 us before, by a core that stays busy")
}

// steals has a process become ready on a busy core while another is busy too, and then
// that other one become free: it returns how long it is from there until the process
// runs. The first core stays busy until then. It needs two cores.
func (b *bench) steals(count int) (took simtime.Duration) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	sleeper := newTurns()
	other := newTurns()
	var busy, free, ran atomic.Bool
	var from, to atomic.Int64 // simtime.Time
	var left atomic.Int64     // how often the other one has become free
	h := b.p.Spawn("sleeper", func(p simtime.Proc) {
		for range count {
			sleeper.await(p)
			to.Store(int64(p.Now()))
			ran.Store(true)
		}
	})
	g := b.p.Spawn("other", func(p simtime.Proc) {
		for range count {
			other.await(p)
			for busy.Store(true); !free.Load(); {
			}
			from.Store(int64(p.Now()))
			left.Add(1)
		}
	})
	for i := range count {
		for since := b.p.Now(); b.p.Now().Sub(since) < asleepAfter; {
		}
		busy.Store(false)
		free.Store(false)
		ran.Store(false)
		other.give(b.p)
		for !busy.Load() {
		}
		sleeper.give(b.p)
		for since := b.p.Now(); b.p.Now().Sub(since) < busyAfter; {
		}
		// The sleeper may have run without the other's core, which must not miss that it
		// was to become free.
		for free.Store(true); !ran.Load() || left.Load() <= int64(i); {
		}
		took += max(0, simtime.Duration(to.Load()-from.Load()))
	}
	h.Join(b.p)
	g.Join(b.p)
	return took
}
