package walsim

import (
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// insertTwoPhase reserves places for the records under the serial lock, which
// the caller owns, fills them in without it, and owns it again when it returns.
//
// Deadlock cannot happen: nobody waits for buffer space while holding the lock,
// and the updater with the lowest unfilled place never waits for another, since
// everything in front of it is filled in and can be written out.
func (u *Updater) insertTwoPhase(recs []strategies.Record) error {
	l := u.log
	l.inserting[u.id] = l.insert
	for i := range recs {
		u.reserve(&recs[i])
	}
	l.initFree(u, recs[len(recs)-1].End)
	u.ready = l.ring.initEnd
	u.p.Unlock(l.serial)
	err := u.publish(recs)
	u.p.Lock(l.serial)
	l.inserting[u.id] = maxLSN
	if err != nil {
		// What was reserved is never filled in: the log cannot go on.
		err = l.fail(err)
	}
	u.p.Broadcast(l.published)
	return err
}

// initFree initialises pages up to end as long as the buffers have room.
func (l *Log) initFree(u *Updater, end pgformat.LSN) {
	for l.ring.initEnd < end && l.ring.needs() <= l.written {
		l.initPage(u.m)
	}
}

// publish fills in the reserved records, without the lock.
func (u *Updater) publish(recs []strategies.Record) error {
	for i := range recs {
		r := &recs[i]
		u.phases.Publish(r)
		u.finishCRC(r)
		if err := u.place(r, u.roomPublish); err != nil {
			return err
		}
	}
	return nil
}

// roomPublish makes sure that the page that holds at is initialised. If it is
// not yet, the updater takes the lock, says how far it has got, and then either
// writes out what is in the way or waits for whoever still fills it in.
func (u *Updater) roomPublish(at pgformat.LSN) error {
	if at < u.ready {
		return nil
	}
	l := u.log
	u.p.Lock(l.serial)
	defer u.p.Unlock(l.serial)
	l.inserting[u.id] = at
	if at.PageOffset() == l.opts.SegmentSize.HeaderSize(at) {
		l.inserting[u.id] = at.Page() // the page's header is not complete either
	}
	u.p.Broadcast(l.published)
	for l.ring.initEnd <= at {
		if err := l.usable(); err != nil {
			return err
		}
		switch needs := l.ring.needs(); {
		case needs <= l.written:
			l.initPage(u.m)
		case l.filledIn() >= needs:
			if err := l.write(u, l.filledIn().Page()); err != nil {
				return err
			}
			u.p.Broadcast(l.published)
		default:
			u.p.Wait(l.published)
		}
	}
	u.ready = l.ring.initEnd
	return nil
}

// filledIn is the LSN below which every reserved place has been filled in. The
// caller owns the serial lock.
func (l *Log) filledIn() pgformat.LSN {
	low := l.insert
	for _, at := range l.inserting {
		low = min(low, at)
	}
	return low
}

// awaitFilled waits until everything below end is filled in. The caller owns
// the serial lock, which is released meanwhile.
func (u *Updater) awaitFilled(end pgformat.LSN) error {
	for u.log.filledIn() < end {
		if err := u.log.usable(); err != nil {
			return err
		}
		u.p.Wait(u.log.published)
	}
	return u.log.usable()
}
