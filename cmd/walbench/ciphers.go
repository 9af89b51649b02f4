package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/ciphers"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

const ciphersLong = `Measure cipher suites alone: how long one record takes, by implementation, by the way of calling it
and by the size of the record.

Calls: per-record is one call a record, with a new nonce each; batch is one call for many records,
with a nonce each; stream is one long keystream that is cut in pieces. Contexts are kept; what one
costs to make is told apart. Copying the records (memcpy) is always measured too.

In each round everything is timed once, about 0.2 ms each, on records that stay in the caches; times
are the best of all rounds, ratios medians of what stood side by side in a round. With --rival
openssl a program that does the same with OpenSSL is built, with a C compiler, and takes part in the
same rounds.

Sizes are as for walbench run, and 30-100 means random lengths from 30 to 100 bytes. Ctrl-C keeps
what is there, marked as partial (exit code 130).`

const ciphersExample = `  walbench ciphers
  walbench ciphers --suite aes-128-ctr,aes-256-ctr --size 64,8kB --rival openssl
  walbench ciphers --table article --rival openssl
  walbench ciphers --call batch --size 30-100 --rounds 501 --json -`

func (a *app) ciphersCommand() *cobra.Command {
	f := &ciphersFlags{}
	cmd := &cobra.Command{
		Use:     "ciphers",
		Short:   "Measure cipher suites alone: implementations, calls, record sizes",
		Long:    ciphersLong,
		Example: ciphersExample,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.ciphers(f, cmd) },
	}
	f.register(cmd)
	return cmd
}

// ciphers is the command behind its flags.
func (a *app) ciphers(f *ciphersFlags, cmd *cobra.Command) error {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	cfg, err := f.config(cmd.Flags())
	if err != nil {
		return err
	}
	for _, o := range f.outputs() {
		if err := a.checkWritable(o); err != nil {
			return err
		}
	}
	if cfg.Rival != "" {
		if cfg.RivalFolder, err = os.MkdirTemp("", ciphers.RivalFolderPattern); err != nil {
			return fmt.Errorf("folder for the rival: %w", err)
		}
	}
	removeRival := func() {
		if cfg.RivalFolder != "" {
			os.RemoveAll(cfg.RivalFolder)
		}
	}
	defer removeRival()
	stop, release := a.interrupts(f.quiet, "sample", removeRival)
	defer release()
	r, err := ciphers.New(cfg, stop)
	if err != nil {
		return ciphersError(err)
	}
	report, err := r.Execute(stop, func(p ciphers.Progress) {
		if !f.quiet {
			a.screen.progress(ciphersProgress(p))
		}
	})
	a.screen.clear()
	return errors.Join(ciphersError(err), r.Close(), a.writeCiphers(f, report))
}

// ciphersError gives an error the meaning that exit codes are made of.
func ciphersError(err error) error {
	var unknown *strategies.UnknownError
	switch {
	case errors.As(err, &unknown), errors.Is(err, aesctr.ErrImplementation), errors.Is(err, ciphers.ErrNothing):
		return &experiment.UsageError{Err: err}
	}
	return err
}

func ciphersProgress(p ciphers.Progress) string {
	what := "calibrating"
	if p.Round > 0 {
		what = fmt.Sprintf("round %d of %d", p.Round, p.Rounds)
	}
	return fmt.Sprintf("%3d%%  %s", 100*p.Done/max(1, p.Total), what)
}

func (f *ciphersFlags) outputs() []output {
	return []output{{"--json", f.json}, {"--benchfmt", f.benchfmt}}
}

// writeCiphers writes the report everywhere it is wanted. One without rows, of a
// run that was stopped before anything was measured, replaces nothing.
func (a *app) writeCiphers(f *ciphersFlags, p *ciphers.Report) error {
	if len(p.Rows) == 0 {
		return nil
	}
	outputs := f.outputs()
	errs := []error{a.write(outputs[0], p.WriteJSON), a.write(outputs[1], p.WriteBenchfmt)}
	if !f.quiet && f.json != toStdout && f.benchfmt != toStdout {
		errs = append(errs, ciphersTable(f, p)(a.stdout))
	}
	return errors.Join(errs...)
}

func ciphersTable(f *ciphersFlags, p *ciphers.Report) func(io.Writer) error {
	if f.table == tableArticle {
		return p.WriteArticle
	}
	return p.WriteText
}
