package simtime

import (
	"runtime"
	"sync/atomic"
)

// realClock runs processes as goroutines, each locked to a thread of its own:
// PostgreSQL's backends are processes, and a process that blocks in a system
// call must not hold up another.
type realClock struct {
	source  source
	started atomic.Int64 // processes so far
}

// NewReal returns the real clock.
func NewReal() Clock {
	sleepOverhead() // now, and not inside the first hold
	return &realClock{source: newSource()}
}

// RealSource names what the real clock reads: "tsc", the processor's invariant
// time-stamp counter, or "runtime".
func RealSource() string {
	s := newSource()
	return s.name()
}

func (c *realClock) Modelled() bool { return false }

func (c *realClock) Run(name string, f func(Proc)) {
	c.start(f).wait()
}

func (c *realClock) start(f func(Proc)) *realHandle {
	p := &realProc{number: c.started.Add(1) - 1, clock: c, meter: NewMeter()}
	p.meter.Locks[LockSerial].init() // others when one is taken
	p.meter.Holds = HoldSamples{Every: SampleEvery, CPU: newHistogram(), clock: &c.source}
	p.meter.Late, p.meter.Latency = NewTimes(), NewTimes()
	p.meter.CipherTime = newCipherSamples(p.number, &c.source)
	h := &realHandle{proc: p, done: make(chan struct{})}
	go func() {
		defer close(h.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer fineTimers()()
		f(p)
	}()
	return h
}

type realHandle struct {
	proc *realProc
	done chan struct{}
}

func (h *realHandle) wait()         { <-h.done }
func (h *realHandle) Join(Proc)     { h.wait() }
func (h *realHandle) Meter() *Meter { return h.proc.meter }

// realProc is a process on the real clock.
type realProc struct {
	number int64 // of the process on its clock, from 0
	clock  *realClock
	meter  *Meter
}

func (p *realProc) Now() Time { return p.clock.source.now() }

// CPU reads the clock of the process's thread.
func (p *realProc) CPU() Duration { return threadCPU() }

func (p *realProc) Meter() *Meter { return p.meter }

// Sync does nothing: on this clock work takes its time while it is done.
func (p *realProc) Sync() {}

// Device waits for a modelled device. Of any other the operation itself took its
// time.
func (p *realProc) Device(d *Device, op DeviceOp, n int64) {
	if d.Kind == ModelDevice && op == DeviceSync {
		p.Sleep(d.syncTime(n))
	}
}

// Work keeps a core busy until the thread has used d of processor time: time in
// which it is not let run is no work done.
func (p *realProc) Work(d Duration) {
	for start := p.CPU(); p.CPU()-start < d; {
	}
}

func (p *realProc) Spawn(name string, f func(Proc)) Handle { return p.clock.start(f) }

func (p *realProc) Lock(m *Mutex) { p.Acquire(m) }

// Acquire takes m. An uncontended acquisition needs one clock reading instead of
// two; its wait is shorter than a reading costs and counts as zero.
func (p *realProc) Acquire(m *Mutex) (waited bool) {
	if m.class == LockOther {
		m.mu.Lock()
		m.owner = p
		return false
	}
	if m.mu.TryLock() {
		p.took(m, 0, false)
		return false
	}
	asked := p.Now()
	if !m.spins || !m.spin() {
		m.mu.Lock()
	}
	p.took(m, asked, true)
	return true
}

// took makes p the owner of m, which it has locked: after a wait since asked, or
// without one.
func (p *realProc) took(m *Mutex, asked Time, waited bool) {
	m.acquired(p)
	s := &p.meter.Locks[m.class]
	if waited {
		s.waited(m.since.Sub(asked))
	} else {
		s.waited(0)
	}
	p.beginSample(m)
}

// beginSample takes phases and processor time of every SampleEvery-th hold of the
// serialising lock.
func (p *realProc) beginSample(m *Mutex) {
	if m.class == LockSerial && (p.meter.Locks[m.class].Acquisitions+p.number*sampleStride)%SampleEvery == 0 {
		cpu := p.CPU()
		p.meter.Holds.begin(p.Now(), cpu) // the reading before it is in no phase
	}
}

// release ends the hold of m and returns its length.
func (p *realProc) release(m *Mutex) Duration {
	if m.class != LockSerial || !p.meter.Holds.on {
		return p.Now().Sub(m.since)
	}
	now := p.Now()
	p.meter.Holds.end(now, p.CPU())
	return p.Now().Sub(m.since)
}

func (p *realProc) Unlock(m *Mutex) {
	if m.owner != p {
		panic("simtime: Unlock of a mutex that this process does not own")
	}
	m.owner = nil
	if m.class == LockOther {
		m.mu.Unlock()
		return
	}
	held := p.release(m)
	if m.watch != nil {
		m.watch.free()
	}
	m.mu.Unlock()
	if m.watch != nil {
		m.watch.ended()
	}
	// Recorded behind the lock, so that nobody waits for the bookkeeping.
	p.meter.Locks[m.class].held(held)
}

func (p *realProc) Wait(c *Cond) {
	if c.m.owner != p {
		panic("simtime: Wait on a mutex that this process does not own")
	}
	c.m.owner = nil
	if c.m.class == LockOther {
		c.c.Wait()
		c.m.owner = p
		return
	}
	s := &p.meter.Locks[c.m.class]
	held := p.release(c.m)
	c.c.Wait()
	c.m.acquired(p)
	s.held(held)
	s.waited(0)
}

func (p *realProc) Signal(c *Cond)    { c.c.Signal() }
func (p *realProc) Broadcast(c *Cond) { c.c.Broadcast() }

func (m *Mutex) acquired(p *realProc) {
	m.owner = p
	m.since = p.Now()
	if m.watch != nil {
		m.watch.begin()
	}
}
