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
const (
	probeTime = 20 * simtime.Millisecond
	gapLimit  = 5 * simtime.Microsecond
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
	simtime.NewReal().Run("noise probe", func(p simtime.Proc) { n.gaps = gapShare(p.Now, probeTime) })
	n.ticks = hostinfo.ReadCPUTicks()
}

// end is called right after it.
func (n *noiseProbe) end() *results.Noise {
	gaps := n.gaps
	return &results.Noise{GapShare: &gaps, StealShare: hostinfo.ReadCPUTicks().StealSince(n.ticks)}
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
