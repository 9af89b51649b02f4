package simtime

import (
	"sync"
	"sync/atomic"
	"time"
)

// watch is what others see of a mutex's owner on the real clock. The owner pays for
// it with a few atomic stores; only where somebody waits does it take a lock.
type watch struct {
	progress atomic.Int64  // of the owner; Free without one
	holds    atomic.Uint64 // holds that are over
	waiting  atomic.Int32  // processes in await

	mu sync.Mutex // of changed; whoever owns it never waits for the watched mutex
	c  sync.Cond
}

func newWatch() *watch {
	w := &watch{}
	w.c.L = &w.mu
	w.progress.Store(Free)
	return w
}

// begin is called by the new owner: from here on its progress is 0.
func (w *watch) begin() { w.progress.Store(0) }

// free is called by the owner just before it releases the mutex, so that it does not
// overwrite what the next one says; ended just after.
func (w *watch) free() {
	w.progress.Store(Free)
	w.holds.Add(1)
}

// ended and SetProgress change first and look for waiters then; a waiter announces
// itself first and looks then. So one of the two sees the other.
func (w *watch) ended() {
	if w.waiting.Load() == 0 {
		return
	}
	w.mu.Lock()
	w.c.Broadcast()
	w.mu.Unlock()
}

// await blocks until done says so. It is asked again after each change.
func (w *watch) await(done func() bool) {
	w.mu.Lock()
	w.waiting.Add(1)
	for !done() {
		w.c.Wait()
	}
	w.waiting.Add(-1)
	w.mu.Unlock()
}

// spinFor is how often a spinlock is tried before its waiter blocks: its holder has
// lost its core.
const spinFor = 1000

// spin tries to lock m some times.
func (m *Mutex) spin() bool {
	for range spinFor {
		if m.mu.TryLock() {
			return true
		}
	}
	return false
}

func (p *realProc) LockOrWait(m *Mutex) bool {
	holds := m.watch.holds.Load()
	if m.mu.TryLock() {
		p.took(m, 0, false)
		return true
	}
	asked, owned := p.Now(), false
	m.watch.await(func() bool {
		if m.watch.holds.Load() != holds {
			return true
		}
		owned = m.mu.TryLock()
		return owned
	})
	if owned {
		p.took(m, asked, true)
		return true
	}
	p.meter.Locks[m.class].waitedOnly(p.Now().Sub(asked))
	return false
}

func (p *realProc) SetProgress(m *Mutex, v int64) {
	if m.owner != p {
		panic("simtime: SetProgress of a mutex that this process does not own")
	}
	m.watch.progress.Store(v)
	m.watch.ended()
}

func (p *realProc) AwaitProgress(m *Mutex, v int64) (progress int64) {
	holds := m.watch.holds.Load()
	if progress = m.watch.progress.Load(); progress >= v {
		return progress
	}
	asked := p.Now()
	m.watch.await(func() bool {
		if m.watch.holds.Load() != holds {
			progress = Free
			return true
		}
		progress = m.watch.progress.Load()
		return progress >= v
	})
	p.meter.Locks[m.class].waitedOnly(p.Now().Sub(asked))
	return progress
}

// WaitFor has a timer wake all waiters, who look again.
func (p *realProc) WaitFor(c *Cond, d Duration) {
	t := time.AfterFunc(time.Duration(d.Nanoseconds()), func() {
		c.m.mu.Lock() // so that it does not come before the wait has begun
		c.c.Broadcast()
		c.m.mu.Unlock()
	})
	p.Wait(c)
	t.Stop()
}
