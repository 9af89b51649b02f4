package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// flushAfter is how much written log the log writer makes durable without waiting
// for its delay (wal_writer_flush_after).
const flushAfter = 1 << 20

// logWriter writes and flushes asynchronous commits from a process of its own
// (xlog.c: XLogBackgroundFlush; walwriter.c).
type logWriter struct {
	log    *Log
	delay  simtime.Duration
	handle simtime.Handle

	mu     *simtime.Mutex // guards what follows
	wake   *simtime.Cond  // there is something to write, or the writer is to stop
	idle   *simtime.Cond  // a round is over
	commit pgformat.LSN   // end of the last commit
	nudged bool
	busy   bool // in a round
	stop   bool

	synced simtime.Time // when it last made anything durable; its own
}

// startWriter starts the log writer of a log with asynchronous commit.
func (l *Log) startWriter(p simtime.Proc) {
	w := &logWriter{log: l, delay: l.pg.options.WALWriterDelay, mu: simtime.NewMutex(simtime.LockOther)}
	w.wake, w.idle = simtime.NewCond(w.mu), simtime.NewCond(w.mu)
	w.synced = p.Now()
	l.pg.writer = w
	w.handle = p.Spawn("log writer", w.run)
}

// note tells the writer of a commit that ends at end, and wakes it if there is a
// full page to write.
func (w *logWriter) note(p simtime.Proc, end pgformat.LSN) {
	p.Lock(w.mu)
	defer p.Unlock(w.mu)
	w.commit = max(w.commit, end)
	if !w.nudged && w.commit.Page() > pgformat.LSN(w.log.pg.written.Load()) {
		w.nudged = true
		p.Signal(w.wake)
	}
}

// run does rounds until told to stop: every delay, and when nudged.
func (w *logWriter) run(p simtime.Proc) {
	u := w.log.helper(p, 0)
	p.Lock(w.mu)
	defer p.Unlock(w.mu)
	for !w.stop {
		if !w.nudged {
			p.WaitFor(w.wake, w.delay)
		}
		w.nudged, w.busy = false, true
		commit := w.commit
		p.Unlock(w.mu)
		w.round(u, commit)
		p.Lock(w.mu)
		w.busy = false
		p.Broadcast(w.idle)
	}
}

// round writes the full pages before commit, or, when those are durable already, all
// up to it. It makes it durable if it is time for that or there is much of it. An
// error sticks in the log.
func (w *logWriter) round(u *Updater, commit pgformat.LSN) {
	l, pg := w.log, w.log.pg
	flushed := pgformat.LSN(pg.flushed.Load())
	target := commit.Page()
	if target <= flushed {
		target = commit
	}
	if target <= flushed {
		return
	}
	now := u.p.Now()
	durable := now.Sub(w.synced) >= w.delay || target.Page()-min(target, flushed).Page() >= flushAfter
	if durable {
		w.synced = now
	}
	pg.awaitInsertions(u.p, target)
	u.p.Lock(l.serial)
	defer u.p.Unlock(l.serial)
	if l.err != nil || l.write(u, target) != nil || !durable || target <= l.flushed {
		return
	}
	_ = l.syncTo(u, target, commit) // it sticks
}

// pause has f run while the writer is between two rounds.
func (w *logWriter) pause(p simtime.Proc, f func()) {
	p.Lock(w.mu)
	defer p.Unlock(w.mu)
	for w.busy {
		p.Wait(w.idle)
	}
	f()
}

// end stops the writer; calling it twice is harmless.
func (w *logWriter) end(p simtime.Proc) {
	p.Lock(w.mu)
	w.stop = true
	p.Broadcast(w.wake)
	p.Unlock(w.mu)
	w.handle.Join(p)
}

// helper is an updater without transactions, for a process that only flushes; number
// tells several apart.
func (l *Log) helper(p simtime.Proc, number int) *Updater {
	id := l.opts.Updaters + number
	return &Updater{log: l, p: p, m: p.Meter(), id: id, phases: l.instance.Updater(uint16(id), p.Meter())}
}

// lateAck is an asynchronous commit that was not durable when it returned.
type lateAck struct {
	end    pgformat.LSN
	digest Digest
}

// postpone keeps what the commit that ends at end makes acknowledged until it is
// durable.
func (u *Updater) postpone(end pgformat.LSN) {
	const many = 1 << 12
	if len(u.late) >= many {
		u.promote()
	}
	u.late = append(u.late, lateAck{end, u.acked})
}

// promote takes the commits that are durable by now off the list.
func (u *Updater) promote() {
	flushed, n := pgformat.LSN(u.log.pg.flushed.Load()), 0
	for n < len(u.late) && u.late[n].end <= flushed {
		u.durable = u.late[n].digest
		n++
	}
	u.late = u.late[:copy(u.late, u.late[n:])]
}
