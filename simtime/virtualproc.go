package simtime

import "iter"

// virtualProc is a process on a virtual clock.
type virtualProc struct {
	number   int64
	name     string
	clock    *virtualClock
	meter    *Meter
	cpu      Duration // used so far, without what the meter still owes
	sliceEnd Time     // when the process has to give up its core, if others wait
	done     bool
	waiting  []*virtualProc // to join this one

	spinlocks     int           // it owns
	answer        int64         // to what it watched for
	missed        *virtualMutex // the one whose release it was woken by, without owning it
	missedRelease int64
	parking       bool     // in the queue of a condition, and still on its core
	alarm         int64    // number of the wait, or the work, that an alarm may end
	core          int      // it has, had last, or that is on its way to it
	home          int      // the core that may take it before others do, or nobody
	comes         Time     // when the core will be there that is on its way
	left          Duration // of work that gives way
	since         Time     // when its present stretch began

	next  func() (struct{}, bool) // runs the process until it pauses
	stop  func()
	pause func(struct{}) bool
}

func newVirtualProc(c *virtualClock, name string, f func(Proc)) *virtualProc {
	p := &virtualProc{number: int64(len(c.procs)), name: name, clock: c}
	p.meter = c.newMeter(p)
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.pause = yield
		defer p.unwind()
		f(p)
		p.settle()
		p.end()
	})
	return p
}

// abandoned is what unwinds a process that is no longer wanted.
type abandoned struct{}

func (p *virtualProc) unwind() {
	if r := recover(); r != nil {
		if _, ok := r.(abandoned); !ok {
			panic(r)
		}
	}
}

func (p *virtualProc) abandon() { p.stop() }

// resume runs the process until it pauses or returns.
func (p *virtualProc) resume() { p.next() }

// sleep lets others run until an event of this process comes.
func (p *virtualProc) sleep() {
	if !p.pause(struct{}{}) {
		panic(abandoned{})
	}
}

// end gives the core away and wakes whoever waits for this process.
func (p *virtualProc) end() {
	p.done = true
	p.clock.giveCore(p.core)
	for _, w := range p.waiting {
		p.clock.wake(w, nobody)
	}
}

// settle brings the clock up to the work that the meter has charged.
func (p *virtualProc) settle() {
	work := p.meter.takeWork()
	if p.meter.streamed >= fsPerPs {
		work = max(work, p.takeTurn())
	}
	if work > 0 {
		p.busy(work)
	}
}

// busy keeps the process on its core for d, or, when its quantum ends and others
// wait for one, on a core it gets later.
func (p *virtualProc) busy(d Duration) {
	c := p.clock
	p.cpu += d
	if p.spinlocks > 0 {
		p.until(c.now.Add(d)) // others spin for it: it is not made to give up its core
		return
	}
	for {
		if c.now >= p.sliceEnd && !p.renewSlice() {
			p.sleep()
		}
		step := min(d, p.sliceEnd.Sub(c.now))
		p.until(c.now.Add(step))
		if d -= step; d == 0 {
			return
		}
	}
}

// renewSlice begins another quantum if nobody waits for a core. Otherwise it
// puts the process into the queue and says no.
func (p *virtualProc) renewSlice() bool {
	c := p.clock
	if c.ready.n == 0 {
		p.sliceEnd = c.now.Add(Duration(c.costs.QuantumPs))
		return true
	}
	p.home = nobody
	c.ready.push(p)
	c.giveCore(p.core)
	return false
}

// until keeps the core until t.
func (p *virtualProc) until(t Time) {
	c := p.clock
	if c.queue.free(t) {
		c.now = t // nobody else does anything before
		c.events++
		return
	}
	c.at(t, p, true)
	p.sleep()
}

// block gives the core away and waits to be woken.
func (p *virtualProc) block() {
	p.clock.blocked++
	p.clock.giveCore(p.core)
	p.sleep()
}

// away gives the core away until t.
func (p *virtualProc) away(t Time) {
	p.clock.giveCore(p.core)
	p.clock.at(t, p, false)
	p.sleep()
}

// rest waits until t for a device, or for nothing. The process keeps its core at first:
// as long as that a system, or Go's runtime, which is told nothing of what a system
// call is for, lets nobody else have it.
func (p *virtualProc) rest(t Time) {
	c := p.clock
	if kept := c.now.Add(Duration(c.costs.WaitKeepPs)); kept > c.now {
		kept = min(kept, t)
		p.cpu += kept.Sub(c.now)
		p.until(kept)
	}
	if t > c.now {
		p.away(t)
	}
}

// Now is the clock's time and the work that has been metered since.
func (p *virtualProc) Now() Time { return p.clock.now.Add(p.owed()) }

func (p *virtualProc) CPU() Duration { return p.cpu + p.owed() }

func (p *virtualProc) Meter() *Meter { return p.meter }

func (p *virtualProc) Sync() { p.settle() }

func (p *virtualProc) Sleep(d Duration) {
	p.settle()
	if d > 0 {
		p.rest(p.clock.now.Add(d))
	}
}

func (p *virtualProc) Work(d Duration) {
	if p.clock.options.WorkYields && p.spinlocks == 0 {
		p.workYielding(d)
		return
	}
	p.meter.work += int64(max(d, 0)) * fsPerPs
}

func (p *virtualProc) Spawn(name string, f func(Proc)) Handle {
	p.settle()
	return &virtualHandle{p.clock.start(name, f)}
}

type virtualHandle struct{ proc *virtualProc }

func (h *virtualHandle) Meter() *Meter { return h.proc.meter }

func (h *virtualHandle) Join(by Proc) {
	p := by.(*virtualProc)
	p.settle()
	if h.proc.done {
		return
	}
	h.proc.waiting = append(h.proc.waiting, p)
	p.block()
}
