package calibrate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
)

// Progress says how far a calibration is, in samples.
type Progress struct{ Done, Total int }

// Run is one calibration, ready to be executed once.
type Run struct {
	cfg    Config
	rounds int
	host   hostinfo.Host
	date   string // of today, UTC
	spread string // which probes varied, for a warning
	file   string // on the device; "" without one
}

// New checks cfg. The error is an [experiment.UsageError].
func New(cfg Config) (*Run, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	r := &Run{cfg: cfg, rounds: cfg.rounds(), host: hostinfo.Read(), date: time.Now().UTC().Format(time.DateOnly)}
	if r.cfg.Name == "" {
		r.cfg.Name = "calibrated-" + cpuKey(&r.host)
	}
	if cfg.Device != "" {
		r.file = filepath.Join(cfg.folder(), fmt.Sprintf("walbench-calibrate-%016x.tmp", rand.Uint64()))
	}
	return r, nil
}

// Abandon removes what a run that is not waited for has left on its device.
func (r *Run) Abandon() {
	if r.file != "" {
		_ = r.cfg.FS.Remove(r.file) // the program ends, one way or another
	}
}

// Execute measures, which takes some ten seconds, or two if it is quick, and
// returns the profile. It looks at stop between samples, and then gives
// [experiment.ErrInterrupted] and no profile. progress is called now and then.
func (r *Run) Execute(stop <-chan struct{}, progress func(Progress)) (p *simtime.Profile, err error) {
	before := experiment.GapShare()
	ticks := hostinfo.ReadCPUTicks()
	simtime.NewReal().Run("calibrate", func(proc simtime.Proc) {
		p, err = r.measure(newBench(proc), stop, progress)
	})
	if err != nil {
		return nil, err
	}
	steal := hostinfo.ReadCPUTicks().StealSince(ticks)
	p.Warnings = r.warnings(before, experiment.GapShare(), steal)
	return p, nil
}

// measure goes through the rounds and makes the profile, warnings apart.
func (r *Run) measure(b *bench, stop <-chan struct{}, progress func(Progress)) (p *simtime.Profile, err error) {
	defer func() { err = errors.Join(err, b.close()) }()
	stretches := allocStretches
	if r.cfg.Quick {
		stretches = 1
	}
	if err := b.allocations(stretches, stop); err != nil {
		return nil, err
	}
	if err := r.prepare(b); err != nil {
		return nil, err
	}
	if err := b.rounds(r.rounds, stop, progress); err != nil {
		return nil, err
	}
	r.spread = b.spread()
	suites, err := b.suites(r.rounds)
	if err != nil {
		return nil, err
	}
	implementation, _ := aesctr.Selected() // a wrong WALBENCH_AESCTR is the commands' to report
	p = &simtime.Profile{
		Schema: simtime.ProfileSchema, Name: r.cfg.Name, Machine: machineLine(&r.host), Host: &r.host, Date: r.date,
		Cores: r.host.Cores.Usable, Implementation: implementation.Name,
		Numbers: b.numbers(r.rounds, r.cores(), r.cfg.Device), Suites: suites,
	}
	return p, p.Complete()
}

// cores is how many can be used at once.
func (r *Run) cores() int { return min(r.host.Cores.Usable, r.host.GOMAXPROCS) }

// prepare adds everything that is timed.
func (r *Run) prepare(b *bench) error {
	b.addBytes()
	b.addLocks()
	b.addShared(r.cores())
	b.addSwitch()
	b.addSteal(r.cores())
	b.addSegments()
	b.addKeep()
	if err := errors.Join(b.addRecords(), b.addWrites(), b.addSuites()); err != nil {
		return err
	}
	if r.file == "" {
		return nil
	}
	if err := b.addDevice(r.cfg.FS, r.file); err != nil {
		return fmt.Errorf("--device %s: %w", r.cfg.Device, err)
	}
	return nil
}

// rounds finds out how long samples have to be, and takes one of each probe in
// each round: whatever disturbs for a while meets all of them.
func (b *bench) rounds(n int, stop <-chan struct{}, progress func(Progress)) error {
	for _, p := range b.probes {
		if experiment.Stopped(stop) {
			return experiment.ErrInterrupted
		}
		if err := p.pilot(); err != nil {
			return err
		}
	}
	for round := range n {
		progress(Progress{round * len(b.probes), n * len(b.probes)})
		for turn := range b.probes {
			if experiment.Stopped(stop) {
				return experiment.ErrInterrupted
			}
			// Another one begins in each round, so that no probe always has the same
			// one before it in the caches.
			p := b.probes[(round+turn)%len(b.probes)]
			if !p.due(round) {
				continue
			}
			if err := p.sample(); err != nil {
				return err
			}
		}
	}
	return nil
}

// inAHurry begins the warning of a profile of few rounds.
const inAHurry = "calibrated in a hurry"

// hurried says whether p has it.
func hurried(p *simtime.Profile) bool {
	return slices.ContainsFunc(p.Warnings, func(w string) bool { return strings.HasPrefix(w, inAHurry) })
}

// warnings are what makes the numbers worth less.
func (r *Run) warnings(gapsBefore, gapsAfter float64, steal *float64) []string {
	list := r.host.Warnings()
	noise := results.Noise{GapShare: new(max(gapsBefore, gapsAfter)), StealShare: steal}
	if noise.Busy() {
		stolen := "unknown"
		if steal != nil {
			stolen = fmt.Sprintf("%.1f %%", 100**steal)
		}
		list = append(list, fmt.Sprintf("calibrated on a busy machine: a spinning thread lost %.1f %% of its time before and %.1f %% behind, share taken by the hypervisor meanwhile %s",
			100*gapsBefore, 100*gapsAfter, stolen))
	}
	if r.spread != "" {
		list = append(list, r.spread)
	}
	if r.host.Cores.Usable < 2 {
		list = append(list, "calibrated on one core: wake_ps holds the time in which the caller had it")
	}
	if r.cfg.Quick {
		list = append(list, fmt.Sprintf("%s: %d rounds instead of %d", inAHurry, r.rounds, DefaultRounds))
	}
	if i, _ := aesctr.Selected(); i != aesctr.Supported()[0] {
		list = append(list, fmt.Sprintf("calibrated with %s=%s, where %s can run", aesctr.EnvName, i.Name, aesctr.Supported()[0].Name))
	}
	return list
}
