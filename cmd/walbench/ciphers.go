package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/ciphers"
)

const ciphersLong = `Measure the ciphers alone: suites, implementations and calls over records of several sizes, one
thread, nothing of the log around them. Nothing is written to disk.

The calls are per-record (one call for each record, each with a nonce of its own), batch (one call
for many such records) and stream (one long stream, cut into pieces). All rows of a size are timed
in turns, so that ratios compare neighbours in time.

With --rival openssl a small C program on libcrypto is compiled and timed in the same turns: with a
context that is kept and a new IV for each record (per-record), with counter blocks of many records
encrypted in one ECB call (batch), and as one long stream. It needs a C compiler and the headers of
libssl (Debian: gcc libssl-dev).

Sizes are bytes, may have kB or KiB behind them, or be a range such as 30-100 of random lengths.
Ctrl-C keeps what is there, marked as not complete (exit code 130).`

const ciphersExample = `  walbench ciphers
  walbench ciphers --table article --rival openssl
  walbench ciphers --suite aes-128-ctr --size 32,100,8KiB,30-100 --rounds 201 --json ciphers.json
  walbench ciphers --call batch --benchfmt new.txt`

// articleTable is the only word that --table takes.
const articleTable = "article"

// ciphersFlags are the flags of `walbench ciphers`.
type ciphersFlags struct {
	suites, implementations, calls, sizes []string
	rounds                                int
	table, rival, json, benchfmt          string
	quiet                                 bool
}

func (a *app) ciphersCommand() *cobra.Command {
	f := &ciphersFlags{}
	cmd := &cobra.Command{
		Use:     "ciphers",
		Short:   "Measure the ciphers alone, by call and record size",
		Long:    ciphersLong,
		Example: ciphersExample,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.ciphers(f, cmd) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringSliceVar(&f.suites, "suite", nil, "`LIST` of "+strings.Join(ciphers.SuiteNames(), ", "))
	fl.StringSliceVar(&f.implementations, "implementation", nil, "`LIST` of "+strings.Join(ciphers.ImplementationNames(), ", "))
	fl.StringSliceVar(&f.calls, "call", nil, "`LIST` of per-record, batch, stream")
	fl.StringSliceVar(&f.sizes, "size", nil, "`LIST` of record sizes (default "+sizeNames()+")")
	fl.IntVar(&f.rounds, "rounds", ciphers.DefaultRounds, "`N` times each row is timed")
	fl.StringVar(&f.table, "table", "", "print another `TABLE`: article (4 kB blocks, GB/s: read, copy, CTR, XTS, GCM)")
	fl.StringVar(&f.rival, "rival", "", "`NAME` of a program to be timed in the same rounds: openssl")
	fl.StringVar(&f.json, "json", "", "`FILE` for the report; - is standard output, and then no table is printed")
	fl.StringVar(&f.benchfmt, "benchfmt", "", "`FILE` for all rounds in Go's benchmark format; - is standard output")
	fl.BoolVar(&f.quiet, "quiet", false, "no table and no progress")
	return cmd
}

func sizeNames() string {
	var names []string
	for _, s := range ciphers.DefaultSizes() {
		names = append(names, s.String())
	}
	return strings.Join(names, ",")
}

// config is what the flags ask for.
func (f *ciphersFlags) config(cmd *cobra.Command) (cfg ciphers.Config, err error) {
	switch {
	case f.json == toStdout && f.benchfmt == toStdout:
		return cfg, usagef("--json - and --benchfmt - both print to standard output: name a file for one of them")
	case f.rounds < 1 || f.rounds > ciphers.MaxRounds:
		return cfg, usagef("--rounds %d: want 1 to %d", f.rounds, ciphers.MaxRounds)
	}
	for _, name := range []string{"table", "rival", "json", "benchfmt"} {
		if fl := cmd.Flags().Lookup(name); fl.Changed && fl.Value.String() == "" {
			return cfg, usagef("--%s: is empty", name)
		}
	}
	switch f.table {
	case "":
		cfg = ciphers.Config{Suites: f.suites, Implementations: f.implementations}
		if err := f.lists(&cfg); err != nil {
			return cfg, err
		}
	case articleTable:
		for _, name := range []string{"suite", "implementation", "call", "size"} {
			if cmd.Flags().Changed(name) {
				return cfg, usagef("--table article names what it measures: leave out --%s", name)
			}
		}
		cfg = ciphers.Article()
	default:
		return cfg, usagef("--table %q: want article", f.table)
	}
	cfg.Rounds = f.rounds
	return cfg, nil
}

func (f *ciphersFlags) lists(cfg *ciphers.Config) error {
	for _, text := range f.calls {
		known := false
		for _, call := range ciphers.Calls() {
			known = known || string(call) == text
		}
		if !known {
			return usagef("unknown call %q (known: per-record, batch, stream)", text)
		}
		cfg.Calls = append(cfg.Calls, ciphers.Call(text))
	}
	for _, text := range f.sizes {
		size, err := ciphers.ParseSize(text)
		if err != nil {
			return usagef("--size: %w", err)
		}
		cfg.Sizes = append(cfg.Sizes, size)
	}
	return nil
}

// ciphers is the command behind its flags.
func (a *app) ciphers(f *ciphersFlags, cmd *cobra.Command) (err error) {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	cfg, err := f.config(cmd)
	if err != nil {
		return err
	}
	if err := cfg.Check(); err != nil {
		return err
	}
	asJSON, asBenchfmt := output{"--json", f.json}, output{"--benchfmt", f.benchfmt}
	for _, o := range []output{asJSON, asBenchfmt} {
		if err := a.checkWritable(o); err != nil {
			return err
		}
	}
	if f.rival != "" {
		if cfg.Rival, err = ciphers.OpenRival(f.rival); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, cfg.Rival.Close()) }()
	}
	report, err := a.measureCiphers(f, cfg)
	if report == nil {
		return err
	}
	return errors.Join(err, a.writeCiphers(f, report))
}

func (a *app) measureCiphers(f *ciphersFlags, cfg ciphers.Config) (*ciphers.Report, error) {
	stop, release := a.interrupts(f.quiet, "the sample under way")
	defer release()
	if !f.quiet {
		cfg.Progress = func(done, all int) {
			a.screen.progress(fmt.Sprintf("%3d%%  round %d of %d", 100*done/max(1, all), done, all))
		}
	}
	report, err := ciphers.Measure(stop, cfg)
	a.screen.clear()
	if errors.Is(err, experiment.ErrInterrupted) && report != nil && len(report.Rows) == 0 {
		return nil, err // nothing to show
	}
	return report, err
}

// writeCiphers writes the report everywhere it is wanted.
func (a *app) writeCiphers(f *ciphersFlags, report *ciphers.Report) error {
	for _, w := range report.Warnings {
		a.screen.say("warning: %s", w)
	}
	errs := []error{
		a.write(output{"--json", f.json}, report.WriteJSON),
		a.write(output{"--benchfmt", f.benchfmt}, report.WriteBenchfmt),
	}
	text := func(w io.Writer) error { return report.WriteText(w) }
	if f.table == articleTable {
		text = report.WriteArticle
	}
	if !f.quiet && f.json != toStdout && f.benchfmt != toStdout {
		errs = append(errs, text(a.stdout))
	}
	return errors.Join(errs...)
}
