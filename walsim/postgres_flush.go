package walsim

import (
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// flushGroup makes everything below end durable (xlog.c: XLogFlush). Whoever finds
// somebody else flushing waits until that is over, and mostly finds then that his
// own commit was flushed too, or that of those who waited with him one has begun
// the next flush: group commit.
func (u *Updater) flushGroup(end pgformat.LSN) error {
	l, pg := u.log, u.log.pg
	for {
		u.p.Sync() // what is flushed by now
		if pgformat.LSN(pg.flushed.Load()) >= end {
			return nil
		}
		target := pg.awaitInsertions(u.p, end)
		if !u.p.LockOrWait(l.serial) {
			continue
		}
		err := u.flushOwning(end, target)
		u.p.Unlock(l.serial)
		return err
	}
}

// flushOwning flushes up to target, or further if the commit delay lets others join.
// The caller owns the write lock.
func (u *Updater) flushOwning(end, target pgformat.LSN) error {
	l, pg := u.log, u.log.pg
	if l.err != nil {
		return l.err
	}
	if l.flushed >= end {
		return nil
	}
	if o := &pg.options; o.CommitDelay > 0 && pg.active.Load() > int64(o.CommitSiblings) {
		u.p.Sleep(o.CommitDelay)
		target = pg.awaitInsertions(u.p, target) // does not wait: it is all filled in
	}
	if err := l.write(u, target); err != nil {
		return err
	}
	return l.syncTo(u, target, end)
}

// syncTo makes what has been written below target durable; whole, at or below it, is
// the end of a record. The caller owns the write lock. Errors stick.
func (l *Log) syncTo(u *Updater, target, whole pgformat.LSN) error {
	if err := l.device.sync(u.p); err != nil {
		return l.fail(err)
	}
	u.m.Flushes++
	l.flushed = target
	if whole <= target {
		l.acked = max(l.acked, whole)
	}
	if err := l.moveDurablePostgres(u); err != nil {
		return l.fail(err)
	}
	l.pg.flushed.Store(uint64(target)) // now it may be acknowledged
	return nil
}

// moveDurablePostgres moves the durable point to the segment borders that the
// flushed part of the log has passed.
func (l *Log) moveDurablePostgres(u *Updater) error {
	pg := l.pg
	if l.flushed < pg.durableAt {
		return nil
	}
	pg.durableAt = l.opts.SegmentSize.Start(l.opts.SegmentSize.Segno(l.flushed) + 1)
	u.p.Lock(pg.position)
	n, durable := 0, bytePos(-1)
	for n < len(pg.borders) && pg.layout.end(pg.borders[n]) <= l.flushed {
		durable = pg.borders[n]
		n++
	}
	pg.borders = pg.borders[:copy(pg.borders, pg.borders[n:])]
	u.p.Unlock(pg.position)
	if durable < 0 {
		return nil
	}
	return l.setDurable(pg.layout.end(durable))
}

// writeRunPostgres writes the pages `in`, which start at LSN at and are filled up to
// end. The last one may be filled further meanwhile: of that one a copy is written,
// with zeros behind end. All of it is one write.
func (l *Log) writeRunPostgres(u *Updater, at, end pgformat.LSN, in []byte) error {
	whole := min(int(end.Page()-at), len(in))
	var last []byte
	if whole < len(in) {
		last = l.padded(u, in[whole:whole+end.PageOffset()])
	}
	if u.phases.Flush == nil {
		return l.device.write(u.p, at, in[:whole], last)
	}
	out := l.flushOutput(len(in))
	if whole > 0 {
		l.encryptRun(u, strategies.Flush{At: at, End: at + pgformat.LSN(whole), In: in[:whole], Out: out[:whole]})
	}
	if last != nil {
		l.encryptRun(u, strategies.Flush{At: end.Page(), End: end, In: last, Out: out[whole:]})
	}
	return l.device.write(u.p, at, out)
}
