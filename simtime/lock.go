package simtime

import "github.com/HdrHistogram/hdrhistogram-go"

// LockClass says under which heading a mutex's waits and holds are counted.
type LockClass uint8

// The lock classes. Serial is the serialising lock that designs are compared
// by: the single lock, or PostgreSQL's write lock. Insert, Position and Mapping
// are PostgreSQL's other locks of the log. Other locks (a helper's queue, a
// barrier) are not counted.
const (
	LockOther LockClass = iota
	LockSerial
	LockInsert
	LockPosition
	LockMapping
	NumLockClasses
)

// Histogram limits: 1 ns to one hour at two digits. Longer values are counted
// as one hour and in LockStats.Clipped.
const (
	histogramMaxNs  = 3600 * 1e9
	histogramDigits = 2
)

// LockStats is what one process saw of the mutexes of one class.
type LockStats struct {
	Acquisitions int64
	// WaitsOnly are waits that did not end with the lock: LockOrWait's that
	// somebody else's hold has answered, AwaitProgress's.
	WaitsOnly int64
	WaitPs    int64 // sum over acquisitions and waits only; exact
	HoldPs    int64
	HoldMaxNs int64
	WaitMaxNs int64
	// IdlePs is for how long the lock had been free when this process got it,
	// while it or others waited: what handing it over takes. On a virtual clock
	// only.
	IdlePs     int64
	Clipped    int64 // values beyond the histograms' range
	Hold, Wait *hdrhistogram.Histogram
	// borrowed histograms are another process's, who adds them up for both.
	borrowed bool
}

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, histogramMaxNs, histogramDigits)
}

func (s *LockStats) init() {
	s.Hold, s.Wait = newHistogram(), newHistogram()
}

// waited records the wait of one acquisition.
func (s *LockStats) waited(d Duration) {
	s.Acquisitions++
	s.wait(d)
}

// waitedOnly records a wait that did not end with the lock.
func (s *LockStats) waitedOnly(d Duration) {
	s.WaitsOnly++
	s.wait(d)
}

func (s *LockStats) wait(d Duration) {
	s.WaitPs += int64(d)
	s.WaitMaxNs = max(s.WaitMaxNs, s.record(&s.Wait, d))
}

// held records one hold.
func (s *LockStats) held(d Duration) {
	s.HoldPs += int64(d)
	s.HoldMaxNs = max(s.HoldMaxNs, s.record(&s.Hold, d))
}

// record makes the histogram if this is the first time of its class: most
// processes take locks of few classes.
func (s *LockStats) record(h **hdrhistogram.Histogram, d Duration) (ns int64) {
	if *h == nil {
		s.init()
	}
	ns = max(d.Nanoseconds(), 0)
	if (*h).RecordValue(min(ns, histogramMaxNs)) != nil || ns > histogramMaxNs {
		s.Clipped++
	}
	return ns
}

func (s *LockStats) reset() {
	hold, wait := s.Hold, s.Wait
	*s = LockStats{Hold: hold, Wait: wait, borrowed: s.borrowed}
	if hold != nil {
		hold.Reset()
		wait.Reset()
	}
}

func (s *LockStats) add(o *LockStats) {
	s.Acquisitions += o.Acquisitions
	s.WaitsOnly += o.WaitsOnly
	s.WaitPs += o.WaitPs
	s.HoldPs += o.HoldPs
	s.HoldMaxNs = max(s.HoldMaxNs, o.HoldMaxNs)
	s.WaitMaxNs = max(s.WaitMaxNs, o.WaitMaxNs)
	s.IdlePs += o.IdlePs
	s.Clipped += o.Clipped
	if o.Hold == nil || o.borrowed {
		return
	}
	if s.Hold == nil {
		s.init()
	}
	s.Clipped += s.Hold.Merge(o.Hold)
	s.Clipped += s.Wait.Merge(o.Wait)
}
