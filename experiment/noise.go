package experiment

import (
	"runtime"

	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// What the noise probe does: for probeTime a thread does nothing but read the
// clock, and of two readings further apart than gapLimit it was not running in
// between. An interrupt takes a microsecond or two; losing the core takes more.
// What the turn before leaves behind (memory given back, threads parked)
// disturbs for some ten milliseconds, so that a bad reading is tried again; what
// somebody else does goes on.
const (
	probeTime  = 20 * simtime.Millisecond
	probeTries = 5
	gapLimit   = 5 * simtime.Microsecond
)

// noiseProbe finds out how much of the machine something else takes around one
// turn: gaps in a spinning thread right before it, when nothing of ours runs,
// and the hypervisor's steal time during it. A zero probe is ready for use, any
// number of times: begin, the turn, end.
type noiseProbe struct {
	gaps  float64
	ticks *hostinfo.CPUTicks
}

// begin is called right before a turn. The garbage of the turn before is
// collected first, so that neither probe nor turn pays for it.
func (n *noiseProbe) begin() {
	runtime.GC()
	simtime.NewReal().Run("noise probe", func(p simtime.Proc) {
		n.gaps = quietest(func() float64 { return gapShare(p.Now, probeTime) })
	})
	n.ticks = hostinfo.ReadCPUTicks()
}

// GapShare is the share of a spinning thread's time, now, in which something else
// had its core: of a few tries of 20 ms the quietest.
func GapShare() float64 {
	var n noiseProbe
	n.begin()
	return n.gaps
}

// end is called right after it.
func (n *noiseProbe) end() *results.Noise {
	gaps := n.gaps
	return &results.Noise{GapShare: &gaps, StealShare: hostinfo.ReadCPUTicks().StealSince(n.ticks)}
}

// quietest is the first reading that is no sign of a busy machine, or the best
// of all tries.
func quietest(read func() float64) float64 {
	best := read()
	for try := 1; try < probeTries && best > results.BusyShare; try++ {
		best = min(best, read())
	}
	return best
}

// gapShare reads now for the time span and returns the share of it that passed
// in gaps.
func gapShare(now func() simtime.Time, span simtime.Duration) float64 {
	start := now()
	last, lost := start, simtime.Duration(0)
	for last.Sub(start) < span {
		t := now()
		if d := t.Sub(last); d > gapLimit {
			lost += d
		}
		last = t
	}
	return float64(lost) / float64(last.Sub(start))
}
