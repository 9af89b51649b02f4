package validate

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// What a validation came to, besides its document.
var (
	// ErrBeyond means that the model is further from this machine than the target.
	ErrBeyond = errors.New("the model is beyond the target")
	// ErrNoisy means that too many cells could not be measured in peace.
	ErrNoisy = errors.New("inconclusive: too many cells stayed noisy")
)

// Default targets: the largest median and single error of a model that can be relied
// on.
const (
	DefaultMedian = 0.10
	DefaultWorst  = 0.25
)

// Config says what to validate.
type Config struct {
	FS vfs.FS
	// Profile is the model's; nil: this machine is calibrated first.
	Profile *simtime.Profile
	// Full takes more workloads, more numbers of updaters, longer windows and more
	// repetitions.
	Full bool
	// Locks are the topologies; empty: all.
	Locks []string
	// Patience is how long to wait in all for moments in which nothing else runs.
	Patience time.Duration
	// Targets of the median and of the worst error, as shares.
	TargetMedian, TargetWorst float64
}

// locks are all topologies.
var locks = []string{experiment.LockSingle, experiment.LockPostgres}

// devices need no disk, so that what a disk does is no part of the error.
var devices = []string{"null", "memory", "model:10us,4GB/s"}

const seed = experiment.DefaultSeed

// extent is how much is measured.
type extent struct {
	workloads   []string
	updaters    []int
	window      time.Duration
	repetitions int
	// budget is when no more repetitions are added for noisy ones.
	budget time.Duration
}

// Eight updaters are the default: four times the cores of a small machine, so that
// the lock always has a queue and cores are waited for, and no more, so that a
// window has many turns of each.
const defaultUpdaters = 8

// The default set: 24 cells for each topology (3 devices, 2 numbers of cores, 4
// designs). A repetition of a window of 0.25 s takes about 0.55 s with its warm-up, its
// probe and the reading back of its log. Five of them are 66 s for each topology; with
// calibration and model, two topologies stay below three minutes, and the budget for
// what has to be done again ends before the fourth is over.
func (c *Config) extent() extent {
	if c.Full {
		return extent{
			workloads: []string{"worst-case", "small", "oltp"}, updaters: []int{2, defaultUpdaters, 32},
			window: 500 * time.Millisecond, repetitions: 7, budget: 90 * time.Minute,
		}
	}
	return extent{
		workloads: []string{"worst-case"}, updaters: []int{defaultUpdaters},
		window: 250 * time.Millisecond, repetitions: 5, budget: 210 * time.Second,
	}
}

// cores are one and all.
func cores() []int {
	if n := hostinfo.Read().Cores.Usable; n > 1 {
		return []int{1, n}
	}
	return []int{1}
}

// designs are the canonical ones, each with the suite that it has here.
func designs() []string {
	list := slices.Clone(strategies.Canonical())
	for i, name := range list {
		d, err := strategies.Lookup(name)
		if err != nil {
			panic("validate: " + err.Error()) // the registry's own list
		}
		if d.Mode != strategies.ModeNone {
			list[i] = name + "+" + d.DefaultSuite
		}
	}
	return list
}

// check finds what the user has to change, an [experiment.UsageError], and fills in
// the locks.
func (c *Config) check() error {
	for _, t := range []struct {
		flag  string
		value float64
	}{{"--target-median", c.TargetMedian}, {"--target-worst", c.TargetWorst}} {
		if !(t.value > 0 && t.value <= maxTarget) {
			return usagef("%s %v: want more than 0 and at most %d, as a share (0.1 is 10 %%)", t.flag, t.value, maxTarget)
		}
	}
	if c.Patience < 0 || c.Patience > maxPatience {
		return usagef("--patience %v: want 0s to %v", c.Patience, maxPatience)
	}
	if len(c.Locks) == 0 {
		c.Locks = slices.Clone(locks)
		return nil
	}
	for i, l := range c.Locks {
		if slices.Contains(c.Locks[:i], l) {
			return usagef("--lock: %s is there twice", l)
		}
		if err := accepts(l); err != nil {
			return err
		}
	}
	return nil
}

// maxPatience keeps a typing mistake from waiting for days.
const maxPatience = 24 * time.Hour

// maxTarget is an error of so many times: no model is that bad.
const maxTarget = 100

// accepts says whether this version can run with a lock.
func accepts(lock string) error {
	_, err := experiment.NewRun(experiment.Config{FS: vfs.NewMem(), Workloads: []string{"small"}, Lock: lock, Device: "null"})
	return err
}

func usagef(format string, args ...any) error {
	return &experiment.UsageError{Err: fmt.Errorf(format, args...)}
}
