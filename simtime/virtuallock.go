package simtime

// virtualMutex is a mutex's side on a virtual clock. It behaves as Go's
// sync.Mutex does (internal/sync/mutex.go): whoever comes while it is free takes
// it, also before one that has been woken for it; a waiter that was woken and
// came too late goes back to the head of the queue; and once one has waited
// longer than starvation_ps the lock is handed over in order, until the queue is
// empty or a waiter has waited less.
type virtualMutex struct {
	owner    *virtualProc
	last     *virtualProc // owned it last: the line of the lock is in its core's cache
	since    Time
	queue    fifo[*virtualProc]
	woken    bool // a waiter is on its way to try again
	starving bool // handed over in order

	freed    Time  // when it was last given up
	releases int64 // how often it was
	wanted   bool  // it was with processes in the queue, and nobody has owned it since

	watchers []watcher // of a watched mutex
	progress int64     // of its owner
	spinners fifo[*virtualProc]

	present int      // processes that wait for the lock or own it
	changed Time     // when that number last changed
	spent   Duration // integral of that number over time, until then
}

// attend counts one process more, or less, at the lock.
func (v *virtualMutex) attend(now Time, more int) {
	v.spent += Duration(v.present) * now.Sub(v.changed)
	v.changed = now
	v.present += more
}

// Presence is the time that processes have spent at m on a virtual clock, waiting
// or owning it, as the integral over time of their number: what Little's law says
// must be the sum of their waits and holds. Only the owner of m may ask.
func (m *Mutex) Presence() Duration { return m.virtual.spent }

func (p *virtualProc) Lock(m *Mutex) { p.Acquire(m) }

func (p *virtualProc) Acquire(m *Mutex) (waited bool) {
	p.meter.work += p.clock.costs.LockPs * fsPerPs
	p.settle()
	v, asked := &m.virtual, p.clock.now
	v.attend(asked, 1)
	waited = v.owner != nil || v.starving
	switch {
	case waited && m.spins:
		p.spinFor(v)
	case waited:
		p.queueFor(v, asked)
	}
	p.own(m, asked)
	return waited
}

// queueFor waits until p owns v or may take it.
func (p *virtualProc) queueFor(v *virtualMutex, asked Time) {
	v.queue.push(p)
	for {
		p.block()
		waited := p.clock.now.Sub(asked)
		if v.owner == p { // handed over
			if waited < Duration(p.clock.costs.StarvationPs) || v.queue.n == 0 {
				v.starving = false
			}
			return
		}
		v.woken = false
		if v.owner == nil && !v.starving {
			return
		}
		v.starving = v.starving || waited >= Duration(p.clock.costs.StarvationPs)
		v.queue.pushFront(p)
	}
}

// own makes p the owner of m, which is free or has been handed to it. Nobody else
// can get it from now on, but p does not have it before its cache line has come:
// that is wait, and no hold.
func (p *virtualProc) own(m *Mutex, asked Time) {
	v, now := &m.virtual, p.clock.now
	v.owner = p
	idle := p.fetchLine(v)
	now = now.Add(idle)
	v.since = now
	if v.wanted || p.missed == v && p.missedRelease == v.releases {
		idle, v.wanted = now.Sub(v.freed), false
	}
	p.missed = nil
	if m.watched {
		v.progress = 0
	}
	if m.spins {
		p.spinlocks++
	}
	if m.class == LockOther {
		return
	}
	s := &p.meter.Locks[m.class]
	s.waited(now.Sub(asked))
	s.IdlePs += int64(idle)
	if m.class == LockSerial && (s.Acquisitions+p.number*sampleStride)%p.meter.Holds.Every == 0 {
		p.meter.Holds.begin(p.Now(), p.CPU())
	}
}

// fetchLine charges p for the cache line of v, and says how long it takes. The clock
// goes on when p settles next, which it does at the latest when it gives v up.
func (p *virtualProc) fetchLine(v *virtualMutex) Duration {
	if v.last == p {
		return 0
	}
	first := v.last == nil
	v.last = p
	if first {
		return 0
	}
	takes := p.clock.costs.LockLineTransferPs
	p.meter.work += takes * fsPerPs
	return Duration(takes)
}

func (p *virtualProc) Unlock(m *Mutex) {
	if m.virtual.owner != p {
		if p.clock.ended {
			return // a deferred call of a process that is unwound
		}
		panic("simtime: Unlock of a mutex that this process does not own")
	}
	switch w, handed := p.release(m); {
	case w == nil:
	case handed && p.spinlocks == 0:
		p.yieldTo(w)
	default:
		p.rouse(w)
	}
}

// release gives m up at the time when the work so far is done. w, if there is one, is to
// be woken for it; handed says that it owns m already.
func (p *virtualProc) release(m *Mutex) (w *virtualProc, handed bool) {
	p.settle()
	v, now := &m.virtual, p.clock.now
	v.attend(now, -1)
	if m.class != LockOther {
		if m.class == LockSerial && p.meter.Holds.on {
			p.meter.Holds.end(now, p.CPU())
		}
		p.meter.Locks[m.class].held(now.Sub(v.since))
	}
	v.owner, v.freed = nil, now
	v.releases++
	if m.spins {
		p.spinlocks--
		v.passSpinlock(p.clock)
		return nil, false
	}
	if m.watched {
		v.progress = Free
		p.wakeWatchers(v)
	}
	if v.queue.n == 0 {
		return nil, false
	}
	v.wanted = true
	if v.woken {
		return nil, false
	}
	w, _ = v.queue.pop()
	if v.starving {
		v.owner = w
		return w, true
	}
	v.woken = true
	return w, false
}

// rouse wakes w, and charges this process for the call if that has to send for a core.
func (p *virtualProc) rouse(w *virtualProc) {
	if p.clock.wake(w, p.core) {
		p.meter.work += p.clock.costs.WakeCallPs * fsPerPs
	}
}

// leave releases m, as the first half of a wait: who is woken for it finds a core
// without this one's help.
func (p *virtualProc) leave(m *Mutex) {
	if w, _ := p.release(m); w != nil {
		p.rouse(w)
	}
	p.settle() // what waking another took
}

func (p *virtualProc) Wait(c *Cond) {
	if c.m.virtual.owner != p {
		panic("simtime: Wait on a mutex that this process does not own")
	}
	p.join(c)
	if p.parking {
		p.parking = false
		p.block()
	}
	p.retake(c)
}

// join puts the process into c's queue and releases c's mutex, in this order: who gets
// the mutex while the process still pays for waking others finds it in the queue. It is
// no longer parking if it has been woken by then.
func (p *virtualProc) join(c *Cond) {
	c.virtual.push(p)
	p.parking = true
	p.leave(c.m)
}

// WaitFor is Wait with an event that ends it.
func (p *virtualProc) WaitFor(c *Cond, d Duration) {
	if c.m.virtual.owner != p {
		panic("simtime: WaitFor on a mutex that this process does not own")
	}
	p.join(c)
	if p.parking {
		p.parking = false
		p.alarm++
		p.clock.queue.push(event{at: p.clock.now.Add(max(d, 0)), proc: p, alarm: p.alarm, cond: c})
		p.block()
		p.alarm++ // whatever has woken it: the event is of no use any more
	}
	p.retake(c)
}

// retake gives a process that has waited for c its mutex back.
func (p *virtualProc) retake(c *Cond) {
	v := &c.m.virtual
	if v.owner != nil || v.starving {
		p.queueFor(v, p.clock.now)
	}
	v.attend(p.clock.now, 1)
	p.own(c.m, p.clock.now)
}

func (p *virtualProc) Signal(c *Cond) {
	p.settle()
	if w, ok := c.virtual.pop(); ok {
		p.rouse(w)
	}
}

func (p *virtualProc) Broadcast(c *Cond) {
	p.settle()
	for n := c.virtual.n; n > 0; n-- {
		w, _ := c.virtual.pop()
		p.rouse(w)
	}
}
