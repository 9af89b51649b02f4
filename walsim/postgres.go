package walsim

import (
	"sync/atomic"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// postgres is what a log has beside its write lock (Log.serial) in the postgres
// topology; xlog.c of PostgreSQL 15 is what it follows. Locks are taken in this
// order, and none of them is waited for by whoever owns one further down:
//
//	insertion lock   one of a few, for one record: reserve, fill in, release. Its
//	                 progress is how far the owner has got: 0 before it says so
//	write lock       guards what Log says the serial lock guards, but for what
//	                 stands below
//	mapping lock     guards ring.initEnd
//	position         a spinlock, guards next, prev and border
//
// Waiting for earlier inserters is done without the write and the mapping lock, or
// for what has been waited for before. So an inserter that needs room, and writes
// what is in its way, never waits for somebody who waits for it: of all that are
// not finished, the one with the lowest place finds everything before it filled in.
//
// The positions below are atomic, so that they can be read without a lock, as
// PostgreSQL reads its copy of them. Nobody waits for one to change, so a virtual
// clock cannot hang on them.
type postgres struct {
	options  LockOptions
	layout   layout
	slots    []*simtime.Mutex // insertion locks
	mapping  *simtime.Mutex
	position *simtime.Mutex

	next     bytePos // where the next record goes
	prev     bytePos // the last record; -1: none
	borderAt bytePos // end of the segment that next is in
	borders  []bytePos

	// redo and closed are written by whoever owns all insertion locks.
	redo   pgformat.LSN
	closed bool

	durableAt pgformat.LSN // guarded by the write lock: the durable point moves when this is flushed

	initialised, written, flushed atomic.Uint64
	active                        atomic.Int64 // updaters inside a transaction; counted with a commit delay only

	writer *logWriter // nil: commits are synchronous
}

func newPostgres(o *Options) *postgres {
	y := newLayout(o.SegmentSize)
	segno := o.SegmentSize.Segno(o.Start)
	pg := &postgres{
		options: o.LockOptions, layout: y,
		slots:    make([]*simtime.Mutex, o.InsertionLocks),
		mapping:  simtime.NewMutex(simtime.LockMapping),
		position: simtime.NewSpinlock(simtime.LockPosition),
		next:     y.of(o.Start), prev: -1, borderAt: bytePos(segno+1) * y.perSegment,
		redo: o.Start, durableAt: o.SegmentSize.Start(segno + 1),
	}
	for i := range pg.slots {
		pg.slots[i] = simtime.NewWatched(simtime.LockInsert)
	}
	return pg
}

// lockAll takes all insertion locks. Nobody waits for their owner's progress: it
// reserves nothing.
func (pg *postgres) lockAll(p simtime.Proc) {
	for _, m := range pg.slots {
		p.Lock(m)
		p.SetProgress(m, simtime.Free-1)
	}
}

func (pg *postgres) unlockAll(p simtime.Proc) {
	for _, m := range pg.slots {
		p.Unlock(m)
	}
}

// reserved is the end of the last record that has a place.
func (pg *postgres) reserved(p simtime.Proc) pgformat.LSN {
	p.Lock(pg.position)
	next := pg.next
	p.Unlock(pg.position)
	return pg.layout.end(next)
}

// awaitInsertions waits until all records below upTo have been filled in, and
// returns the LSN below which everything is: more, if more is (xlog.c:
// WaitXLogInsertionsToFinish).
func (pg *postgres) awaitInsertions(p simtime.Proc, upTo pgformat.LSN) pgformat.LSN {
	finished := pg.reserved(p) // before the locks: who takes one later goes behind it
	for _, m := range pg.slots {
		if at := p.AwaitProgress(m, int64(upTo)); at != simtime.Free {
			finished = min(finished, pgformat.LSN(at))
		}
	}
	return finished
}
