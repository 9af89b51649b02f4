package validate

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/results/published/profiles"
	"github.com/walbench/walbench/simtime"
)

// standIn is a virtual clock in the real one's place, whose repetitions are as noisy
// as noise says.
type standIn struct {
	virtual
	noise  func(p *place, nth int) float64
	taken  int
	inside int // numbers of cores in use at the moment
	before func()
}

func (s *standIn) use(int) (func(), error) {
	s.inside++
	return func() { s.inside-- }, nil
}

func (s *standIn) take(p *place, designs []string, seed uint64, stop <-chan struct{}) (*results.Run, float64, error) {
	if s.before != nil {
		s.before()
	}
	res, _, err := s.virtual.take(p, designs, seed, stop)
	s.taken++
	return res, s.noise(p, s.taken), err
}

func silence(*place, int) float64 { return 0 }

// newRun is a validation of few and short windows whose machine is a model with the
// profile `machine`.
func newRun(t *testing.T, model, machine *simtime.Profile, noise func(*place, int) float64) (*Run, *standIn) {
	t.Helper()
	cfg := Config{FS: vfs.NewMem(), Profile: model, Locks: []string{"single"}, TargetMedian: DefaultMedian, TargetWorst: DefaultWorst}
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := &standIn{virtual: virtual{cfg: &r.cfg, profiles: map[int]*simtime.Profile{1: machine, r.cores[len(r.cores)-1]: machine}}, noise: noise}
	r.cores, r.measured, r.late = []int{1, 2}, s, func() bool { return false }
	r.extent.workloads, r.extent.window, r.extent.repetitions = []string{"small"}, 100*time.Microsecond, 3
	return r, s
}

func execute1(t *testing.T, r *Run) (*results.Validation, error) {
	t.Helper()
	return r.Execute(make(chan struct{}), func(string) {})
}

// here is a profile that knows the suites of this machine whatever it is.
func here() *simtime.Profile { return profiles.Reference() }

// A machine that is the model has errors of draws only, and every cell is there once.
func TestAgrees(t *testing.T) {
	r, s := newRun(t, here(), here(), silence)
	v, err := execute1(t, r)
	if err != nil || v.Verdict != results.Within {
		t.Fatalf("%v: %s, median %v, worst %v", err, v.Verdict, *v.MedianError, *v.WorstError)
	}
	if len(v.Cells) != 2*3*4 || v.CellsJudged != len(v.Cells) || s.taken != 3*len(v.Cells) || s.inside != 0 {
		t.Errorf("%d cells, %d judged, %d repetitions, %d numbers of cores left", len(v.Cells), v.CellsJudged, s.taken, s.inside)
	}
	seen := map[results.ValidationCell]bool{}
	for _, c := range v.Cells {
		key := results.ValidationCell{Strategy: c.Strategy, Lock: c.Lock, Device: c.Device, Cores: c.Cores}
		if seen[key] || c.Noisy || c.Redone != 0 || c.Repetitions != 3 || c.Updaters != defaultUpdaters {
			t.Errorf("%+v", c)
		}
		seen[key] = true
	}
	if !v.Complete || v.Calibrated || v.Profile != here().Name || v.ProfileHash != here().Hash() {
		t.Errorf("%+v", v)
	}
}

// The check can fail: with what counter mode costs doubled in the profile, the model
// is beyond the target, in the designs that encrypt and not in none.
func TestDoubledCTRExceeds(t *testing.T) {
	wrong := here()
	for _, d := range designs() {
		if _, suite, ok := strings.Cut(d, "+"); ok {
			for _, number := range []string{"setup_ps", "call_ps", "record_ps", "byte_fs"} {
				wrong = wrong.Scaled(suite+"."+number, 2, 1)
			}
		}
	}
	r, _ := newRun(t, wrong, here(), silence)
	// One repetition has the draw of the model, so that nothing else differs.
	r.extent.workloads, r.extent.window, r.extent.repetitions = []string{"worst-case"}, 5*time.Millisecond, 1
	v, err := execute1(t, r)
	if !errors.Is(err, ErrBeyond) || v.Verdict != results.Beyond || *v.WorstError <= DefaultWorst {
		t.Fatalf("%v: %s, worst error %v", err, v.Verdict, *v.WorstError)
	}
	for _, c := range v.Cells {
		off := max(abs(c.ThroughputError), abs(c.HoldError))
		switch {
		case c.Strategy == "none" && off != 0:
			t.Errorf("none on %s is off by %v", c.Device, off)
		case c.Strategy == "in-lock" && c.Device == "null" && (off <= DefaultWorst || c.Cause == ""):
			t.Errorf("in-lock on null is off by %v, cause %q", off, c.Cause)
		}
	}
}

func abs(v *float64) float64 { return max(*v, -*v) }

// A noisy repetition is done again, and the cell is as good as any other.
func TestNoisyRepetitionsAreRedone(t *testing.T) {
	r, s := newRun(t, here(), here(), func(_ *place, nth int) float64 {
		if nth%5 == 0 {
			return 0.5
		}
		return 0.01
	})
	v, err := execute1(t, r)
	if err != nil || v.CellsNoisy != 0 || s.taken <= 3*len(v.Cells) {
		t.Fatalf("%v: %d noisy, %d repetitions of %d cells", err, v.CellsNoisy, s.taken, len(v.Cells))
	}
	redone := 0
	for _, c := range v.Cells {
		redone += c.Redone
		if c.Repetitions < 3 {
			t.Errorf("%s on %s: medians of %d", c.Strategy, c.Device, c.Repetitions)
		}
	}
	if redone != s.taken-3*len(v.Cells) {
		t.Errorf("%d redone, %d taken", redone, s.taken)
	}
}

// Cells that stay noisy are marked and left out; a third of them makes the whole
// inconclusive, even if the rest is beyond the target.
func TestStaysNoisy(t *testing.T) {
	r, s := newRun(t, here(), here().Scaled("zero_byte_fs", 20, 1), func(p *place, _ int) float64 {
		if p.device == "memory" {
			return 0.06
		}
		return 0
	})
	v, err := execute1(t, r)
	if !errors.Is(err, ErrNoisy) || v.Verdict != results.Inconclusive || v.CellsNoisy != 8 || v.CellsJudged != 16 {
		t.Fatalf("%v: %s, %d noisy, %d judged", err, v.Verdict, v.CellsNoisy, v.CellsJudged)
	}
	if want := 16*3 + 8*3*(1+redoFactor); s.taken != want {
		t.Errorf("%d repetitions, want %d", s.taken, want)
	}
	for _, c := range v.Cells {
		if c.Noisy != (c.Device == "memory") || c.Noisy && (c.Cause != results.CauseNoise || c.Repetitions != 9 || *c.NoiseShare != 0.06) {
			t.Errorf("%+v", c)
		}
	}
	// Without time nothing is done again.
	r, s = newRun(t, here(), here(), func(*place, int) float64 { return 1 })
	r.late = func() bool { return true }
	if v, err := execute1(t, r); !errors.Is(err, ErrNoisy) || v.CellsJudged != 0 || s.taken != 3*len(v.Cells) {
		t.Errorf("%v: %d judged, %d repetitions", err, v.CellsJudged, s.taken)
	}
}

// What was taken before an interruption stays, and is marked.
func TestStopped(t *testing.T) {
	stop := make(chan struct{})
	r, s := newRun(t, here(), here(), silence)
	s.before = func() {
		if s.taken == 30 {
			close(stop)
		}
	}
	v, err := r.Execute(stop, func(string) {})
	if !errors.Is(err, experiment.ErrInterrupted) || v == nil || v.Complete || v.Verdict != results.Inconclusive {
		t.Fatalf("%v: %+v", err, v)
	}
	if len(v.Cells) != 24 || s.inside != 0 {
		t.Errorf("%d cells, %d numbers of cores left", len(v.Cells), s.inside)
	}
	// One that is stopped at once has nothing to show but its frame.
	r, _ = newRun(t, here(), here(), silence)
	closed := make(chan struct{})
	close(closed)
	if v, err := r.Execute(closed, func(string) {}); !errors.Is(err, experiment.ErrInterrupted) || v.Complete {
		t.Errorf("%v: %+v", err, v)
	}
}

// The real clock, on one core and on all, in the shortest possible run: what is checked
// is that both sides do the same work.
func TestRealMachine(t *testing.T) {
	r, err := New(Config{FS: vfs.NewMem(), Profile: here(), Locks: []string{"single"}, TargetMedian: maxTarget, TargetWorst: maxTarget})
	if err != nil {
		t.Fatal(err)
	}
	r.extent.workloads, r.extent.window, r.extent.repetitions = []string{"small"}, 100*time.Microsecond, 1
	r.late = func() bool { return true }
	before := runtime.GOMAXPROCS(0)
	v, err := execute1(t, r)
	if err != nil && !errors.Is(err, ErrNoisy) {
		t.Fatal(err)
	}
	for _, c := range v.Cells {
		if c.Measured == nil || c.Measured.ThroughputTPS == nil || c.Measured.LockHeldNsPerCommit == nil {
			t.Errorf("%+v is not measured", c)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != before {
		t.Errorf("GOMAXPROCS is %d, was %d", n, before)
	}
}

// The default set fits its promise: cells, repetitions and seconds.
func TestDefaultSetIsCounted(t *testing.T) {
	const turn, calibration = 550 * time.Millisecond, 20 * time.Second // of a window of 250 ms
	cfg := Config{}
	e := cfg.extent()
	cells := 2 * len(locks) * len(devices) * len(designs()) * len(e.workloads) * len(e.updaters)
	if took := calibration + time.Duration(cells*e.repetitions)*turn; took >= 4*time.Minute || took >= e.budget || e.budget > 4*time.Minute-20*time.Second {
		t.Errorf("%d cells take %v, budget %v", cells, took, e.budget)
	}
	if full := (&Config{Full: true}).extent(); len(full.workloads) < 3 || len(full.updaters) < 3 || full.repetitions < e.repetitions {
		t.Errorf("full is %+v", full)
	}
}

func TestConfig(t *testing.T) {
	ok := func(c Config) Config { c.TargetMedian, c.TargetWorst = 0.1, 0.25; return c }
	for name, c := range map[string]Config{
		"no target":       {},
		"negative target": {TargetMedian: -1, TargetWorst: 1},
		"target of NaN":   {TargetMedian: 0.1, TargetWorst: nan()},
		"huge target":     {TargetMedian: 0.1, TargetWorst: 1e9},
		"unknown lock":    ok(Config{Locks: []string{"none"}}),
		"lock twice":      ok(Config{Locks: []string{"single", "single"}}),
	} {
		var usage *experiment.UsageError
		if _, err := New(c); !errors.As(err, &usage) {
			t.Errorf("%s: %v, want a usage error", name, err)
		}
	}
	r, err := New(ok(Config{}))
	if err != nil || !slices.Contains(r.cfg.Locks, "single") {
		t.Errorf("%v, locks %v", err, r.cfg.Locks)
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

// Patience is used up by a machine that does not come to rest, and a stop ends it.
func TestPatience(t *testing.T) {
	w := patience{left: lookFor, cores: 1}
	w.await(make(chan struct{}))
	if w.left != 0 {
		t.Errorf("%v left", w.left)
	}
	stopped := make(chan struct{})
	close(stopped)
	w = patience{left: maxPatience, cores: 1}
	if w.await(stopped); w.left != maxPatience {
		t.Errorf("%v left", w.left)
	}
	var usage *experiment.UsageError
	if _, err := New(Config{FS: vfs.NewMem(), TargetMedian: 1, TargetWorst: 1, Patience: -1}); !errors.As(err, &usage) {
		t.Errorf("error %v, want a usage error", err)
	}
}
