package simtime

import "slices"

// watcher is a process that waits for a mutex's owner to get to some progress, or to
// release it.
type watcher struct {
	proc *virtualProc
	upTo int64
}

// watch waits for v's owner, and returns its progress, or Free. The wait is one for
// m without owning it.
func (p *virtualProc) watch(m *Mutex, upTo int64, asked Time) int64 {
	v := &m.virtual
	v.watchers = append(v.watchers, watcher{p, upTo})
	p.block()
	now := p.clock.now
	v.attend(now, -1)
	p.meter.Locks[m.class].waitedOnly(now.Sub(asked))
	return p.answer
}

// wakeWatchers wakes those whose wait the progress of v has ended. Of several the
// one that came last is woken first: PostgreSQL puts them at the head of the lock's
// queue (lwlock.c: LWLockQueueSelf), before those who want to own it. Who came last is
// the one whose commit has not been flushed; on groups of commits the order has
// little effect.
func (p *virtualProc) wakeWatchers(v *virtualMutex) {
	for _, w := range slices.Backward(v.watchers) {
		if w.upTo <= v.progress {
			w.proc.answer = v.progress
			p.rouse(w.proc)
		}
	}
	v.watchers = slices.DeleteFunc(v.watchers, func(w watcher) bool { return w.upTo <= v.progress })
}

func (p *virtualProc) LockOrWait(m *Mutex) bool {
	p.meter.work += p.clock.costs.LockPs * fsPerPs
	p.settle()
	v, asked := &m.virtual, p.clock.now
	v.attend(asked, 1)
	if v.owner == nil && !v.starving {
		p.own(m, asked)
		return true
	}
	p.watch(m, Free, asked)
	p.missed, p.missedRelease = v, v.releases
	return false
}

func (p *virtualProc) SetProgress(m *Mutex, progress int64) {
	v := &m.virtual
	if v.owner != p {
		panic("simtime: SetProgress of a mutex that this process does not own")
	}
	p.settle()
	v.progress = progress
	p.wakeWatchers(v)
}

func (p *virtualProc) AwaitProgress(m *Mutex, progress int64) int64 {
	p.settle()
	v, asked := &m.virtual, p.clock.now
	if v.owner == nil || v.progress >= progress {
		return progressOf(v)
	}
	v.attend(asked, 1)
	return p.watch(m, progress, asked)
}

func progressOf(v *virtualMutex) int64 {
	if v.owner == nil {
		return Free
	}
	return v.progress
}

// spinFor keeps the core until v is handed to p. Those who spin get it in the order
// in which they came.
func (p *virtualProc) spinFor(v *virtualMutex) {
	from := p.clock.now
	v.spinners.push(p)
	p.clock.blocked++
	p.sleep()
	p.clock.blocked--
	p.cpu += p.clock.now.Sub(from)
}

// passSpinlock gives a spinlock that has been released to the next one who spins for
// it, on the core it has.
func (v *virtualMutex) passSpinlock(c *virtualClock) {
	if w, ok := v.spinners.pop(); ok {
		v.owner = w
		c.at(c.now, w, true)
	}
}
