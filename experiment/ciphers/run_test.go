package ciphers

import (
	"errors"
	"slices"
	"testing"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

func mustNew(t *testing.T, cfg Config) *Run {
	t.Helper()
	r, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// Everything that can run here gives a row for each size that it takes.
func TestRunAll(t *testing.T) {
	r := mustNew(t, Config{Sizes: []Size{{64, 64}, {100, 100}, {30, 100}}, Rounds: 2})
	last := Progress{}
	p, err := r.Execute(nil, func(p Progress) { last = p })
	if err != nil || !p.Complete || p.Rounds != 2 || last.Round != 2 {
		t.Fatalf("complete %t, %d rounds, progress %+v, %v", p.Complete, p.Rounds, last, err)
	}
	want := 0
	for _, s := range catalog() {
		for _, size := range r.sizes {
			if s.takes(size) && s.suite != suiteRead {
				want++
			}
		}
	}
	if len(p.Rows) != want {
		t.Errorf("%d rows, want %d", len(p.Rows), want)
	}
	for i := range p.Rows {
		w := &p.Rows[i]
		if len(w.samples) != 2 || w.NsBest <= 0 || w.NsMedian < w.NsBest || w.RatioToMemcpy == nil || w.SetupNs <= 0 && w.Suite != suiteCopy {
			t.Errorf("row %+v", *w)
		}
		if kernel := w.Implementation != stdlib && w.Implementation != xcrypto; kernel != (w.AESBoundNs != nil) {
			t.Errorf("%s by %s: bound of the AES units %v", w.Suite, w.Implementation, w.AESBoundNs)
		}
	}
	if p.GapShare == nil || p.AddsPerNs <= 0 || (p.ClockBefore == nil) != (p.ClockAfter == nil) {
		t.Errorf("probes: %v %v %v %v", p.GapShare, p.AddsPerNs, p.ClockBefore, p.ClockAfter)
	}
}

// A run that is stopped keeps whole rounds and the samples of the last.
func TestRunStopped(t *testing.T) {
	r := mustNew(t, Config{Suites: []string{"aes-128-ctr"}, Sizes: []Size{{64, 64}}, Rounds: 1000})
	stop := make(chan struct{})
	p, err := r.Execute(stop, func(p Progress) {
		if p.Round == 3 {
			close(stop)
		}
	})
	if !errors.Is(err, experiment.ErrInterrupted) || p.Complete || p.Rounds != 2 || len(p.Rows) == 0 {
		t.Errorf("complete %t, %d rounds, %d rows, %v; want a partial report of 2 rounds", p.Complete, p.Rounds, len(p.Rows), err)
	}
	stop = make(chan struct{})
	close(stop)
	p, err = mustNew(t, Config{}).Execute(stop, func(Progress) {})
	if !errors.Is(err, experiment.ErrInterrupted) || p.Complete || len(p.Rows) != 0 {
		t.Errorf("stopped before it began: %d rows, %v", len(p.Rows), err)
	}
}

func TestSelection(t *testing.T) {
	one := mustNew(t, Config{Suites: []string{"aes-256-gcm"}, Sizes: []Size{{64, 64}, {64, 64}}})
	if len(one.cells) != 2 || one.cells[0].subject.suite != suiteCopy || one.cells[1].subject.suite != "aes-256-gcm" {
		t.Errorf("%d cells, want the copy and the suite, once each", len(one.cells))
	}
	for name, tc := range map[string]struct {
		cfg  Config
		want error
	}{
		"no such call":  {Config{Suites: []string{"aes-128-gcm"}, Calls: []string{CallBatch}}, ErrNothing},
		"no such size":  {Config{Suites: []string{"aes-128-xts"}, Sizes: []Size{{8, 8}}}, ErrNothing},
		"no such range": {Config{Suites: []string{"aes-128-ctr"}, Calls: []string{CallStream}, Sizes: []Size{{30, 100}}}, ErrNothing},
	} {
		if _, err := New(tc.cfg, nil); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, err, tc.want)
		}
	}
	for kind, cfg := range map[string]Config{
		"suite": {Suites: []string{"nope"}}, "implementation": {Implementations: []string{"nope"}}, "call": {Calls: []string{"nope"}},
		"rival": {Rival: "nope"},
	} {
		_, err := New(cfg, nil)
		var unknown *strategies.UnknownError
		if !errors.As(err, &unknown) || unknown.Kind != kind || unknown.Name != "nope" || len(unknown.Known) == 0 {
			t.Errorf("%s: got %v, want an error that lists the known ones", kind, err)
		}
	}
	for _, i := range aesctr.Implementations() {
		_, err := New(Config{Implementations: []string{i.Name}}, nil)
		if i.Supported() != (err == nil) || !i.Supported() && !errors.Is(err, aesctr.ErrImplementation) {
			t.Errorf("%s, missing %q: %v", i.Name, i.Missing, err)
		}
	}
}

// In each round another subject begins, and each is sampled once.
func TestRoundsRotate(t *testing.T) {
	var order []string
	r := &Run{sizes: []Size{{64, 64}}, bounds: bounds{}}
	ring := newRing(r.sizes[0])
	for _, name := range []string{"a", "b", "c"} {
		r.cells = append(r.cells, &cell{subject: &subject{suite: name}, ring: ring, records: 1, timer: recorder{name, &order}})
	}
	for round := range 3 {
		if err := r.round(round, nil); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a", "b", "c", "b", "c", "a", "c", "a", "b"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

// recorder is a timer that writes down when it is asked.
type recorder struct {
	name  string
	order *[]string
}

func (r recorder) time(*ring, int) (float64, error) {
	*r.order = append(*r.order, r.name)
	return 1, nil
}
func (recorder) setup() (float64, error)    { return 1, nil }
func (recorder) allocs(*ring, int) *float64 { return nil }

// calibrated is a timer with a speed: calibration makes samples last as long as
// they should, in whole quanta.
type calibrated struct{ nsPerRecord float64 }

func (c calibrated) time(_ *ring, n int) (float64, error) { return c.nsPerRecord * float64(n), nil }
func (calibrated) setup() (float64, error)                { return 1, nil }
func (calibrated) allocs(*ring, int) *float64             { return nil }

func TestCalibrate(t *testing.T) {
	for _, tc := range []struct {
		ns   float64
		size Size
		call string
		want int
	}{
		{10, Size{64, 64}, CallPerRecord, 20000},
		{10, Size{64, 64}, CallBatch, 78 * 256},
		{1e6, Size{64, 64}, CallPerRecord, 1},
		{1e6, Size{64, 64}, CallBatch, 256},
		{10, Size{30, 100}, CallPerRecord, 4 * mixedRecords},
	} {
		c := &cell{subject: &subject{call: tc.call}, ring: newRing(tc.size), timer: calibrated{tc.ns}}
		if err := c.calibrate(); err != nil || c.records != tc.want {
			t.Errorf("%v ns, %v, %s: %d records a sample, want %d (%v)", tc.ns, tc.size, tc.call, c.records, tc.want, err)
		}
	}
}
