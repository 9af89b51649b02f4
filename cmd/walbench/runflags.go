package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/sizeflag"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// runFlags are the flags of `walbench run` as typed.
type runFlags struct {
	strategies, suites []string
	workload           string
	clients            int
	device             string
	locks              lockFlags
	warmup, duration   time.Duration
	commits            int64
	runs               int
	seed               uint64
	segmentSize        sizeflag.Size
	walBuffers, keep   sizeflag.Size
	traceOrder         string
	masterKey          string
	json, out          string
	quiet              bool
	pages              pageFlagValues
	model              modelFlags
	think              time.Duration
}

func (f *runFlags) register(cmd *cobra.Command) {
	f.segmentSize = sizeflag.Size(pgformat.DefaultSegmentSize)
	f.walBuffers = sizeflag.Size(pgformat.DefaultSegmentSize)
	f.keep = experiment.DefaultKeep
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringSliceVar(&f.strategies, "strategy", strategies.Canonical(), "`LIST` of strategies, see walbench list strategies; STRATEGY+SUITE has a suite of its own")
	fl.StringSliceVar(&f.suites, "suite", nil, "`LIST` of cipher suites (default: that of each strategy)")
	fl.StringVar(&f.workload, "workload", loadgen.Default, "`NAME` of the workload, see walbench list workloads")
	fl.IntVar(&f.clients, "clients", experiment.DefaultClients, "`NUMBER` of updaters")
	f.locks.register(fl)
	fl.StringVar(&f.device, "device", experiment.DefaultDevice, "`SPEC` of where the log goes: null, memory, model:LATENCY,BANDWIDTH[,varying] (memory whose syncs take their time, or each another around that mean; model is model:10us,4GB/s), file:DIR, or with --virtual-cores profile (the one of the profile's machine)")
	fl.DurationVar(&f.warmup, "warmup", experiment.DefaultWarmup, "`TIME` before anything is measured; with --commits N the default is N/10 commits")
	fl.DurationVar(&f.duration, "duration", experiment.DefaultDuration, "`TIME` from which the number of commits is set, by a pilot run of none")
	fl.Int64Var(&f.commits, "commits", 0, "`NUMBER` of measured commits per strategy and repetition, in place of --duration")
	fl.IntVar(&f.runs, "runs", experiment.DefaultRuns, "`NUMBER` of repetitions")
	fl.Uint64Var(&f.seed, "seed", experiment.DefaultSeed, "`NUMBER` that the work is drawn from; keys never are")
	fl.Var(&f.segmentSize, "segment-size", "`SIZE` of a segment file, a power of two from 1MB to 1GB")
	fl.Var(&f.walBuffers, "wal-buffers", "`SIZE` of the WAL buffers")
	fl.Var(&f.keep, "keep", "`SIZE` of the log kept; beyond it a repetition pauses, verifies and recycles")
	fl.DurationVar(&f.think, "think", 0, "`TIME` of work outside the lock before each transaction, on a core")
	f.model.register(fl)
	fl.StringVar(&f.traceOrder, "trace-order", "", "`ORDER`: exact replays a trace with one writer at its own LSNs")
	fl.StringVar(&f.masterKey, "master-key-file", "", "`FILE` with the master key (default: one is drawn for each log)")
	fl.StringVar(&f.json, "json", "", "`FILE` for the result; - is standard output, and then no table is printed")
	fl.StringVar(&f.out, "out", "", "`DIR` for result.json and table.txt")
	fl.BoolVar(&f.quiet, "quiet", false, "print neither table nor progress")
	f.pages.register(fl)
	f.complete(cmd)
}

// complete offers the names of strategies and suites to the shell.
func (f *runFlags) complete(cmd *cobra.Command) {
	for flag, names := range map[string][]string{
		"strategy": strategies.Names(), "suite": suiteNames(), "lock": {experiment.LockSingle, experiment.LockPostgres},
		"synchronous-commit": {synchronousOn, synchronousOff}, "trace-order": {experiment.TraceOrderExact},
	} {
		err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
		if err != nil {
			panic("walbench: " + err.Error()) // a flag that is not there
		}
	}
}

// config makes the configuration. Values that are wrong whatever the workload
// are refused here where package experiment would take them for "not given".
func (f *runFlags) config(fl *pflag.FlagSet, fsys vfs.FS) (experiment.Config, error) {
	cfg := experiment.Config{
		FS: fsys, Strategies: f.strategies, Suites: f.suites, Workloads: f.workloads(fl), Clients: f.clients,
		Device: f.device, Commits: f.commits, Warmup: -1, Runs: f.runs, Seed: f.seed,
		SegmentSize: pgformat.SegmentSize(f.segmentSize), WALBuffers: int(f.walBuffers), Keep: int64(f.keep),
		TraceOrder: f.traceOrder, MasterKey: f.masterKey, Think: f.think,
	}
	f.locks.apply(&cfg)
	if f.model.modelled(fl) && !fl.Changed("runs") {
		cfg.Runs = 0 // fewer than of a measured run
	}
	if fl.Changed("duration") {
		cfg.Duration = f.duration
	}
	if fl.Changed("warmup") {
		cfg.Warmup = f.warmup
	}
	cfg.Pages = f.pages.options
	cfg.Pages.CheckpointBytes = int64(f.pages.checkpoint)
	if err := f.check(fl); err != nil {
		return cfg, err
	}
	return cfg, f.model.apply(&cfg, fl, fsys)
}

func (f *runFlags) check(fl *pflag.FlagSet) error {
	for flag, value := range map[string]int64{
		"clients": int64(f.clients), "commits": f.commits, "runs": int64(f.runs),
		"segment-size": int64(f.segmentSize), "wal-buffers": int64(f.walBuffers), "keep": int64(f.keep),
	} {
		if fl.Changed(flag) && value < 1 {
			return usagef("--%s %d: want at least 1", flag, value)
		}
	}
	if err := checkGiven(fl, map[string]string{
		"workload": f.workload, "lock": f.locks.lock, "device": f.device, "trace-order": f.traceOrder,
		"master-key-file": f.masterKey, "json": f.json, "out": f.out,
	}); err != nil {
		return err
	}
	switch {
	case fl.Changed("duration") && f.duration <= 0:
		return usagef("--duration %v: want more than 0", f.duration)
	case f.think < 0:
		return usagef("--think %v: want 0 or more", f.think)
	case f.warmup < 0:
		return usagef("--warmup %v: want 0 or more", f.warmup)
	case f.seed > results.MaxSeed:
		return usagef("--seed %d: want at most %d, which a result file can hold", f.seed, uint64(results.MaxSeed))
	}
	if err := checkList("strategy", f.strategies, fl); err != nil {
		return err
	}
	if err := checkList("suite", f.suites, fl); err != nil {
		return err
	}
	if err := checkPages(fl); err != nil {
		return err
	}
	if err := f.locks.check(fl); err != nil {
		return err
	}
	if err := f.model.check(fl); err != nil {
		return err
	}
	return f.checkExact(fl)
}

// checkPages refuses values that package loadgen would take for "not given".
func checkPages(fl *pflag.FlagSet) error {
	for _, flag := range pageFlags {
		if value := fl.Lookup(flag).Value.String(); fl.Changed(flag) && (value == "" || value == "0") && flag != "compressibility" {
			return usagef("--%s %q: want a value, or leave it out", flag, value)
		}
	}
	return nil
}

// checkList refuses lists with nothing in them or in one of their places.
func checkList(flag string, list []string, fl *pflag.FlagSet) error {
	if fl.Changed(flag) && (len(list) == 0 || slices.Contains(list, "")) {
		return usagef("--%s: a name in the list is empty", flag)
	}
	return nil
}

// checkExact refuses flags that an exact replay has no use for.
func (f *runFlags) checkExact(fl *pflag.FlagSet) error {
	if f.traceOrder == "" {
		return nil
	}
	for _, flag := range []string{"duration", "warmup", "commits"} {
		if fl.Changed(flag) {
			return usagef("--trace-order %s replays the whole trace: leave out --%s", f.traceOrder, flag)
		}
	}
	if fl.Changed("clients") && f.clients != 1 {
		return usagef("--trace-order %s has one writer: leave out --clients %d", f.traceOrder, f.clients)
	}
	return nil
}

func suiteNames() []string {
	var names []string
	for _, s := range strategies.Suites() {
		names = append(names, s.Name)
	}
	return names
}

var _ pflag.Value = (*sizeflag.Size)(nil)

// workloads are the workloads of the run: the one that was named, or, with
// nothing said about the work, the canonical worst and ordinary case.
func (f *runFlags) workloads(fl *pflag.FlagSet) []string {
	for _, flag := range append(pageFlags, "workload", "strategy", "commits", "duration", "trace-order", "virtual-cores") {
		if fl.Changed(flag) {
			return []string{f.workload}
		}
	}
	return experiment.CanonicalWorkloads()
}
