package validate

import (
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// clock takes a repetition of some designs in one place, and says how much of the
// machine something else had meanwhile. Tests put a virtual one in the real one's
// place.
type clock interface {
	take(p *place, designs []string, seed uint64, stop <-chan struct{}) (res *results.Run, noise float64, err error)
	// use prepares for repetitions on so many cores, until undo.
	use(cores int) (undo func(), err error)
}

func (p *place) config(cfg *Config, designs []string, seed uint64) experiment.Config {
	return experiment.Config{
		FS: cfg.FS, Strategies: designs, Workloads: []string{p.workload}, Clients: p.updaters, Lock: p.lock, Device: p.device,
		Commits: p.commits, Warmup: -1, Runs: 1, Seed: seed,
	}
}

func execute(cfg experiment.Config, stop <-chan struct{}) (*results.Run, error) {
	run, err := experiment.NewRun(cfg)
	if err != nil {
		return nil, err
	}
	return run.Execute(stop, nil)
}

// virtual is the model.
type virtual struct {
	cfg      *Config
	profiles map[int]*simtime.Profile // by number of cores
}

func (v *virtual) use(int) (func(), error) { return func() {}, nil }

func (v *virtual) take(p *place, designs []string, seed uint64, stop <-chan struct{}) (*results.Run, float64, error) {
	cfg := p.config(v.cfg, designs, seed)
	cfg.VirtualCores, cfg.Profile = []int{p.cores}, v.profiles[p.cores]
	res, err := execute(cfg, stop)
	return res, 0, err
}

// plan finds the number of commits of a place: what the model says that none does in
// a window, from a short run, so that nothing has to be measured twice.
func (v *virtual) plan(p *place, window time.Duration, stop <-chan struct{}) error {
	p.commits = planCommits * int64(p.updaters)
	res, _, err := v.take(p, []string{"none"}, seed, stop)
	if err != nil {
		return err
	}
	most := max(int64(float64(maxRate)*window.Seconds()), leastCommits*int64(p.updaters))
	n := most
	if t := res.Strategies[0].Repetitions[0].WindowNs; t > 0 {
		n = p.commits * window.Nanoseconds() / t
	}
	p.commits = min(max(n, leastCommits*int64(p.updaters)), most)
	return nil
}

// Commits of an updater that plan looks at, and the fewest it has measured of one.
// A profile that is far off must make no window of minutes: there are no more commits
// than at maxRate a second.
const (
	planCommits  = 64
	leastCommits = 16
	maxRate      = 2_000_000
)

// realMachine is this one.
type realMachine struct {
	cfg   *Config
	cores int // that there are
	quiet patience
}

func (m *realMachine) use(cores int) (undo func(), err error) {
	if cores == m.cores {
		return func() {}, nil
	}
	return confine(cores)
}

// take measures, and looks at what else the machine did: gaps of a spinning thread
// right before, the hypervisor's steal time, and the processor time of others.
func (m *realMachine) take(p *place, designs []string, seed uint64, stop <-chan struct{}) (*results.Run, float64, error) {
	m.quiet.await(stop)
	before := hostinfo.ReadUsage()
	res, err := execute(p.config(m.cfg, designs, seed), stop)
	others := hostinfo.ReadUsage().OthersSince(before, m.cores)
	noise := 0.0
	if others != nil {
		noise = *others
	}
	if res != nil {
		for i := range res.Strategies {
			for _, v := range []*float64{res.Strategies[i].NoiseGapShare, res.Strategies[i].NoiseStealShare} {
				if v != nil {
					noise = max(noise, *v)
				}
			}
		}
	}
	return res, noise, err
}
