package walsim

import (
	"errors"
	"fmt"
	"math"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// FirstXid is the transaction id of the first transaction (PostgreSQL's
// FirstNormalTransactionId). Transaction k of updater u, of n updaters, has the
// id FirstXid + k*n + u, so that who wrote a record can be told from it.
const FirstXid = 3

// ErrXids means that a log has used up its 2^32 transaction ids: they do not wrap
// here, since who wrote a record is told from its id.
var ErrXids = errors.New("no transaction id left")

// maxTransactions is how many transactions each of n updaters can have.
func maxTransactions(n int) uint32 { return (math.MaxUint32-FirstXid)/uint32(n) - 1 }

// XidUpdater is the updater, of n, that wrote a record with this id.
func XidUpdater(xid uint32, n int) int { return int((xid - FirstXid) % uint32(n)) }

// Updater is one client session of a log. It belongs to one process.
type Updater struct {
	log    *Log
	p      simtime.Proc
	m      *simtime.Meter
	id     int
	phases strategies.Phases
	tx     Tx
	redo   pgformat.LSN // the redo pointer as last seen
	ready  pgformat.LSN // two-phase: pages below are initialised
	next   uint32       // number of the next transaction

	issued, acked Digest
	lastLSN       pgformat.LSN

	// Of the postgres topology:
	slot                 *simtime.Mutex // the insertion lock it has
	slotNumber           int            // of the one to try next
	insertedLSN, lastEnd pgformat.LSN   // the last record inserted
	durable              Digest         // acknowledged, and durable, with asynchronous commit
	late                 []lateAck      // what comes behind it
}

// LastLSN is the start of the last record of the last acknowledged transaction.
func (u *Updater) LastLSN() pgformat.LSN { return u.lastLSN }

// Updater makes updater id (from 0, below Options.Updaters) for process p.
func (l *Log) Updater(p simtime.Proc, id int) *Updater {
	u := &Updater{
		log: l, p: p, m: p.Meter(), id: id, redo: l.opts.Start,
		phases: l.instance.Updater(uint16(id), p.Meter()),
		tx:     Tx{design: l.opts.Design, meter: p.Meter(), oneByOne: l.pg != nil},
	}
	if l.pg != nil {
		u.slotNumber = id % len(l.pg.slots)
	}
	if l.twoPhase != (u.phases.Publish != nil) {
		panic("walsim: " + l.opts.Design.Name + ": TwoPhase and its Publish phase disagree")
	}
	return u
}

// SeeRedo tells the updater where the redo pointer is, so that its next
// transaction is built for it at once. An updater that is not told finds out
// under the lock, and builds again. A redo pointer behind the known one is
// ignored.
func (u *Updater) SeeRedo(redo pgformat.LSN) { u.redo = max(u.redo, redo) }

// Acknowledged is the digest of all records of acknowledged transactions,
// Issued that of all that were handed to the log: more than acknowledged only
// after an error. Asynchronous commits count when they are durable.
func (u *Updater) Acknowledged() Digest {
	if u.log.pg != nil && u.log.pg.writer != nil {
		u.promote()
		return u.durable
	}
	return u.acked
}

// Issued: see Acknowledged.
func (u *Updater) Issued() Digest { return u.issued }

// Commit writes the transaction that b builds and returns when it is durable,
// with the end of its last record; an asynchronous commit returns before. A
// transaction without records is an error.
func (u *Updater) Commit(b Builder) (end pgformat.LSN, err error) {
	l := u.log
	if l.pg != nil {
		return u.commitPostgres(b)
	}
	for {
		recs, err := u.build(b)
		if err != nil {
			return 0, err
		}
		recs = u.prepare(recs)
		u.p.Lock(l.serial)
		if err := l.usable(); err != nil {
			u.p.Unlock(l.serial)
			return 0, err
		}
		// PostgreSQL's re-check: the images were decided for this redo pointer.
		if l.redo == u.redo {
			return u.commitLocked(recs)
		}
		u.redo = l.redo
		u.p.Unlock(l.serial)
		u.m.Retries++
	}
}

// commitLocked inserts the records, flushes and releases the serial lock.
func (u *Updater) commitLocked(recs []strategies.Record) (end pgformat.LSN, err error) {
	u.issued = u.tx.sum.sum
	if len(recs) == 0 {
		u.p.Unlock(u.log.serial)
		return 0, fmt.Errorf("strategy %s dropped all records of a transaction", u.log.opts.Design.Name)
	}
	if u.log.twoPhase {
		err = u.insertTwoPhase(recs)
	} else {
		err = u.insertHeld(recs)
	}
	last := &recs[len(recs)-1]
	end = last.End
	if err == nil {
		err = u.log.flush(u, end)
	}
	u.p.Unlock(u.log.serial)
	if err != nil {
		return 0, err
	}
	u.next++
	u.acked, u.lastLSN = u.issued, last.LSN
	u.m.Commits++
	return end, nil
}

// build has the transaction's records built for the redo pointer last seen.
func (u *Updater) build(b Builder) ([]strategies.Record, error) {
	if u.next >= maxTransactions(u.log.opts.Updaters) {
		return nil, fmt.Errorf("updater %d: %w", u.id, ErrXids)
	}
	xid := FirstXid + u.next*uint32(u.log.opts.Updaters) + uint32(u.id)
	u.m.Transaction()
	u.tx.begin(xid, u.acked)
	b.Build(&u.tx, u.redo)
	recs := u.tx.finish()
	if len(recs) == 0 {
		return nil, fmt.Errorf("updater %d: transaction %d has no records", u.id, xid)
	}
	return recs, nil
}

// prepare runs the strategy's phase without lock, and the body CRCs.
func (u *Updater) prepare(recs []strategies.Record) []strategies.Record {
	if u.phases.Prepare != nil {
		recs = u.phases.Prepare(recs)
	}
	if u.log.opts.Design.LateBody {
		return recs
	}
	for i := range recs {
		r := &recs[i]
		r.BodyCRC = u.m.CRC(0, r.Buf[pgformat.RecordHeaderSize:])
	}
	return recs
}
