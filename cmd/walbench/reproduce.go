package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment/calibrate"
	"github.com/walbench/walbench/experiment/reproduce"
	"github.com/walbench/walbench/results"
)

const reproduceLong = `Set what a document says beside what walbench makes of it. Each row has the document's figure, the
same modelled from the document's own figures about its machine (with the range from halving and
doubling each input that is not cited), measured on this machine, and modelled from costs measured
on this machine for as many cores. No column holds another one's figures.

wal-worst-case is the article that walbench takes its question from: what pg_tde's WAL encryption
costs in the worst case before and after its fix, a prototype that encrypts before the lock, and a
naive version of the same idea.

The exit code says whether it ran, not whether the document is right: that is in the rows. Ctrl-C
keeps what is there, marked as partial (exit code 130).`

const reproduceExample = `  walbench reproduce wal-worst-case
  walbench reproduce wal-worst-case --scale full --json worst-case.json`

// reproduceFlags are the flags of `walbench reproduce` as typed.
type reproduceFlags struct {
	scale, profile, json string
	quiet                bool
}

func (f *reproduceFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.scale, "scale", "small", "`SCALE` of what is measured: small (half a minute), full (minutes), or a part of full such as 0.3")
	fl.StringVar(&f.profile, "profile", "", "`FILE` or name of the cost profile of this machine (default: the one calibrated on this CPU, else reference)")
	fl.StringVar(&f.json, "json", "", "`FILE` for the result; - is standard output, and then no table is printed")
	fl.BoolVar(&f.quiet, "quiet", false, "print neither table nor progress")
}

func (f *reproduceFlags) check(fl *pflag.FlagSet) error {
	return checkGiven(fl, map[string]string{"scale": f.scale, "profile": f.profile, "json": f.json})
}

func (a *app) reproduceCommand() *cobra.Command {
	f := &reproduceFlags{}
	cmd := &cobra.Command{
		Use:       "reproduce NAME",
		Short:     "Set a document's figures beside ours",
		Long:      reproduceLong,
		Example:   reproduceExample,
		ValidArgs: reproduce.Names(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("reproduce: want one name (%s)", strings.Join(reproduce.Names(), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.reproduce(f, cmd, args[0]) },
	}
	f.register(cmd.Flags())
	return cmd
}

// reproduce is the command behind its flags.
func (a *app) reproduce(f *reproduceFlags, cmd *cobra.Command, name string) error {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	if err := f.check(cmd.Flags()); err != nil {
		return err
	}
	profile, note, err := calibrate.Resolve(a.fs, f.profile)
	if err != nil {
		return err
	}
	r, err := reproduce.New(reproduce.Config{FS: a.fs, Name: name, Scale: f.scale, Profile: profile, ProfileNote: note})
	if err != nil {
		return err
	}
	if err := a.checkWritable(output{"--json", f.json}); err != nil {
		return err
	}
	var out *results.Reproduction
	a.carryOut("reproducing", f.quiet, func(stop <-chan struct{}, tell func(string)) { out, err = r.Execute(stop, tell) })
	return errors.Join(err, a.writeReport(out, f.json, f.quiet))
}
