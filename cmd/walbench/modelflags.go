package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/calibrate"
	"github.com/walbench/walbench/internal/vfs"
)

// modelFlags are the flags of a run on virtual cores.
type modelFlags struct {
	cores   []int
	profile string
	verify  bool
	ranges  bool
	sync    time.Duration
	whatIfs []string
}

func (f *modelFlags) register(fl *pflag.FlagSet) {
	fl.IntSliceVar(&f.cores, "virtual-cores", nil, "`LIST` of numbers of cores, 1 to 1024: nothing is measured, the run is computed for each of them")
	fl.StringVar(&f.profile, "profile", "", "`FILE` or name of the cost profile of modelled figures (default: the one calibrated on this CPU, else reference)")
	fl.DurationVar(&f.sync, "sync-latency", 0, "`TIME` of a sync on virtual cores, besides its bytes, whatever the device")
	fl.StringSliceVar(&f.whatIfs, "what-if", nil, "`LIST` of changes such as sync-latency=100us,cores=8: on virtual cores, repeat the run with each of them and say what it changes (also "+experiment.KnobNames()+")")
	fl.BoolVar(&f.ranges, "ranges", true, "range of each modelled figure, which is most of the time that a modelled run takes; --ranges=false leaves it out")
	fl.BoolVar(&f.verify, "verify", false, "on virtual cores: move and encrypt every byte too, and read every log back")
}

// modelled says whether the run is computed.
func (f *modelFlags) modelled(fl *pflag.FlagSet) bool { return fl.Changed("virtual-cores") }

func (f *modelFlags) check(fl *pflag.FlagSet) error {
	switch {
	case f.modelled(fl) && len(f.cores) == 0:
		return usagef("--virtual-cores: is empty")
	case fl.Changed("verify") && !f.modelled(fl):
		return usagef("--verify: only with --virtual-cores; a measured run reads every log back anyhow")
	case fl.Changed("ranges") && !f.modelled(fl):
		return usagef("--ranges: only with --virtual-cores")
	case fl.Changed("sync-latency") && !f.modelled(fl):
		return usagef("--sync-latency: only with --virtual-cores; measured syncs take what --device says")
	case fl.Changed("what-if") && !f.modelled(fl):
		return usagef("--what-if: only with --virtual-cores")
	case fl.Changed("what-if") && len(f.whatIfs) == 0:
		return usagef("--what-if: is empty")
	case fl.Changed("profile") && f.profile == "":
		return usagef("--profile: is empty")
	}
	return nil
}

// apply makes cfg a modelled run, or adds a modelled block to the canonical one.
func (f *modelFlags) apply(cfg *experiment.Config, fl *pflag.FlagSet, fsys vfs.FS) error {
	canonical := len(cfg.Workloads) > 1
	switch {
	case f.modelled(fl):
		cfg.VirtualCores, cfg.Ranges, cfg.Verify = f.cores, f.ranges, f.verify
	case canonical:
		cfg.BlockCores = experiment.ModelledCores
	case fl.Changed("profile"):
		return usagef("--profile: nothing is modelled here: add --virtual-cores")
	default:
		return nil
	}
	profile, note, err := calibrate.Resolve(fsys, f.profile)
	if err != nil {
		return err
	}
	cfg.Profile, cfg.ProfileNote = profile, note
	if fl.Changed("sync-latency") {
		cfg.SyncLatency = &f.sync
	}
	cfg.WhatIfs, err = experiment.ParseWhatIfs(f.whatIfs)
	return err
}
