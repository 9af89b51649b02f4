package calibrate

import (
	"runtime"
	"slices"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// What a call that allocates leaves to be collected is in no best round: it is paid by
// others, later. So those calls are timed once more over stretches in which so much is
// allocated that memory of the size of a log's buffers is collected a few times.
const (
	stretchBytes   = 96 << 20
	allocStretches = 5
	allocPilot     = 1000 // calls that tell how much one allocates
	// stretchTime ends a stretch early, where calls take far longer than they should.
	stretchTime = 200 * simtime.Millisecond
)

// allocation is what calls of a suite, each with a context of its own, take in the mean,
// collecting included, in picoseconds.
type allocation struct {
	meanPs, bytes int64 // bytes: that a call allocates
}

// allocations finds them for all suites. It has to come before the bench has much memory
// of its own, which would have it collected more seldom than a log's.
func (b *bench) allocations(stretches int, stop <-chan struct{}) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // collecting is on the core of who allocates
	b.allocated = map[string]allocation{}
	recs := b.records(cipherSmall, smallRecords)
	for _, s := range strategies.Suites() {
		if experiment.Stopped(stop) {
			return experiment.ErrInterrupted
		}
		b.allocated[s.Name] = b.allocation(s, recs, stretches)
	}
	return nil
}

func (b *bench) allocation(s *strategies.Suite, recs []aesctr.Record, stretches int) (a allocation) {
	key := b.warm[:s.KeySize]
	calls := func(n int64) {
		for i := range n {
			r := &recs[i%int64(len(recs))]
			s.EncryptOnce(key, r.Dst, r.Src, r.From)
		}
	}
	before := allocatedBytes()
	each := max(1, int64(b.processorTime(func() { calls(allocPilot) }))/allocPilot)
	if a.bytes = (allocatedBytes() - before) / allocPilot; a.bytes == 0 {
		return a
	}
	n := max(allocPilot, min(stretchBytes/a.bytes, int64(stretchTime)/each))
	means := make([]int64, stretches)
	for i := range means {
		means[i] = int64(b.processorTime(func() { calls(n) })) / n
	}
	slices.Sort(means)
	a.meanPs = means[len(means)/2]
	return a
}

// processorTime is what this program uses while f runs, or, where that is not known, how
// long it runs.
func (b *bench) processorTime(f func()) simtime.Duration {
	before, start := hostinfo.ReadUsage(), b.p.Now()
	f()
	took := b.p.Now().Sub(start)
	if after := hostinfo.ReadUsage(); before != nil && after != nil {
		took = simtime.Duration((after.Own - before.Own).Nanoseconds()) * simtime.Nanosecond
	}
	return took
}

func allocatedBytes() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc)
}
