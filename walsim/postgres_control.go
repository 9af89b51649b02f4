package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// checkpointPostgres is [Log.Checkpoint]: the redo pointer moves while nobody
// inserts.
func (l *Log) checkpointPostgres(p simtime.Proc) (redo pgformat.LSN, err error) {
	pg := l.pg
	pg.lockAll(p)
	closed := pg.closed
	if !closed {
		pg.redo = l.opts.SegmentSize.RecordStart(pg.reserved(p))
	}
	redo = pg.redo
	pg.unlockAll(p)
	if closed {
		return 0, ErrClosed
	}
	p.Lock(l.serial)
	defer p.Unlock(l.serial)
	if l.err != nil {
		return 0, l.err
	}
	l.redo = redo
	if err := l.setDurable(l.acked); err != nil {
		return 0, l.fail(err)
	}
	return redo, nil
}

// closePostgres lets nobody insert any more, and flushes what asynchronous commits
// have left.
func (l *Log) closePostgres(p simtime.Proc) error {
	pg := l.pg
	pg.lockAll(p)
	pg.closed = true
	pg.unlockAll(p)
	if pg.writer == nil {
		return nil
	}
	pg.writer.end(p)
	u := l.helper(p, 1)
	return u.flushGroup(pg.writer.commit)
}

// BeginWindow returns the log's positions and forgets what the log writer has
// counted, at a moment at which it does nothing.
func (l *Log) BeginWindow(p simtime.Proc) (at Position) {
	if l.pg == nil || l.pg.writer == nil {
		return l.Position(p)
	}
	l.pg.writer.pause(p, func() {
		l.pg.writer.handle.Meter().Reset()
		at = l.Position(p)
	})
	return at
}

// EndWindow returns the log's positions and what the log writer has counted since
// BeginWindow; nil if there is none. It stops the log writer: what is still to be
// flushed, Close flushes.
func (l *Log) EndWindow(p simtime.Proc) (at Position, background *simtime.Meter) {
	if l.pg != nil && l.pg.writer != nil {
		l.pg.writer.end(p)
		background = l.pg.writer.handle.Meter()
	}
	return l.Position(p), background
}

// atLocks is the time that processes have spent at each class of locks.
func (pg *postgres) atLocks() (at [simtime.NumLockClasses]simtime.Duration) {

	at[simtime.LockPosition], at[simtime.LockMapping] = pg.position.Presence(), pg.mapping.Presence()
	for _, m := range pg.slots {
		at[simtime.LockInsert] += m.Presence()
	}
	return at
}
