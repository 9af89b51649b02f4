package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/walsim"
)

// lockFlags are the flags that say which locks a log has.
type lockFlags struct {
	lock           string
	insertionLocks int
	commitDelay    time.Duration
	commitSiblings int
	synchronous    string
	writerDelay    time.Duration
}

// postgresFlags belong to --lock postgres.
var postgresFlags = []string{"insertion-locks", "commit-delay", "commit-siblings", "synchronous-commit", "wal-writer-delay"}

const (
	synchronousOn  = "on"
	synchronousOff = "off"
)

func (f *lockFlags) register(fl *pflag.FlagSet) {
	writerDelay := time.Duration(walsim.DefaultWALWriterDelay.Nanoseconds())
	fl.StringVar(&f.lock, "lock", experiment.LockSingle, "locking `MODEL`: single (one lock over all) or postgres (its insertion locks and group commit)")
	fl.IntVar(&f.insertionLocks, "insertion-locks", walsim.DefaultInsertionLocks, "`NUMBER` of insertion locks, with --lock postgres")
	fl.DurationVar(&f.commitDelay, "commit-delay", 0, "`TIME` that a flush waits for others to join it, with --lock postgres")
	fl.IntVar(&f.commitSiblings, "commit-siblings", walsim.DefaultCommitSiblings, "`NUMBER` of others inside a transaction without which it does not wait")
	fl.StringVar(&f.synchronous, "synchronous-commit", synchronousOn, "`on|off`: off lets commits return before they are durable, with --lock postgres")
	fl.DurationVar(&f.writerDelay, "wal-writer-delay", writerDelay, "`TIME` between two flushes of the log writer, with --synchronous-commit off")
}

// check refuses flags that go with other locks, and values that package experiment
// would take for "not given".
func (f *lockFlags) check(fl *pflag.FlagSet) error {
	for _, flag := range postgresFlags {
		if fl.Changed(flag) && f.lock != experiment.LockPostgres {
			return usagef("--%s: only with --lock %s", flag, experiment.LockPostgres)
		}
	}
	switch {
	case fl.Changed("insertion-locks") && f.insertionLocks < 1:
		return usagef("--insertion-locks %d: want 1 to %d", f.insertionLocks, walsim.MaxInsertionLocks)
	case fl.Changed("commit-siblings") && f.commitSiblings < 0:
		return usagef("--commit-siblings %d: want 0 to %d", f.commitSiblings, walsim.MaxCommitSiblings)
	case f.synchronous != synchronousOn && f.synchronous != synchronousOff:
		return usagef("--synchronous-commit %q: want on or off", f.synchronous)
	case fl.Changed("wal-writer-delay") && f.synchronous != synchronousOff:
		return usagef("--wal-writer-delay: only with --synchronous-commit off")
	case fl.Changed("wal-writer-delay") && f.writerDelay <= 0:
		return usagef("--wal-writer-delay %v: want more than 0", f.writerDelay)
	}
	return nil
}

func (f *lockFlags) apply(cfg *experiment.Config) {
	cfg.Lock = f.lock
	if f.lock != experiment.LockPostgres {
		return
	}
	cfg.Locks = experiment.LockConfig{
		InsertionLocks: f.insertionLocks, CommitDelay: f.commitDelay, CommitSiblings: f.commitSiblings,
		AsyncCommit: f.synchronous == synchronousOff,
	}
	if f.commitSiblings == 0 {
		cfg.Locks.CommitSiblings = -1
	}
	if cfg.Locks.AsyncCommit {
		cfg.Locks.WALWriterDelay = f.writerDelay
	}
}
