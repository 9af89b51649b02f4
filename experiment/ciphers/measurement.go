package ciphers

import (
	"crypto/rand"
	"runtime"
	"time"

	"github.com/walbench/walbench/experiment"
)

// sampleTime is how long one sample lasts, about: long enough for the clock,
// short enough to find moments in which nothing else wanted the processor.
const sampleTime = 200 * time.Microsecond

// measurement is one run of Measure.
type measurement struct {
	config   *Config
	stop     <-chan struct{}
	subjects []*subject
	rows     []row
	bounds   map[string]float64 // best ns of one block and round, by implementation
}

// row is a subject at a size, with what each round took.
type row struct {
	subject *subject
	size    Size
	work    *workset
	passes  int                                     // a sample
	time    func(passes int) (time.Duration, error) // one sample
	ns      []float64                               // of a record, by round
	setupNs *float64
	allocs  float64
	rival   bool
	close   func()
}

func (m *measurement) run() (*Report, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := probe()
	for i, size := range m.config.Sizes {
		if err := m.measure(i, size); err != nil {
			return nil, err
		}
	}
	complete := !m.stopped()
	report := m.report(before, probe(), complete)
	if !complete {
		return report, experiment.ErrInterrupted
	}
	return report, nil
}

// measure measures one size, or nothing once the run is to stop.
func (m *measurement) measure(index int, size Size) (err error) {
	if m.stopped() {
		return nil
	}
	rows, err := m.open(size)
	if err == nil {
		err = m.rounds(rows, index)
	}
	for k := range rows {
		if rows[k].close != nil {
			rows[k].close()
		}
	}
	m.rows = append(m.rows, rows...)
	return err
}

func (m *measurement) stopped() bool {
	select {
	case <-m.stop:
		return true
	default:
		return false
	}
}

// open makes the rows of one size ready, with the number of passes that fills a
// sample.
func (m *measurement) open(size Size) ([]row, error) {
	work := newWorkset(size)
	var rows []row
	for _, s := range m.subjects {
		if !s.takes(size) {
			continue
		}
		r, err := openRow(s, work)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	if m.config.Rival != nil {
		theirs, err := m.config.Rival.rows(rows, work)
		if err != nil {
			return nil, err
		}
		rows = append(rows, theirs...)
	}
	for i := range rows {
		if err := rows[i].calibrate(); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func openRow(s *subject, work *workset) (row, error) {
	key := make([]byte, keyBytes)
	rand.Read(key) // never fails
	pass, err := s.open(work, key)
	if err != nil {
		return row{}, err
	}
	r := row{subject: s, size: work.size, work: work, allocs: allocations(pass) / float64(len(work.src))}
	r.time = func(passes int) (time.Duration, error) {
		pass() // warm: another subject has just had the caches
		start := time.Now()
		for range passes {
			pass()
		}
		return time.Since(start), nil
	}
	if s.setup != nil {
		ns, err := setupNs(s.setup, key)
		if err != nil {
			return row{}, err
		}
		r.setupNs = &ns
	}
	return r, nil
}

// allocations counts those of one pass, exactly.
func allocations(pass func()) float64 {
	const passes = 4
	pass()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range passes {
		pass()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / passes)
}

// setupNs is the best of several times to make a context for a fresh key.
func setupNs(setup func(key []byte) error, key []byte) (float64, error) {
	const samples, calls = 30, 100
	best := 0.0
	for i := range samples {
		start := time.Now()
		for range calls {
			key[0]++
			if err := setup(key); err != nil {
				return 0, err
			}
		}
		if ns := float64(time.Since(start).Nanoseconds()) / calls; i == 0 || ns < best {
			best = ns
		}
	}
	return best, nil
}

// calibrate finds out how many passes a sample has.
func (r *row) calibrate() error {
	for r.passes = 1; ; r.passes *= 2 {
		d, err := r.time(r.passes)
		if err != nil {
			return err
		}
		if d >= sampleTime/2 {
			return nil
		}
	}
}

// rounds times every row once a round, each round beginning with another one. It
// ends early when the run is to stop.
func (m *measurement) rounds(rows []row, sizeIndex int) error {
	all := len(m.config.Sizes) * m.config.Rounds
	for round := range m.config.Rounds {
		for k := range rows {
			if m.stopped() {
				return nil
			}
			r := &rows[(k+round)%len(rows)]
			d, err := r.time(r.passes)
			if err != nil {
				return err
			}
			r.ns = append(r.ns, float64(d.Nanoseconds())/float64(r.passes*len(r.work.src)))
		}
		m.bound()
		if m.config.Progress != nil {
			m.config.Progress(sizeIndex*m.config.Rounds+round+1, all)
		}
	}
	return nil
}

// bound times the round instructions of each kernel that is measured.
func (m *measurement) bound() {
	const n = 2000
	seen := map[string]bool{}
	for _, s := range m.subjects {
		if s.kernel == nil || seen[s.implementation] {
			continue
		}
		seen[s.implementation] = true
		start := time.Now()
		blockRounds := s.kernel.UnitRounds(n)
		ns := float64(time.Since(start).Nanoseconds())
		if blockRounds == 0 {
			continue
		}
		if best, ok := m.bounds[s.implementation]; !ok || ns/float64(blockRounds) < best {
			m.bounds[s.implementation] = ns / float64(blockRounds)
		}
	}
}
