package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment/calibrate"
	"github.com/walbench/walbench/simtime"
)

const calibrateLong = `Measure what single operations cost on this machine: copying, checksums, every cipher suite by call
pattern, making records, writing, a mutex, waking a thread. The result is a cost profile for
"walbench run --virtual-cores". The log itself is never run.

The profile is kept in the user's cache folder, where later runs on this kind of processor find it;
--json writes it elsewhere too. Without --device the time of a disk's sync is not measured but taken
from the profile "reference". Let nothing else run meanwhile: a busy machine gives a warning, and
the profile keeps it. Ctrl-C keeps nothing (exit code 130).`

const calibrateExample = `  walbench calibrate
  walbench calibrate --device file:/var/lib/postgresql --json profile.json
  walbench run --virtual-cores 32 --profile profile.json`

// calibrateFlags are the flags of `walbench calibrate` as typed.
type calibrateFlags struct {
	device, name, json string
	quick, quiet       bool
}

func (f *calibrateFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.device, "device", "", "`SPEC` of a disk whose syncs are to be timed: file:DIR, where a file of 16 MiB is made and removed")
	fl.StringVar(&f.name, "name", "", "`NAME` of the profile (default: made from the processor)")
	fl.StringVar(&f.json, "json", "", "`FILE` for the profile; - is standard output, and then no table is printed")
	fl.BoolVar(&f.quick, "quick", false, "few rounds: two seconds, and less to rely on; does not replace a kept profile of all rounds")
	fl.BoolVar(&f.quiet, "quiet", false, "print neither table nor progress")
}

func (f *calibrateFlags) check(fl *pflag.FlagSet) error {
	return checkGiven(fl, map[string]string{"device": f.device, "name": f.name, "json": f.json})
}

func (a *app) calibrateCommand() *cobra.Command {
	f := &calibrateFlags{}
	cmd := &cobra.Command{
		Use:     "calibrate",
		Short:   "Measure what single operations cost here, for modelled runs",
		Long:    calibrateLong,
		Example: calibrateExample,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.calibrate(f, cmd) },
	}
	f.register(cmd.Flags())
	return cmd
}

// calibrate is the command behind its flags.
func (a *app) calibrate(f *calibrateFlags, cmd *cobra.Command) error {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	if err := f.check(cmd.Flags()); err != nil {
		return err
	}
	r, err := calibrate.New(calibrate.Config{FS: a.fs, Device: f.device, Name: f.name, Quick: f.quick})
	if err != nil {
		return err
	}
	if err := a.checkWritable(output{"--json", f.json}); err != nil {
		return err
	}
	stop, release := a.interrupts(f.quiet, "sample", r.Abandon)
	defer release()
	p, err := r.Execute(stop, func(p calibrate.Progress) {
		if !f.quiet {
			a.screen.progress(fmt.Sprintf("%3d%%  calibrating", 100*p.Done/max(1, p.Total)))
		}
	})
	a.screen.clear()
	if err != nil {
		return err
	}
	return a.writeProfile(f, p)
}

// writeProfile writes the profile everywhere it is wanted, and keeps it.
func (a *app) writeProfile(f *calibrateFlags, p *simtime.Profile) error {
	err := a.write(output{"--json", f.json}, func(w io.Writer) error { return simtime.EncodeProfile(w, p) })
	if err != nil {
		return err
	}
	if !f.quiet && f.json != toStdout {
		if err := calibrate.WriteText(a.stdout, p); err != nil {
			return err
		}
	}
	return a.keepProfile(f, p)
}

// keepProfile keeps p for later runs. A user without a cache folder has --json.
func (a *app) keepProfile(f *calibrateFlags, p *simtime.Profile) error {
	path, err := calibrate.CachePath()
	if err != nil {
		a.screen.say("the profile is kept nowhere but in --json: %s", oneLine(err))
		return nil
	}
	kept, err := calibrate.Keep(a.fs, path, p)
	switch {
	case err != nil:
		return fmt.Errorf("keeping the profile: %w", err)
	case !kept:
		a.screen.say("not kept: %s is of all rounds, this one of few", path)
	case !f.quiet:
		a.screen.say("kept in %s for later runs", path)
	}
	return nil
}
