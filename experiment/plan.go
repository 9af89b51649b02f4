package experiment

import (
	"errors"
	"fmt"
	"time"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/strategies"
)

// pilotTime is how long the last pilot run lasts at least.
const pilotTime = 100 * time.Millisecond

// maxPilot is how many commits a modelled pilot run tries at most: a profile whose
// costs are nothing, or next to it, never fills the time.
const maxPilot = 1_000_000

// plan sets the number of measured and of warm-up commits: the same for every
// design, so that all do the same work.
func (r *Run) plan(l *load) error {
	if l.planned {
		return nil
	}
	n := int64(r.cfg.Clients)
	l.commits = r.cfg.Commits
	if r.exact != nil {
		return r.planExact(l)
	}
	switch {
	case l.commits > 0 && r.cfg.Warmup < 0:
		l.warmup = l.commits / WarmupShare
	case l.commits == 0 || r.cfg.Warmup > 0:
		rate, err := r.pilot(l)
		if err != nil || rate == 0 {
			return err
		}
		if l.commits == 0 {
			l.commits = max(n, int64(rate*r.cfg.Duration.Seconds()))
		}
		if r.cfg.Warmup > 0 {
			l.warmup = max(n, int64(rate*r.cfg.Warmup.Seconds()))
		}
	}
	r.fitCycles(l)
	return nil
}

// fitCycles makes warm-up and window of a workload with checkpoints whole cycles:
// only they cost the same wherever they begin. A window shorter than a cycle is
// the stretch right behind a checkpoint; a warm-up would take it away.
func (r *Run) fitCycles(l *load) {
	cycle := loadgen.CycleCommits(l.workload, r.cfg.Clients)
	if cycle == 0 {
		return
	}
	name := l.workload.Name()
	if asked := r.cfg.Pages.CheckpointCommits; asked > 0 && asked != cycle {
		r.warnings = append(r.warnings, fmt.Sprintf(
			"%s: checkpoints every %d commits, not %d: a cycle is a multiple of the %d updaters", name, cycle, asked, r.cfg.Clients))
	}
	if l.commits < cycle {
		n := int64(r.cfg.Clients)
		l.warmup, l.commits = 0, (l.commits+n-1)/n*n
		r.warnings = append(r.warnings, fmt.Sprintf(
			"%s: the window is the first %d commits of a checkpoint cycle of %d, without warm-up", name, l.commits, cycle))
		return
	}
	l.commits -= l.commits % cycle
	l.warmup = (l.warmup + cycle - 1) / cycle * cycle
	r.warnings = append(r.warnings, fmt.Sprintf(
		"%s: warm-up and window are whole checkpoint cycles of %d commits: %d and %d", name, cycle, l.warmup, l.commits))
}

// pilot measures the commits per second of "none" with ever longer runs; 0 when
// stopped.
func (r *Run) pilot(l *load) (rate float64, err error) {
	none, err := strategies.Lookup("none")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.device.removePilot(r.cfg.FS)) }()
	p := Pair{Design: none}
	for commits := 8 * int64(r.cfg.Clients); ; commits *= 4 {
		t, err := r.device.target(r.cfg.FS, pilotFolder)
		if err != nil {
			return 0, err
		}
		o, err := r.measure(l, p, t, repetitionSeed(r.cfg.Seed, -1), commits/WarmupShare, commits)
		if err = errors.Join(err, o.fault(p)); err != nil {
			return 0, err
		}
		if o.stopped {
			return 0, nil
		}
		if seconds := o.elapsed.Seconds(); seconds >= pilotTime.Seconds() {
			return float64(o.commits) / seconds, nil
		}
		if r.model != nil && (o.elapsed == 0 || commits > maxPilot) {
			return 0, usagef("profile %s: %d commits take less than %v, so that --duration would have no end: ask for --commits", l.profile.Name, o.commits, pilotTime)
		}
	}
}
