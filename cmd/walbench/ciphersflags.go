package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment/ciphers"
)

// ciphersFlags are the flags of `walbench ciphers` as typed.
type ciphersFlags struct {
	suites, implementations, calls, sizes []string
	rounds                                int
	table, rival                          string
	json, benchfmt                        string
	quiet                                 bool
}

// tableArticle is the only table that --table knows.
const tableArticle = "article"

func (f *ciphersFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringSliceVar(&f.suites, "suite", nil, "`LIST` of suites (default: all)")
	fl.StringSliceVar(&f.implementations, "implementation", nil, "`LIST` of implementations (default: all that can run here)")
	fl.StringSliceVar(&f.calls, "call", nil, "`LIST` of calls: per-record, batch, stream (default: all)")
	fl.StringSliceVar(&f.sizes, "size", nil, "`LIST` of record sizes; 30-100 means random lengths (default: 32 B to 80 KiB, and 30-100)")
	fl.IntVar(&f.rounds, "rounds", ciphers.DefaultRounds, "`NUMBER` of rounds, each with one sample of everything")
	fl.StringVar(&f.table, "table", "", "`NAME` of a preset: article (4 kB blocks: read, copy, CTR, XTS, GCM; by the selected implementation and the standard library)")
	fl.StringVar(&f.rival, "rival", "", "`NAME` of a library to compare with: openssl, which needs a C compiler and its headers")
	fl.StringVar(&f.json, "json", "", "`FILE` for the report; - is standard output, and then no table is printed")
	fl.StringVar(&f.benchfmt, "benchfmt", "", "`FILE` for all samples in the format of Go benchmarks; - as with --json")
	fl.BoolVar(&f.quiet, "quiet", false, "print neither table nor progress")
	f.complete(cmd)
}

func (f *ciphersFlags) complete(cmd *cobra.Command) {
	for flag, names := range map[string][]string{
		"suite": ciphers.Suites(), "implementation": ciphers.Implementations(), "call": ciphers.Calls(),
		"table": {tableArticle}, "rival": {ciphers.RivalOpenSSL},
	} {
		err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
		if err != nil {
			panic("walbench: " + err.Error()) // a flag that is not there
		}
	}
}

// config makes the configuration of what was typed.
func (f *ciphersFlags) config(fl *pflag.FlagSet) (ciphers.Config, error) {
	if err := f.check(fl); err != nil {
		return ciphers.Config{}, err
	}
	cfg := ciphers.Config{Suites: f.suites, Calls: f.calls}
	if f.table == tableArticle {
		cfg = ciphers.ArticleConfig()
	}
	if len(f.implementations) > 0 {
		cfg.Implementations = f.implementations
	}
	cfg.Rounds, cfg.Rival = f.rounds, f.rival
	for _, text := range f.sizes {
		size, err := ciphers.ParseSize(text)
		if err != nil {
			return cfg, usagef("--size: %w", err)
		}
		cfg.Sizes = append(cfg.Sizes, size)
	}
	return cfg, nil
}

func (f *ciphersFlags) check(fl *pflag.FlagSet) error {
	for flag, list := range map[string][]string{
		"suite": f.suites, "implementation": f.implementations, "call": f.calls, "size": f.sizes,
	} {
		if err := checkList(flag, list, fl); err != nil {
			return err
		}
	}
	if err := checkGiven(fl, map[string]string{"table": f.table, "rival": f.rival, "json": f.json, "benchfmt": f.benchfmt}); err != nil {
		return err
	}
	switch {
	case f.rounds < 1:
		return usagef("--rounds %d: want at least 1", f.rounds)
	case f.table != "" && f.table != tableArticle:
		return usagef("unknown table %q (known: %s)", f.table, tableArticle)
	case f.json != "" && f.json != toStdout && f.json == f.benchfmt:
		return usagef("--json and --benchfmt both write %s: name two files", f.json)
	case f.json == toStdout && f.benchfmt == toStdout:
		return usagef("--json - and --benchfmt - both print to standard output: name a file for one of them")
	}
	return f.checkTable(fl)
}

// checkTable refuses what the preset decides.
func (f *ciphersFlags) checkTable(fl *pflag.FlagSet) error {
	for _, flag := range []string{"suite", "call", "size"} {
		if f.table != "" && fl.Changed(flag) {
			return usagef("--table %s chooses suites, calls and sizes: leave out --%s", f.table, flag)
		}
	}
	return nil
}
