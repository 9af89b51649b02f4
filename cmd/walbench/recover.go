package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/walbench/walbench/experiment"
)

const recoverLong = `Read a log back: walk its segments, decrypt them, check every checksum, link and page header, and
say where and how the log ends.

DIR is a folder with segment files: one that walbench run --device file:DIR has left (a folder for
each strategy), or that of a PostgreSQL server of version 15 to 18. FILEs are segment files of one
log. Either may be compressed with gzip.

An end is clean (nothing has been written there), torn (what a crash leaves; exit code 0) or
damaged (a place cannot be read that has to be readable; exit code 5). With --plain the log is also
written, decrypted, to a new folder, for pg_waldump. With --records one line a record is printed in
place of the summary.`

const recoverExample = `  walbench recover /tmp/logs/in-lock_aes-128-ctr
  walbench recover --records --plain /tmp/plain /tmp/logs/in-lock_aes-128-ctr
  walbench recover --json - pg_wal/0000000100000000000000*`

// recoverFlags are the flags of `walbench recover`.
type recoverFlags struct {
	plain, json, masterKey string
	records                bool
}

func (a *app) recoverCommand() *cobra.Command {
	f := &recoverFlags{}
	cmd := &cobra.Command{
		Use:     "recover DIR|FILE...",
		Short:   "Read a log back, check it, decrypt it",
		Long:    recoverLong,
		Example: recoverExample,
		Args:    f.args,
		RunE:    func(_ *cobra.Command, args []string) error { return a.recover(f, args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.plain, "plain", "", "`DIR` for the decrypted log, new or empty")
	fl.BoolVar(&f.records, "records", false, "print one line a record: LSN, prev, rmgr, type, transaction, lengths, images")
	fl.StringVar(&f.json, "json", "", "`FILE` for the report; - is standard output, and then no summary is printed")
	fl.StringVar(&f.masterKey, "master-key-file", "", "`FILE` with the master key (default: master.key beside the segments)")
	return cmd
}

func (f *recoverFlags) args(cmd *cobra.Command, args []string) error {
	fl := cmd.Flags()
	if err := checkGiven(fl, map[string]string{"plain": f.plain, "json": f.json, "master-key-file": f.masterKey}); err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		return usagef("name a folder with segments, or segment files (see %s --help)", cmd.CommandPath())
	case f.records && f.json == toStdout:
		return usagef("--records and --json - both print to standard output: name a file for one of them")
	}
	return nil
}

// recover is the command behind its flags.
func (a *app) recover(f *recoverFlags, inputs []string) error {
	if _, err := selectedKernel(); err != nil {
		return err
	}
	json := output{"--json", f.json}
	if err := a.checkWritable(json); err != nil {
		return err
	}
	cfg := experiment.RecoverConfig{FS: a.fs, Inputs: inputs, Plain: f.plain, MasterKey: f.masterKey}
	if f.records {
		cfg.Records = a.stdout
	}
	report, err := experiment.Recover(cfg)
	if report == nil {
		return err
	}
	for _, w := range report.Warnings {
		a.screen.say("warning: %s", w)
	}
	errs := []error{err, a.write(json, report.WriteJSON)}
	if !f.records && f.json != toStdout {
		errs = append(errs, report.WriteText(a.stdout))
	}
	return errors.Join(errs...)
}
