package validate

import (
	"fmt"
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
	cfg     *Config
	profile *simtime.Profile
}

func (v *virtual) use(int) (func(), error) { return func() {}, nil }

func (v *virtual) take(p *place, designs []string, seed uint64, stop <-chan struct{}) (*results.Run, float64, error) {
	cfg := p.config(v.cfg, designs, seed)
	cfg.VirtualCores, cfg.Profile = []int{p.cores}, v.profile
	res, err := execute(cfg, stop)
	return res, 0, err
}

// plan finds the number of commits of a place: what the model says that none does in
// a window, so that nothing has to be measured twice.
func (v *virtual) plan(p *place, window time.Duration, stop <-chan struct{}) error {
	cfg := p.config(v.cfg, []string{"none"}, seed)
	cfg.VirtualCores, cfg.Profile = []int{p.cores}, v.profile
	cfg.Commits, cfg.Duration, cfg.Warmup = 0, window, 0
	res, err := execute(cfg, stop)
	if err != nil {
		return err
	}
	if res.Config.Commits == nil {
		return fmt.Errorf("%s on %d cores: the model has no number of commits", p.workload, p.cores)
	}
	// A profile that is far off must make no window of minutes.
	most := int64(float64(maxRate) * window.Seconds())
	p.commits = min(max(*res.Config.Commits, leastCommits*int64(p.updaters)), max(most, int64(p.updaters)))
	return nil
}

// Bounds on the commits of a repetition: a share of each updater, and a second.
const (
	leastCommits = 16
	maxRate      = 2_000_000
)

// realMachine is this one.
type realMachine struct {
	cfg   *Config
	cores int // that there are
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
