package walsim

import (
	"errors"
	"fmt"

	"github.com/walbench/walbench/simtime"
)

// Topology is which locks stand on the write path.
type Topology uint8

// The topologies.
const (
	// Single is one lock over all: a transaction is inserted, written and flushed
	// in one acquisition.
	Single Topology = iota
	// Postgres is PostgreSQL's way: records are inserted one by one under one of a
	// few insertion locks, places are reserved under a spinlock, and commits are
	// flushed in groups under a write lock.
	Postgres
)

// Limits and defaults of the postgres topology. PostgreSQL's settings have the same
// defaults; its insertion locks are compiled in (NUM_XLOGINSERT_LOCKS, xlog.c).
const (
	DefaultInsertionLocks = 8
	MaxInsertionLocks     = 128
	DefaultCommitSiblings = 5
	MaxCommitSiblings     = 1000
	MaxCommitDelay        = 100 * simtime.Millisecond
	DefaultWALWriterDelay = 200 * simtime.Millisecond
	MinWALWriterDelay     = simtime.Millisecond
	MaxWALWriterDelay     = 10 * simtime.Second
)

// ErrTopology is returned, wrapped, for settings that do not go together.
var ErrTopology = errors.New("unusable lock settings")

// LockOptions are the settings of the postgres topology. Zero values take
// PostgreSQL's defaults.
type LockOptions struct {
	InsertionLocks int // 8
	// CommitDelay is for how long a flush waits for others to join it, if at least
	// CommitSiblings (5; -1 means none) of them are inside a transaction.
	CommitDelay    simtime.Duration
	CommitSiblings int
	// AsyncCommit lets a commit return before it is durable (synchronous_commit =
	// off); a log writer flushes every WALWriterDelay (200 ms).
	AsyncCommit    bool
	WALWriterDelay simtime.Duration
}

func (o *LockOptions) setDefaults(t Topology) error {
	if t == Single {
		if *o != (LockOptions{}) {
			return fmt.Errorf("%w: they belong to the postgres topology", ErrTopology)
		}
		return nil
	}
	if o.InsertionLocks == 0 {
		o.InsertionLocks = DefaultInsertionLocks
	}
	switch o.CommitSiblings {
	case 0:
		o.CommitSiblings = DefaultCommitSiblings
	case -1:
		o.CommitSiblings = 0
	}
	if o.WALWriterDelay == 0 {
		o.WALWriterDelay = DefaultWALWriterDelay
	}
	return o.check()
}

func (o *LockOptions) check() error {
	switch {
	case o.InsertionLocks < 1 || o.InsertionLocks > MaxInsertionLocks:
		return fmt.Errorf("%w: %d insertion locks, want 1 to %d", ErrTopology, o.InsertionLocks, MaxInsertionLocks)
	case o.CommitDelay < 0 || o.CommitDelay > MaxCommitDelay:
		return fmt.Errorf("%w: commit delay of %d ns, want 0 to %d", ErrTopology, o.CommitDelay.Nanoseconds(), MaxCommitDelay.Nanoseconds())
	case o.CommitSiblings < 0 || o.CommitSiblings > MaxCommitSiblings:
		return fmt.Errorf("%w: %d commit siblings, want 0 to %d", ErrTopology, o.CommitSiblings, MaxCommitSiblings)
	case o.WALWriterDelay < MinWALWriterDelay || o.WALWriterDelay > MaxWALWriterDelay:
		return fmt.Errorf("%w: log writer delay of %d ns, want %d to %d", ErrTopology,
			o.WALWriterDelay.Nanoseconds(), MinWALWriterDelay.Nanoseconds(), MaxWALWriterDelay.Nanoseconds())
	}
	return nil
}
