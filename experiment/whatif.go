package experiment

import (
	"fmt"
	"strings"
	"time"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// WhatIf is a change of a modelled run, as typed.
type WhatIf struct{ Knob, Value string }

func (w WhatIf) String() string { return w.Knob + "=" + w.Value }

// ParseWhatIfs reads KNOB=VALUE. What knobs there are is looked up by [NewRun].
func ParseWhatIfs(list []string) (all []WhatIf, err error) {
	for _, text := range list {
		knob, value, ok := strings.Cut(text, "=")
		if !ok || knob == "" || value == "" {
			return nil, usagef("--what-if %q: want KNOB=VALUE, such as sync-latency=100us", text)
		}
		all = append(all, WhatIf{knob, value})
	}
	return all, nil
}

// changedRun is a run with one thing changed.
type changedRun struct {
	change results.Change
	run    *Run
}

// maxSyncLatency keeps a typing mistake out of the results.
const maxSyncLatency = time.Minute

// checkWhatIfs checks what only a model can be asked.
func (c *Config) checkWhatIfs() error {
	switch modelled := len(c.VirtualCores) > 0; {
	case c.SyncLatency != nil && !modelled:
		return usagef("--sync-latency: only with --virtual-cores")
	case len(c.WhatIfs) > 0 && !modelled:
		return usagef("--what-if: only with --virtual-cores")
	case c.SyncLatency != nil && (*c.SyncLatency < 0 || *c.SyncLatency > maxSyncLatency):
		return usagef("--sync-latency %v: want 0s to %v", *c.SyncLatency, maxSyncLatency)
	}
	return nil
}

// syncLatency is SyncLatency on a clock; nil if it is not given.
func (c *Config) syncLatency() *simtime.Duration {
	if c.SyncLatency == nil {
		return nil
	}
	return new(clockDuration(*c.SyncLatency))
}

// openWhatIfs makes a run of each change, so that what is wrong with one is found
// before anything runs.
func (r *Run) openWhatIfs() error {
	seen := map[WhatIf]bool{}
	for _, w := range r.cfg.WhatIfs {
		if seen[w] {
			return usagef("--what-if %s: is there twice", w)
		}
		seen[w] = true
		changed, err := r.changed(w)
		if err != nil {
			return fmt.Errorf("--what-if %s: %w", w, err)
		}
		r.whatIfs = append(r.whatIfs, changed)
	}
	return nil
}

// changed is the run with one thing changed. It leaves no files, and only counts:
// the times are the same.
func (r *Run) changed(w WhatIf) (changedRun, error) {
	k, err := r.cfg.lookupKnob(w.Knob)
	if err != nil {
		return changedRun{}, &UsageError{err}
	}
	cfg := r.cfg
	cfg.WhatIfs, cfg.Ranges, cfg.Verify = nil, false, false
	if strings.HasPrefix(cfg.Device, "file:") {
		cfg.Device = ProfileDevice
	}
	if err := k.set(&cfg, w.Value); err != nil {
		return changedRun{}, &UsageError{err}
	}
	run, err := NewRun(cfg)
	return changedRun{results.Change{Knob: w.Knob, Value: w.Value, Phrase: k.phrase(w.Value)}, run}, err
}

// addWhatIfs runs what has been changed, with as many commits as the run itself
// had, and says what came of it.
func (r *Run) addWhatIfs(res *results.Run, stop <-chan struct{}) error {
	for _, w := range r.whatIfs {
		w.run.planAs(r)
		changed, err := w.run.Execute(stop, nil)
		if changed != nil {
			res.AddWhatIf(w.change, changed)
		}
		if err != nil {
			return fmt.Errorf("what if %s=%s: %w", w.change.Knob, w.change.Value, err)
		}
	}
	return nil
}

// planAs gives the loads of r the commits that those of o have: of the same number
// of cores if there is one, else of the first.
func (r *Run) planAs(o *Run) {
	if r.exact != nil {
		return
	}
	for _, l := range r.loads {
		for _, p := range o.loads {
			if p.workload.Name() == l.workload.Name() && (!l.planned || p.cores == l.cores) {
				l.planned, l.commits, l.warmup = true, p.commits, p.warmup
			}
		}
	}
}
