package experiment

import (
	"sync"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// Each cost of the instrument is the best of costTries batches: what disturbs a
// batch makes it longer, never shorter.
const (
	costTries = 20
	costBatch = 500
)

// instrument is what times of the lock are taken with, measured once a process
// in a few milliseconds. It is safe for concurrent use.
var instrument = sync.OnceValue(func() (i *results.Instrument) {
	simtime.NewReal().Run("instrument", func(p simtime.Proc) { i = measureInstrument(p) })
	return i
})

func measureInstrument(p simtime.Proc) *results.Instrument {
	i := &results.Instrument{
		Clock: simtime.RealSource(), SampledEvery: simtime.SampleEvery,
		ClockReadNs:    costNs(p, func() { p.Now() }),
		CPUClockReadNs: costNs(p, func() { p.CPU() }),
	}
	// Recording is what an acquisition of the lock that is measured takes longer
	// than one of a lock that is not, but for the readings of clocks: it is done
	// when the lock has been given up, and is in no hold.
	readings := 2 * (i.ClockReadNs + i.CPUClockReadNs/simtime.SampleEvery)
	measured, plain := lockNs(p, simtime.LockSerial), lockNs(p, simtime.LockOther)
	i.BookkeepingNs = max(measured-plain-readings, 0)
	return i
}

// lockNs is the cost of taking a free lock and giving it up.
func lockNs(p simtime.Proc, class simtime.LockClass) float64 {
	m := simtime.NewMutex(class)
	return costNs(p, func() {
		p.Lock(m)
		p.Unlock(m)
	})
}

// costNs is what one call of f takes, in nanoseconds.
func costNs(p simtime.Proc, f func()) float64 {
	var best simtime.Duration
	for try := range costTries {
		start := p.Now()
		for range costBatch {
			f()
		}
		if d := p.Now().Sub(start); try == 0 || d < best {
			best = d
		}
	}
	return float64(best) / float64(costBatch*simtime.Nanosecond)
}
