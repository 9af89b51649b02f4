package calibrate

import (
	"fmt"
	"sync/atomic"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Memory that is copied to find out what all cores get of it together: more than
// last-level caches have, shared out among the cores.
const (
	streamBytes    = 256 << 20
	copiesOfSample = 64 // by each core: half a megabyte
)

// hopsPerSample is how often a cache line goes to the other core in a sample, and
// hopsWarmUp how often before.
const (
	hopsPerSample = 200
	hopsWarmUp    = 8
)

// addShared adds what depends on other cores: copies of one core alone and of all
// at once, out of reach of the caches, and the way of a cache line from one core to
// another. It needs two cores.
func (b *bench) addShared(cores int) {
	if cores < 2 {
		return
	}
	parts := make([]stream, cores)
	for i := range parts {
		parts[i] = newStream(streamBytes / 2 / cores)
	}
	b.add("memory one", copiesOfSample, func(count int) (simtime.Duration, error) { return b.together(parts[:1], count), nil })
	b.add("memory all", copiesOfSample, func(count int) (simtime.Duration, error) { return b.together(parts, count), nil })
	b.add("line", hopsPerSample, func(count int) (simtime.Duration, error) { return b.hops(count), nil })
}

// stream is one core's part of the memory.
type stream struct {
	from, to []byte
	at       int
}

func newStream(n int) stream {
	n = max(n/pgformat.PageSize, 1) * pgformat.PageSize
	s := stream{from: make([]byte, n), to: make([]byte, n)}
	for i := 0; i < n; i += 1024 {
		s.from[i], s.to[i] = 1, 1 // touched: the first access to a page is slow
	}
	return s
}

// copyPages copies the next pages, in pieces such as a log has.
func (s *stream) copyPages(count int) {
	for range count {
		copy(s.to[s.at:][:largeBytes], s.from[s.at:][:largeBytes])
		if s.at += pgformat.PageSize; s.at == len(s.from) {
			s.at = 0
		}
	}
}

// together has every part copied on a core of its own, all at once, and returns how
// long it was from the first one's begin to the last one's end.
func (b *bench) together(parts []stream, count int) simtime.Duration {
	starts, ends := make([]simtime.Time, len(parts)), make([]simtime.Time, len(parts))
	var ready atomic.Int32
	work := func(p simtime.Proc, i int) {
		defer pin(i)()
		for ready.Add(1); int(ready.Load()) < len(parts); {
		}
		starts[i] = p.Now()
		parts[i].copyPages(count)
		ends[i] = p.Now()
	}
	var others []simtime.Handle
	for i := 1; i < len(parts); i++ {
		others = append(others, b.p.Spawn("copies", func(p simtime.Proc) { work(p, i) }))
	}
	work(b.p, 0)
	for _, h := range others {
		h.Join(b.p)
	}
	first, last := starts[0], ends[0]
	for i := range parts {
		first, last = min(first, starts[i]), max(last, ends[i])
	}
	return last.Sub(first)
}

// hops has a word changed by two threads on two cores in turn, each as a mutex is
// taken, so that its cache line goes to and fro, count times in all.
func (b *bench) hops(count int) simtime.Duration {
	var word struct {
		_     [128]byte
		value atomic.Int32
		_     [128]byte
	}
	trips := (count + 1) / 2
	other := b.p.Spawn("other", func(simtime.Proc) {
		defer pin(1)()
		for range hopsWarmUp + trips {
			for !word.value.CompareAndSwap(1, 0) {
			}
		}
	})
	defer pin(0)()
	var start simtime.Time
	for i := range hopsWarmUp + trips {
		if i == hopsWarmUp {
			start = b.p.Now()
		}
		for !word.value.CompareAndSwap(0, 1) {
		}
	}
	for word.value.Load() != 0 { // the last change is the other's
	}
	took := b.p.Now().Sub(start)
	other.Join(b.p)
	return took * simtime.Duration(count) / simtime.Duration(2*trips)
}

// apart is the part of the cores' number, in tenths, from which on together they
// are as fast as they would be alone: then they do not use the memory up, and where
// its end is remains unknown.
const apart = 8

// addShared adds what cores that are busy at once wait for.
func (n *numbers) addShared(cores int) {
	if cores < 2 {
		n.assume("memory_byte_fs", "one core alone cannot tell")
		n.assume("lock_line_transfer_ps", "one core alone cannot tell")
		return
	}
	line := n.bench.read("line")
	n.set("lock_line_transfer_ps", line.best, simtime.Measured, fmt.Sprintf("%s that change a word in turn: best of %d rounds (median %s)",
		pinnedApart, n.rounds, nanoseconds(line.median)))
	v := memoryReading{cores: int64(cores), one: n.bench.read("memory one").best, all: n.bench.read("memory all").best}
	if v.usedUp() {
		n.set("memory_byte_fs", v.byteFs(), simtime.Measured, fmt.Sprintf("%s: best of %d rounds", v.text(), n.rounds))
		return
	}
	n.assume("memory_byte_fs", v.text()+", which does not use the memory up")
}

// memoryReading is what a piece of every core's copies takes when one copies, and
// when all do, in picoseconds.
type memoryReading struct{ cores, one, all int64 }

// usedUp says whether cores have less together than alone.
func (v memoryReading) usedUp() bool { return 10*v.one < apart*v.all }

// byteFs is how long a byte that is read or written takes when all cores copy.
func (v memoryReading) byteFs() int64 { return v.all * fsPerPs / (2 * largeBytes * v.cores) }

func (v memoryReading) text() string {
	one := memoryReading{cores: 1, all: v.one}
	return fmt.Sprintf("%d cores that copy at once read and write a byte in %d fs, one alone in %d fs", v.cores, v.byteFs(), one.byteFs())
}
