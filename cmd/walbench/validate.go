package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment/calibrate"
	"github.com/walbench/walbench/experiment/validate"
	"github.com/walbench/walbench/results"
)

const validateLong = `Hold the model against this machine. What single operations cost is measured first (walbench
calibrate; --profile takes a given profile instead); then the four canonical designs run on the real
clock and on the virtual one, on one core and on all there are, with no device, one in memory and a
modelled one, under every locking that there is. Each cell is measured five times in turns with the
others. An error is modelled / measured - 1 of the medians: of commits a second, and of how long the
lock is held a commit.

Repetitions during which something else had more than 5 % of the machine, or the hypervisor took as
much, are done again, and so are cells whose repetitions disagree. What stays noisy is marked and
left out. --patience waits for quiet moments on a machine that others use. The default takes less
than four minutes on two cores, --full (more workloads and updaters, longer windows) an hour. That
model and machine agree on few cores proves nothing for many.

Exit code 0 means that the errors are within the targets, 1 that they are beyond, 4 that more than a
quarter of the cells stayed noisy. Ctrl-C keeps what is there, marked as partial (130).`

const validateExample = `  walbench validate
  walbench validate --profile profile.json --json validation.json
  walbench validate --full --target-median 0.05`

// validateFlags are the flags of `walbench validate` as typed.
type validateFlags struct {
	profile, json string
	locks         []string
	full, quiet   bool
	median, worst float64
	patience      time.Duration
}

func (f *validateFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.profile, "profile", "", "`FILE` or name of the cost profile to validate (default: calibrate first)")
	fl.StringSliceVar(&f.locks, "lock", nil, "`LIST` of lockings (default: all that this version has)")
	fl.BoolVar(&f.full, "full", false, "three workloads, three numbers of updaters, longer windows")
	fl.DurationVar(&f.patience, "patience", 0, "how long to wait in all, `D`, for moments in which nothing else runs")
	fl.Float64Var(&f.median, "target-median", validate.DefaultMedian, "largest median `ERROR`, as a share")
	fl.Float64Var(&f.worst, "target-worst", validate.DefaultWorst, "largest single `ERROR`, as a share")
	fl.StringVar(&f.json, "json", "", "`FILE` for the result; - is standard output, and then no table is printed")
	fl.BoolVar(&f.quiet, "quiet", false, "print neither table nor progress")
}

func (f *validateFlags) check(fl *pflag.FlagSet) error {
	if err := checkGiven(fl, map[string]string{"profile": f.profile, "json": f.json}); err != nil {
		return err
	}
	if fl.Changed("lock") && len(f.locks) == 0 {
		return usagef("--lock: is empty")
	}
	for _, l := range f.locks {
		if l == "" {
			return usagef("--lock: a name in the list is empty")
		}
	}
	return nil
}

func (a *app) validateCommand() *cobra.Command {
	f := &validateFlags{}
	cmd := &cobra.Command{
		Use:     "validate",
		Short:   "Hold the model against this machine",
		Long:    validateLong,
		Example: validateExample,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.validate(f, cmd) },
	}
	f.register(cmd.Flags())
	return cmd
}

// validate is the command behind its flags.
func (a *app) validate(f *validateFlags, cmd *cobra.Command) error {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	if err := f.check(cmd.Flags()); err != nil {
		return err
	}
	cfg := validate.Config{FS: a.fs, Full: f.full, Locks: f.locks, TargetMedian: f.median, TargetWorst: f.worst, Patience: f.patience}
	if f.profile != "" {
		profile, _, err := calibrate.Resolve(a.fs, f.profile)
		if err != nil {
			return err
		}
		cfg.Profile = profile
	}
	r, err := validate.New(cfg)
	if err != nil {
		return err
	}
	if err := a.checkWritable(output{"--json", f.json}); err != nil {
		return err
	}
	var out *results.Validation
	a.carryOut("validating", f.quiet, func(stop <-chan struct{}, tell func(string)) { out, err = r.Execute(stop, tell) })
	if out == nil { // stopped while it calibrated
		return err
	}
	return errors.Join(err, a.writeReport(out, f.json, f.quiet))
}
