package experiment

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// model is what makes a run a modelled one. It never changes.
type model struct {
	cores   []int
	profile *simtime.Profile
	counts  bool // the data plane only counts
	note    string
}

// newModel is nil for a measured run.
func newModel(c *Config) *model {
	if len(c.VirtualCores) == 0 {
		return nil
	}
	files := strings.HasPrefix(c.Device, "file:")
	return &model{cores: c.VirtualCores, profile: c.Profile, counts: !c.Verify && !files, note: c.ProfileNote}
}

// suite is the default suite of d on the profile's machine.
func (m *model) suite(d *strategies.Design) string { return d.SuiteOn(m.profile.Implementation) }

// check says whether the profile knows what all suites take.
func (m *model) check(list []Pair) error {
	if m == nil {
		return nil
	}
	for _, p := range list {
		if p.Suite == nil {
			continue
		}
		if _, ok := m.profile.Suite(p.Suite.Name); !ok {
			return usagef("profile %s does not say what suite %s takes: choose another --suite or --profile", m.profile.Name, p.Suite.Name)
		}
	}
	return nil
}

// plane is the name of the data plane.
func (m *model) plane() string {
	if m.counts {
		return "counts"
	}
	return "full"
}

// describe adds what the model is to the configuration. What does the AES here is
// no part of it, unless bytes are read back.
func (m *model) describe(c *results.Config) {
	hash, plane := m.profile.Hash(), m.plane()
	c.Profile, c.ProfileHash, c.DataPlane = &m.profile.Name, &hash, &plane
	if len(m.cores) == 1 {
		c.VirtualCores = &m.cores[0]
	}
	if m.counts {
		c.AESCTR, c.Implementations = nil, nil
	}
}

// warnings say what the figures rest on.
func (m *model) warnings() []string {
	return append([]string{fmt.Sprintf(
		"modelled, not measured: %s costs of %s (profile %s, %s) on a virtual clock; that a model agrees with a machine of few cores does not prove it for many",
		m.origins(), m.profile.Machine, m.profile.Name, m.profile.Date), m.note, m.endlessMemory()}, m.profile.Warnings...)
}

// endlessMemory says that memory is not modelled, if it is not.
func (m *model) endlessMemory() string {
	if m.profile.Costs().MemoryByteFs > 0 {
		return ""
	}
	return fmt.Sprintf("profile %s has a memory_byte_fs of 0: however many cores use the memory, it is never too slow for them", m.profile.Name)
}

// origins counts the profile's numbers by where they come from.
func (m *model) origins() string {
	count := map[simtime.Origin]int{}
	for _, name := range m.profile.Inputs() {
		n, _ := m.profile.Input(name)
		count[n.Source]++
	}
	var parts []string
	for _, o := range []simtime.Origin{simtime.Cited, simtime.Measured, simtime.Derived, simtime.Assumed} {
		if n := count[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	return strings.Join(parts, ", ")
}

// cell is one repetition of a modelled run.
type cell struct {
	load *load
	pair int
	rep  int
}

// runModel plans every load and runs all its repetitions, as many at a time as
// there are processors: they cannot disturb each other.
func (r *Run) runModel(progress func(Progress)) error {
	for _, l := range r.loads {
		if err := r.plan(l); err != nil {
			return err
		}
	}
	if err := r.makeTapes(); err != nil || r.gates.isStopped() {
		return err
	}
	cells := r.cells()
	samples := make([]*sample, len(cells))
	meter := &progressMeter{report: progress, runs: r.cfg.Runs, total: int64(len(cells))}
	err := r.inParallel(len(cells), func(i int) error {
		c := &cells[i]
		meter.begin(c.load, r.pairs[c.pair], c.rep)
		defer meter.end()
		s, err := r.modelled(c)
		samples[i] = s
		return err
	})
	for i, s := range samples {
		if s != nil {
			c := &cells[i]
			c.load.samples[c.pair] = append(c.load.samples[c.pair], *s)
		}
	}
	if err != nil || r.gates.isStopped() || !r.cfg.Ranges {
		return err
	}
	return r.addRanges()
}

func (r *Run) cells() (list []cell) {
	for rep := range r.cfg.Runs {
		for _, l := range r.loads {
			for turn := range r.pairs {
				list = append(list, cell{l, r.order(rep, turn), rep})
			}
		}
	}
	return list
}

// modelled runs one repetition. A stopped run has none that is whole.
func (r *Run) modelled(c *cell) (*sample, error) {
	p := r.pairs[c.pair]
	t, err := r.device.target(r.cfg.FS, p.Folder())
	if err != nil {
		return nil, err
	}
	o, err := r.measure(c.load, p, t, repetitionSeed(r.cfg.Seed, c.rep), c.load.warmup, c.load.commits)
	if err != nil {
		return nil, err
	}
	return &sample{repetition: c.rep, outcome: o}, o.fault(p)
}

// clockError says that what was asked for takes longer than the clock goes.
func (c *Config) clockError() error {
	longest := simtime.Duration(lastMoment(c.Clients)).Nanoseconds()
	return usagef("%w: with --clients %d it goes to %v of virtual time, which keeps its sums exact; ask for fewer --commits or a shorter --think",
		loadgen.ErrClockEnd, c.Clients, time.Duration(longest).Round(time.Second))
}

// lastMoment is when the clock of so many updaters ends: their times together stay
// below half of what 64 bits hold.
func lastMoment(updaters int) simtime.Time { return simtime.Time(math.MaxInt64 / 2 / updaters) }

// clockEnd is that of the repetition's clock; a real one has none.
func (r *repetition) clockEnd() simtime.Time {
	if !r.modelled {
		return 0
	}
	return lastMoment(r.cfg.Clients)
}

// inParallel calls f(0) to f(n-1), and returns their errors. After the first
// error, or a request to stop, no other call begins.
func (r *Run) inParallel(n int, f func(i int) error) error {
	workers := min(n, runtime.GOMAXPROCS(0))
	if r.device.kind == "file" {
		workers = 1 // repetitions of a pair share a folder
	}
	var (
		mu   sync.Mutex // guards what follows
		next int
		errs []error
		wg   sync.WaitGroup
	)
	take := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == n || len(errs) > 0 || r.gates.isStopped() {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range workers {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				if err := f(i); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// progressMeter reports the progress of repetitions that run side by side.
type progressMeter struct {
	mu     sync.Mutex // guards what follows
	report func(Progress)
	runs   int
	done   int64
	total  int64
}

func (m *progressMeter) begin(l *load, p Pair, rep int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.report(Progress{
		Repetition: rep + 1, Repetitions: m.runs, Workload: l.workload.Name(),
		Strategy: p.Design.Name, Suite: p.SuiteName(), Done: m.done, Total: m.total,
	})
}

func (m *progressMeter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
}

// checkCores checks a list of numbers of cores.
func checkCores(list []int) error {
	for i, n := range list {
		if n < 1 || n > simtime.MaxCores {
			return usagef("--virtual-cores %d: want 1 to %d", n, simtime.MaxCores)
		}
		if slices.Contains(list[:i], n) {
			return usagef("--virtual-cores: %d is there twice", n)
		}
	}
	return nil
}
