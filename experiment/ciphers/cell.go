package ciphers

import (
	"runtime"
	"time"
)

const (
	sampleTime  = 200 * time.Microsecond // of one sample
	pilotTime   = 40 * time.Microsecond  // from which a pilot tells the speed
	setupCalls  = 16                     // contexts made for one reading
	setupTries  = 10
	allocTries  = 3
	allocations = 256 // records of the pass that counts allocations, at least
)

// cell is one subject at one size: what a row of the report is made of.
type cell struct {
	subject *subject
	ring    *ring
	timer   timer
	records int // of a sample

	samples []float64 // ns a record, one a round
	setupNs float64
	allocs  *float64 // a record; nil if it cannot be counted
}

// timer runs a subject's work and says how long it took.
type timer interface {
	// time returns the nanoseconds that n records of r took.
	time(r *ring, n int) (ns float64, err error)
	// setup returns the nanoseconds that it takes to make a context for a key.
	setup() (ns float64, err error)
	// allocs returns the allocations a record, or nil.
	allocs(r *ring, n int) *float64
}

// local is the timer of a subject in this process.
type local struct {
	subject *subject
	worker  worker
}

func newLocal(s *subject) (*local, error) {
	w, err := s.open(testKey(s.keyBytes))
	return &local{s, w}, err
}

func (l *local) time(r *ring, n int) (float64, error) {
	start := time.Now()
	l.worker.work(r, n)
	return float64(time.Since(start).Nanoseconds()), nil
}

// setup makes contexts for keys that differ each time.
func (l *local) setup() (float64, error) {
	if l.subject.keyBytes == 0 {
		return 0, nil // nothing to set up
	}
	key := testKey(l.subject.keyBytes)
	start := time.Now()
	for range setupCalls {
		key[0]++
		if _, err := l.subject.open(key); err != nil {
			return 0, err
		}
	}
	return float64(time.Since(start).Nanoseconds()) / setupCalls, nil
}

func (l *local) allocs(r *ring, n int) *float64 {
	l.worker.work(r, r.quantum(l.subject.call)) // what the first call alone allocates
	least := l.mallocs(r, n)
	for range allocTries {
		least = min(least, l.mallocs(r, n))
	}
	per := float64(least) / float64(n)
	return &per
}

// mallocs counts the allocations of the whole process while n records are done:
// the least of several tries is without the runtime's own.
func (l *local) mallocs(r *ring, n int) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l.worker.work(r, n)
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// calibrate finds out how many records fill a sample, and what is not timed in
// rounds.
func (c *cell) calibrate() error {
	quantum := c.ring.quantum(c.subject.call)
	n := quantum
	ns, err := c.timer.time(c.ring, n) // the first is slow: cold code and data
	for err == nil {
		if ns, err = c.timer.time(c.ring, n); ns >= float64(pilotTime.Nanoseconds()) {
			break
		}
		n *= 2
	}
	if err != nil {
		return err
	}
	c.records = max(1, int(float64(n)*float64(sampleTime.Nanoseconds())/ns+0.5)/quantum) * quantum
	c.allocs = c.timer.allocs(c.ring, aligned(min(c.records, allocations), quantum))
	return c.calibrateSetup()
}

func (c *cell) calibrateSetup() error {
	for try := range setupTries {
		ns, err := c.timer.setup()
		if err != nil {
			return err
		}
		if try == 0 || ns < c.setupNs {
			c.setupNs = ns
		}
	}
	return nil
}

// sample takes one.
func (c *cell) sample() error {
	ns, err := c.timer.time(c.ring, c.records)
	if err == nil {
		c.samples = append(c.samples, ns/float64(c.records))
	}
	return err
}
