package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// flush makes everything below end durable. The caller owns the serial lock and
// has inserted end. Errors stick.
func (l *Log) flush(u *Updater, end pgformat.LSN) error {
	target := end
	if l.twoPhase {
		if err := u.awaitFilled(end); err != nil {
			return err
		}
		if l.flushed >= end {
			l.acked = max(l.acked, end)
			return nil // somebody's flush went further than his own commit
		}
		target = l.filledIn()
	}
	if err := l.write(u, target); err != nil {
		return err
	}
	if err := l.device.sync(u.p); err != nil {
		return l.fail(err)
	}
	l.flushed = target
	u.m.Flushes++
	if l.twoPhase {
		u.p.Broadcast(l.published)
	}
	if err := l.moveDurable(); err != nil {
		return l.fail(err)
	}
	l.acked = max(l.acked, end)
	return nil
}

// moveDurable moves the durable point to the segment borders that the flushed
// part of the log has reached, before anything behind them is acknowledged.
func (l *Log) moveDurable() error {
	n := 0
	for n < len(l.borderEnds) && l.borderEnds[n] <= l.flushed {
		n++
	}
	if n == 0 {
		return nil
	}
	durable := l.borderEnds[n-1]
	l.borderEnds = l.borderEnds[:copy(l.borderEnds, l.borderEnds[n:])]
	return l.setDurable(durable)
}

func (l *Log) setDurable(at pgformat.LSN) error {
	l.durable.DurableLSN = max(l.durable.DurableLSN, at)
	l.durable.RedoLSN = l.redo
	if l.control == nil {
		return nil
	}
	return l.control.Write(l.durable)
}

// write hands everything below end that has not been written to the device, in
// whole pages: the last, partly filled one is padded with zeros and will be
// written again, as PostgreSQL does. A segment that is complete is synced. The
// caller owns the serial lock; everything below end is filled in. Errors stick.
func (l *Log) write(u *Updater, end pgformat.LSN) error {
	if end <= l.written {
		return nil
	}
	seg := l.opts.SegmentSize
	at, pagesEnd := l.written.Page(), (end + pgformat.PageSize - 1).Page()
	for at < pagesEnd {
		segEnd := seg.Start(seg.Segno(at) + 1)
		in := l.ring.run(at, min(pagesEnd, segEnd))
		next := at + pgformat.LSN(len(in))
		if err := l.writeRun(u, at, min(end, next), in); err != nil {
			return l.fail(err)
		}
		if at = next; at == segEnd {
			if err := l.device.sync(u.p); err != nil {
				return l.fail(err)
			}
		}
	}
	l.written = end
	if l.pg != nil {
		l.pg.written.Store(uint64(end))
	}
	return nil
}

// writeRun writes the pages `in`, which start at LSN at and are filled up to
// end.
func (l *Log) writeRun(u *Updater, at, end pgformat.LSN, in []byte) error {
	if l.pg != nil {
		return l.writeRunPostgres(u, at, end, in)
	}
	if u.phases.Flush != nil {
		out := l.flushOutput(len(in))
		l.encryptRun(u, strategies.Flush{At: at, End: end, In: in, Out: out})
		return l.device.write(u.p, at, out)
	}
	if !l.twoPhase || end.PageOffset() == 0 {
		return l.device.write(u.p, at, in)
	}
	return l.writeShared(u, at, end, in)
}

// flushOutput is memory for what a Flush phase makes of n bytes.
func (l *Log) flushOutput(n int) []byte {
	if l.flushBuf == nil {
		l.flushBuf = make([]byte, len(l.ring.pages))
	}
	return l.flushBuf[:n]
}

// writeShared writes a run whose last page other updaters are still filling:
// what is theirs is left out by writing a zero-padded copy.
func (l *Log) writeShared(u *Updater, at, end pgformat.LSN, in []byte) error {
	last := int(end.Page() - at)
	if last > 0 {
		if err := l.device.write(u.p, at, in[:last]); err != nil {
			return err
		}
	}
	return l.device.write(u.p, end.Page(), l.padded(u, in[last:last+end.PageOffset()]))
}

// padded is a copy of the filled part of a page with zeros behind it; it holds until
// the next one.
func (l *Log) padded(u *Updater, filled []byte) []byte {
	u.m.Copy(l.tail, filled)
	u.m.Zero(l.tail[len(filled):])
	return l.tail
}

// encryptRun has the design turn f.In into f.Out.
func (l *Log) encryptRun(u *Updater, f strategies.Flush) {
	f.Meter, f.TLI, f.SegmentSize = u.m, l.opts.TLI, l.opts.SegmentSize
	f.New, f.Stored = l.written, l.stored
	l.flushArg = f
	u.phases.Flush(&l.flushArg)
}

// Checkpoint moves the redo pointer to the end of what has been inserted, and
// the durable point to the end of what has been acknowledged. Transactions whose
// images were decided before build their records again. It returns the redo
// pointer.
func (l *Log) Checkpoint(p simtime.Proc) (redo pgformat.LSN, err error) {
	if l.pg != nil {
		return l.checkpointPostgres(p)
	}
	p.Lock(l.serial)
	defer p.Unlock(l.serial)
	if err := l.usable(); err != nil {
		return 0, err
	}
	l.redo = l.opts.SegmentSize.RecordStart(l.insert)
	if err := l.setDurable(l.acked); err != nil {
		return 0, l.fail(err)
	}
	return l.redo, nil
}

// Recycle gives up all segments that end at or below the LSN below: the oldest
// kept LSN moves first, durably, then the files become segments to come.
func (l *Log) Recycle(p simtime.Proc, below pgformat.LSN) error {
	p.Lock(l.serial)
	defer p.Unlock(l.serial)
	if err := l.usable(); err != nil {
		return err
	}
	seg := l.opts.SegmentSize
	first, last := seg.Segno(l.durable.OldestLSN), seg.Segno(min(below, l.flushed))
	if l.opts.Discard || last <= first {
		return nil
	}
	l.durable.OldestLSN = seg.Start(last)
	if err := l.setDurable(l.acked); err != nil {
		return l.fail(err)
	}
	l.device.recycle(p, first, last)
	return nil
}
