package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/results"
)

const runLong = `Run strategies on one workload and compare them.

All strategies do the same work. Their repetitions are interleaved in balanced order, lock hold and
throughput are compared with "none" run by run, and every log is read back and compared with what
was acknowledged (exit code 5 if it differs; not on the null device, which keeps nothing).

Without flags the four strategies of the canonical comparison go through the worst case (worst-case)
and the ordinary one (oltp), with 64 updaters, in less than a minute. With --workload, --strategy,
--commits, --duration or a flag of the tables there is one workload.

With --virtual-cores nothing is measured: the same run is computed for any number of cores from what
single operations cost (--profile, walbench calibrate), in seconds, and to the byte the same each
time. Every figure comes with its range, halving and doubling each cost that is not cited, and with
what limits it. A run without flags has such a part for 32 cores below what it has measured. On
virtual cores nothing is kept and read back, unless --verify or a file device asks for it. --what-if
repeats such a run with one thing changed at a time, and says what that does to each design.

The first Ctrl-C ends the run between transactions and keeps what is there, marked as partial (exit
code 130); a second one ends it at once.

Sizes are whole numbers of bytes, or have kB, MB, GB (as in postgresql.conf powers of 1024) or KiB,
MiB, GiB behind them. Times are Go durations such as 500ms or 1m30s.`

const runExample = `  walbench run
  walbench run --workload small --clients 1 --strategy none,in-lock --commits 20000
  walbench run --workload trace:worst.csv.gz --device file:/tmp/logs --json result.json
  walbench run --virtual-cores 1,4,16,64 --workload small --think 100us
  walbench run --virtual-cores 32 --what-if sync-latency=100us,cores=8
  walbench run --workload wal:/var/lib/postgresql/15/main/pg_wal --duration 5s --runs 10`

func (a *app) runCommand() *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:     "run",
		Short:   "Run strategies on a workload, compare them, read every log back",
		Long:    runLong,
		Example: runExample,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.run(f, cmd) },
	}
	f.register(cmd)
	return cmd
}

// run is the command behind its flags.
func (a *app) run(f *runFlags, cmd *cobra.Command) error {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	cfg, err := f.config(cmd.Flags(), a.fs)
	if err != nil {
		return err
	}
	cfg.CommandLine = append([]string{"walbench"}, a.args...)
	r, err := experiment.NewRun(cfg)
	if err != nil {
		return err
	}
	if err := a.prepareOutputs(f); err != nil {
		return err
	}
	stop, release := a.interrupts(f.quiet, "transactions", func() {})
	defer release()
	res, err := r.Execute(stop, func(p experiment.Progress) {
		if !f.quiet {
			a.screen.progress(progressText(p))
		}
	})
	a.screen.clear()
	if res != nil {
		err = errors.Join(err, a.writeResult(f, res))
	}
	return err
}

func progressText(p experiment.Progress) string {
	return fmt.Sprintf("%3d%%  run %d of %d  %s (%s)",
		100*p.Done/max(1, p.Total), p.Repetition, p.Repetitions, p.Strategy, p.Suite)
}

// outputs lists the files of the result; "" where one is not wanted.
func (f *runFlags) outputs() (json, outJSON, outTable output) {
	json = output{"--json", f.json}
	if f.out != "" {
		outJSON = output{"--out", filepath.Join(f.out, "result.json")}
		outTable = output{"--out", filepath.Join(f.out, "table.txt")}
	}
	return json, outJSON, outTable
}

func (a *app) prepareOutputs(f *runFlags) error {
	if f.out != "" {
		if err := a.fs.MkdirAll(f.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	json, outJSON, outTable := f.outputs()
	for _, o := range []output{json, outJSON, outTable} {
		if err := a.checkWritable(o); err != nil {
			return err
		}
	}
	return nil
}

// writeResult writes the result everywhere it is wanted. The table goes to
// standard output unless the JSON document does.
func (a *app) writeResult(f *runFlags, res *results.Run) error {
	asJSON := func(w io.Writer) error { return results.Encode(w, res) }
	asTable := func(w io.Writer) error { return results.WriteTable(w, res) }
	json, outJSON, outTable := f.outputs()
	errs := []error{a.write(json, asJSON), a.write(outJSON, asJSON), a.write(outTable, asTable)}
	if !f.quiet && f.json != toStdout {
		errs = append(errs, asTable(a.stdout))
	}
	return errors.Join(errs...)
}
