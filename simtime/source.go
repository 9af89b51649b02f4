package simtime

import (
	"math/bits"
	"runtime"
	"sync"
	"time"
)

// source is a monotonic clock: the processor's time-stamp counter where it is
// invariant, which costs about a third of what the runtime's clock costs, else
// the runtime's. Lock holds are a few hundred nanoseconds and every one of them
// takes two readings.
type source struct {
	epoch time.Time
	ticks uint64 // counter at the epoch
	scale uint64 // picoseconds a tick, times 2^32; 0: use the runtime's clock
	// virtual is the process whose clock this is on a virtual clock, where scale is 0.
	virtual *virtualProc
}

// calibration is the stretch of time over which the counter's rate is measured
// against the runtime's clock: a reading's error of some 50 ns in it is 2 ppm.
const calibration = 25 * time.Millisecond

// tickScale measures the counter's rate once a process.
var tickScale = sync.OnceValue(func() uint64 {
	if !ticksInvariant() {
		return 0
	}
	start, ticks := pairedReading()
	for time.Since(start) < calibration {
		runtime.Gosched()
	}
	end, ticksEnd := pairedReading()
	elapsedPs := uint64(end.Sub(start).Nanoseconds()) * 1000
	n := ticksEnd - ticks
	if n == 0 || elapsedPs>>32 >= n {
		return 0 // a counter slower than 1/4 ns a tick is none
	}
	scale, _ := bits.Div64(elapsedPs>>32, elapsedPs<<32, n)
	return scale
})

// pairedReading reads both clocks at the same moment, as nearly as can be: of
// several tries the one that took the shortest.
func pairedReading() (now time.Time, ticks uint64) {
	best := ^uint64(0)
	for range 16 {
		before := readTicks()
		t := time.Now()
		after := readTicks()
		if after-before < best {
			best, now, ticks = after-before, t, before+(after-before)/2
		}
	}
	return now, ticks
}

func newSource() source {
	s := source{scale: tickScale()}
	s.epoch, s.ticks = pairedReading()
	return s
}

// now is the time since the epoch.
func (s *source) now() Time {
	if s.virtual != nil {
		return s.virtual.Now()
	}
	if s.scale == 0 {
		return Time(time.Since(s.epoch).Nanoseconds()) * Time(Nanosecond)
	}
	ticks := max(readTicks(), s.ticks) // another core's counter may be a few ticks behind
	hi, lo := bits.Mul64(ticks-s.ticks, s.scale)
	return Time(hi<<32 | lo>>32)
}

// name of the source, for what describes the machine.
func (s *source) name() string {
	if s.scale == 0 {
		return "runtime"
	}
	return "tsc"
}
