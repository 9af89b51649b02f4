package walsim

import (
	"fmt"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// commitPostgres writes the transaction that b builds, one record at a time.
func (u *Updater) commitPostgres(b Builder) (end pgformat.LSN, err error) {
	pg := u.log.pg
	recs, err := u.build(b)
	if err != nil {
		return 0, err
	}
	if pg.options.CommitDelay > 0 {
		pg.active.Add(1)
		defer pg.active.Add(-1)
	}
	u.issued, u.lastEnd = u.tx.sum.sum, 0
	for inserted := 0; len(recs) > 0; {
		moved, err := u.insertOne(recs[:1:1])
		switch {
		case err != nil:
			return 0, err
		case moved:
			u.m.Retries++
			recs = u.rebuild(b, inserted)
		default:
			recs, inserted = recs[1:], inserted+1
		}
	}
	if u.lastEnd == 0 {
		return 0, fmt.Errorf("strategy %s dropped all records of a transaction", u.log.opts.Design.Name)
	}
	return u.lastEnd, u.finishPostgres()
}

// finishPostgres makes the transaction durable, or leaves that to the log writer.
func (u *Updater) finishPostgres() error {
	w := u.log.pg.writer
	if w == nil {
		if err := u.flushGroup(u.lastEnd); err != nil {
			return err
		}
	} else {
		w.note(u.p, u.lastEnd)
	}
	u.next++
	u.acked, u.lastLSN = u.issued, u.insertedLSN
	if w != nil {
		u.postpone(u.lastEnd)
	}
	u.m.Commits++
	return nil
}

// rebuild has the transaction built again for the redo pointer last seen, without
// the records that have been inserted already. A page that one of those has touched
// counts as touched: PostgreSQL would see that it was before the redo pointer.
func (u *Updater) rebuild(b Builder, inserted int) []strategies.Record {
	u.tx.resume(inserted)
	b.Build(&u.tx, u.redo)
	u.issued = u.tx.sum.sum
	return u.tx.finish()
}

// insertOne prepares and inserts one record. It says whether the redo pointer has
// moved since the record was built: then it has not been inserted.
func (u *Updater) insertOne(one []strategies.Record) (moved bool, err error) {
	u.m.Record(len(one[0].Buf))
	batch := u.prepare(one)
	for i := range batch {
		r := &batch[i]
		if moved, err := u.insertRecord(r); moved || err != nil {
			return moved, err
		}
		u.insertedLSN, u.lastEnd = r.LSN, r.End
	}
	return false, nil
}

// insertRecord is one insertion (xlog.c: XLogInsertRecord).
func (u *Updater) insertRecord(r *strategies.Record) (moved bool, err error) {
	pg := u.log.pg
	u.takeSlot()
	defer u.releaseSlot()
	if pg.closed {
		return false, ErrClosed
	}
	if pg.redo != u.redo {
		u.redo = pg.redo
		return true, nil
	}
	u.reservePostgres(r)
	if u.phases.Place != nil {
		u.phases.Place(r)
	}
	if u.phases.Publish != nil {
		u.phases.Publish(r)
	}
	u.finishCRC(r)
	return false, u.place(r, u.roomPostgres)
}

// takeSlot takes the updater's insertion lock. Who had to wait tries the next lock
// the next time: so updaters spread over the locks.
func (u *Updater) takeSlot() {
	slots := u.log.pg.slots
	u.slot = slots[u.slotNumber]
	if u.p.Acquire(u.slot) {
		u.slotNumber = (u.slotNumber + 1) % len(slots)
	}
}

func (u *Updater) releaseSlot() { u.p.Unlock(u.slot) }

// reservePostgres gives the record its place: as little as can be is done under the
// spinlock.
func (u *Updater) reservePostgres(r *strategies.Record) {
	pg := u.log.pg
	n := bytePos(pgformat.Align8(len(r.Buf)))
	u.p.Lock(pg.position)
	u.m.Reserve()
	start, prev := pg.next, pg.prev
	pg.next, pg.prev = start+n, start
	if pg.next >= pg.borderAt {
		pg.noteBorder(start)
	}
	u.p.Unlock(pg.position)
	r.LSN, r.End, r.Prev = pg.layout.start(start), pg.layout.end(start+n), 0
	if prev >= 0 {
		r.Prev = pg.layout.start(prev)
	}
	pgformat.PutPrev(r.Buf, r.Prev)
	u.countRecord(r)
}

// noteBorder remembers the end of the last record that ends at or before a segment
// border: see [Log.noteBorder]. The last record, which begins at start, has reached it.
func (pg *postgres) noteBorder(start bytePos) {
	end := start
	if pg.next%pg.layout.perSegment == 0 {
		end = pg.next
	}
	pg.borders = append(pg.borders, end)
	pg.borderAt = (pg.next/pg.layout.perSegment + 1) * pg.layout.perSegment
}

// roomPostgres makes sure that the page that holds at is initialised. If it is not,
// the updater says how far it has got, since what it is about to wait for may wait
// for that (xlog.c: GetXLogBuffer).
func (u *Updater) roomPostgres(at pgformat.LSN) error {
	if at < u.ready {
		return nil
	}
	u.p.Sync()
	if u.ready = pgformat.LSN(u.log.pg.initialised.Load()); at < u.ready {
		return nil
	}
	filled := at
	if at.PageOffset() == u.log.opts.SegmentSize.HeaderSize(at) {
		filled = at.Page() // the page's header is not complete either
	}
	u.p.SetProgress(u.slot, int64(filled))
	return u.initialise(at)
}

// initialise initialises pages up to the one that holds at (xlog.c:
// AdvanceXLInsertBuffer).
func (u *Updater) initialise(at pgformat.LSN) error {
	l, pg := u.log, u.log.pg
	u.p.Lock(pg.mapping)
	for l.ring.initEnd <= at {
		if needs := l.ring.needs(); needs > pgformat.LSN(pg.written.Load()) {
			u.p.Unlock(pg.mapping)
			if err := u.evict(needs); err != nil {
				return err
			}
			u.p.Lock(pg.mapping)
			continue
		}
		l.initPage(u.m)
		u.p.Sync() // it is there when it has been made
		pg.initialised.Store(uint64(l.ring.initEnd))
	}
	u.ready = l.ring.initEnd
	u.p.Unlock(pg.mapping)
	return nil
}

// evict writes everything below needs, and no more, as PostgreSQL does.
func (u *Updater) evict(needs pgformat.LSN) error {
	l := u.log
	l.pg.awaitInsertions(u.p, needs)
	u.p.Lock(l.serial)
	defer u.p.Unlock(l.serial)
	if l.err != nil {
		return l.err
	}
	if l.written >= needs {
		return nil
	}
	u.m.BuffersFull++
	return l.write(u, needs)
}
