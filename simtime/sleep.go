package simtime

import (
	"runtime"
	"slices"
	"sync"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/sys/unix"
)

// Lateness is how much longer the sleeps of one process took than they should
// have.
type Lateness struct {
	Count     int64
	SumPs     int64
	MaxNs     int64
	Histogram *hdrhistogram.Histogram // ns
}

func (l *Lateness) init() { l.Histogram = newHistogram() }

func (l *Lateness) reset() {
	h := l.Histogram
	if h != nil {
		h.Reset()
	}
	*l = Lateness{Histogram: h}
}

func (l *Lateness) add(o *Lateness) {
	l.Count += o.Count
	l.SumPs += o.SumPs
	l.MaxNs = max(l.MaxNs, o.MaxNs)
	if o.Histogram == nil || o.Count == 0 {
		return
	}
	if l.Histogram == nil {
		l.init()
	}
	l.Histogram.Merge(o.Histogram)
}

func (l *Lateness) record(d Duration) {
	d = max(d, 0)
	l.Count++
	l.SumPs += int64(d)
	l.MaxNs = max(l.MaxNs, d.Nanoseconds())
	_ = l.Histogram.RecordValue(min(d.Nanoseconds(), histogramMaxNs)) // in range
}

// spinBelow is the length of a wait that is not worth a system call.
const spinBelow = 2 * Microsecond

// Sleep blocks for d, and is meant to be good to a few microseconds for a device
// of ten. The thread's timer slack is 1 ns, and what a sleep takes longer than
// asked on this machine, measured once, is taken off the request; the remainder
// is spun away. So a wait costs a core no longer than a sleep costs it anyway: on
// virtual machines the way into and out of a sleep can take tens of microseconds
// of processor time. How late waits end is counted.
func (p *realProc) Sleep(d Duration) {
	if d <= 0 {
		return
	}
	end, overhead := p.Now().Add(d), sleepOverhead()
	for left := d; left > 0; left = end.Sub(p.Now()) {
		if left > max(overhead, spinBelow) {
			nanosleep(left - overhead)
		}
	}
	p.meter.Late.record(p.Now().Sub(end))
}

// SleepOverhead is how much longer than asked a short sleep takes here: waits up
// to that length are spun.
func SleepOverhead() Duration { return sleepOverhead() }

func nanosleep(d Duration) {
	ts := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&ts, nil) // an interruption only makes it shorter
}

// maxOverhead bounds what a busy machine can make sleepOverhead.
const maxOverhead = 50 * Microsecond

// sleepOverhead is how much longer than asked a short sleep takes when nothing
// else wants the core: the tenth percentile of some.
var sleepOverhead = sync.OnceValue(func() Duration {
	const asked, samples = 5 * Microsecond, 30
	took := make([]Duration, samples)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer fineTimers()()
	s := newSource()
	for i := range took {
		from := s.now()
		nanosleep(asked)
		took[i] = s.now().Sub(from) - asked
	}
	slices.Sort(took)
	return min(max(took[samples/10], 0), maxOverhead)
})
