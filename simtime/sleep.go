package simtime

import (
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

// Limits of Sleep's pacing: a remainder below spinBelow is spun away, since a
// system call would take longer; wakeLimit bounds what is taken off a request
// for the time a wake-up takes.
const (
	spinBelow = 2 * Microsecond
	wakeLimit = 100 * Microsecond
)

// Sleep blocks without using a core, and is meant to be good to a few
// microseconds for a device of ten: the thread's timer slack is 1 ns, and the
// time that a wake-up has lately taken is taken off the request. Sleeps that end
// early are topped up; how late they end is counted.
func (p *realProc) Sleep(d Duration) {
	if d <= 0 {
		return
	}
	end := p.Now().Add(d)
	for left := d; left > 0; left = end.Sub(p.Now()) {
		if left < spinBelow || left <= p.wake {
			continue // spins on the clock
		}
		p.nanosleep(left)
	}
	p.meter.Late.record(p.Now().Sub(end))
}

// nanosleep sleeps for d less the time a wake-up takes, which it learns.
func (p *realProc) nanosleep(d Duration) {
	ask := d - p.wake
	from := p.Now()
	ts := unix.NsecToTimespec(ask.Nanoseconds())
	_ = unix.Nanosleep(&ts, nil) // an interruption only makes it shorter
	late := min(max(p.Now().Sub(from)-ask, 0), wakeLimit)
	// Learns slowly, and down faster than up: a thread that waited for a core
	// says nothing about timers, and waking too early costs a short spin only.
	if late < p.wake {
		p.wake -= (p.wake - late) / 4
	} else {
		p.wake += (late - p.wake) / 32
	}
}
