package experiment

import (
	"time"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim"
)

// The values of Config.Lock.
const (
	LockSingle   = "single"
	LockPostgres = "postgres"
)

// LockConfig is what can be set of PostgreSQL's locks; zero values take its
// defaults. It belongs to LockPostgres.
type LockConfig struct {
	InsertionLocks int
	CommitDelay    time.Duration
	CommitSiblings int // -1: none
	// AsyncCommit is synchronous_commit = off: a commit returns before it is durable.
	AsyncCommit    bool
	WALWriterDelay time.Duration
}

// checkLocks completes and checks Lock and Locks.
func (c *Config) checkLocks() error {
	l := &c.Locks
	switch c.Lock {
	case LockSingle:
		if *l != (LockConfig{}) {
			return usagef("--insertion-locks, --commit-delay, --commit-siblings, --synchronous-commit and --wal-writer-delay: only with --lock %s", LockPostgres)
		}
		return nil
	case LockPostgres:
	default:
		return usagef("--lock %s: want %s or %s", c.Lock, LockSingle, LockPostgres)
	}
	setDefault(&l.InsertionLocks, walsim.DefaultInsertionLocks)
	setDefault(&l.CommitSiblings, walsim.DefaultCommitSiblings)
	if l.WALWriterDelay != 0 && !l.AsyncCommit {
		return usagef("--wal-writer-delay %v: only with --synchronous-commit off", l.WALWriterDelay)
	}
	if l.AsyncCommit {
		setDefault(&l.WALWriterDelay, goDuration(walsim.DefaultWALWriterDelay))
	}
	return l.check()
}

func (l *LockConfig) check() error {
	shortest, longest := goDuration(walsim.MinWALWriterDelay), goDuration(walsim.MaxWALWriterDelay)
	switch {
	case l.InsertionLocks < 1 || l.InsertionLocks > walsim.MaxInsertionLocks:
		return usagef("--insertion-locks %d: want 1 to %d", l.InsertionLocks, walsim.MaxInsertionLocks)
	case l.CommitDelay < 0 || l.CommitDelay > goDuration(walsim.MaxCommitDelay):
		return usagef("--commit-delay %v: want 0s to %v", l.CommitDelay, goDuration(walsim.MaxCommitDelay))
	case l.CommitSiblings < -1 || l.CommitSiblings > walsim.MaxCommitSiblings:
		return usagef("--commit-siblings %d: want 0 to %d", l.CommitSiblings, walsim.MaxCommitSiblings)
	case l.AsyncCommit && l.CommitDelay > 0:
		return usagef("--commit-delay %v: without effect with --synchronous-commit off", l.CommitDelay)
	case l.AsyncCommit && (l.WALWriterDelay < shortest || l.WALWriterDelay > longest):
		return usagef("--wal-writer-delay %v: want %v to %v", l.WALWriterDelay, shortest, longest)
	}
	return nil
}

func goDuration(d simtime.Duration) time.Duration {
	return time.Duration(d.Nanoseconds())
}

func clockDuration(d time.Duration) simtime.Duration {
	return simtime.Duration(d.Nanoseconds()) * simtime.Nanosecond
}

// lockOptions makes o's locks those of the configuration.
func (c *Config) lockOptions(o *walsim.Options) {
	if c.Lock != LockPostgres {
		return
	}
	l := &c.Locks
	o.Lock = walsim.Postgres
	o.LockOptions = walsim.LockOptions{
		InsertionLocks: l.InsertionLocks, CommitDelay: clockDuration(l.CommitDelay), CommitSiblings: l.CommitSiblings,
		AsyncCommit: l.AsyncCommit, WALWriterDelay: clockDuration(l.WALWriterDelay),
	}
}

// describeLocks puts the settings of the locks into a result.
func (c *Config) describeLocks(out *results.Config) {
	if c.Lock != LockPostgres {
		return
	}
	l := &c.Locks
	siblings, delay, synchronous := max(0, l.CommitSiblings), l.CommitDelay.Nanoseconds(), "on"
	out.InsertionLocks, out.CommitDelayNs, out.CommitSiblings = &l.InsertionLocks, &delay, &siblings
	if l.AsyncCommit {
		writer := l.WALWriterDelay.Nanoseconds()
		synchronous, out.WALWriterDelayNs = "off", &writer
	}
	out.SynchronousCommit = &synchronous
}

// lockSamples are the times at PostgreSQL's locks other than the write lock; nil
// under the single lock.
func lockSamples(c *Config, m *simtime.Meter) *results.LockSamples {
	if c.Lock != LockPostgres {
		return nil
	}
	return &results.LockSamples{
		InsertionLocks: int64(c.Locks.InsertionLocks),
		Insert:         lockSample(&m.Locks[simtime.LockInsert]),
		Position:       lockSample(&m.Locks[simtime.LockPosition]),
		Mapping:        lockSample(&m.Locks[simtime.LockMapping]),
	}
}

func lockSample(s *simtime.LockStats) results.LockSample {
	return results.LockSample{Hold: holdTiming(s), Wait: waitTiming(s), IdlePs: s.IdlePs}
}

func holdTiming(s *simtime.LockStats) results.Timing {
	return results.Timing{Count: s.Acquisitions, SumPs: s.HoldPs, MaxNs: s.HoldMaxNs, Clipped: s.Clipped, Histogram: s.Hold}
}

func waitTiming(s *simtime.LockStats) results.Timing {
	return results.Timing{Count: s.Acquisitions + s.WaitsOnly, SumPs: s.WaitPs, MaxNs: s.WaitMaxNs, Histogram: s.Wait}
}
