package calibrate

import "github.com/walbench/walbench/simtime"

const (
	wakesPerSample = 4
	asleepAfter    = 50 * simtime.Microsecond // a thread that waits has given up its core by then
)

// addLocks adds the mutex and the wake-up of another process.
func (b *bench) addLocks() {
	m := simtime.NewMutex(simtime.LockSerial)
	b.loop("lock", func(count int) {
		for range count {
			b.p.Lock(m)
			b.p.Unlock(m)
		}
	})
	b.add("wake", wakesPerSample, func(count int) (simtime.Duration, error) { return b.wakes(count).woken, nil })
	b.add("wake call", wakesPerSample, func(count int) (simtime.Duration, error) { return b.wakes(count).called, nil })
}

// wakeUp is a process that sleeps until it is called, again and again.
type wakeUp struct {
	mu     *simtime.Mutex // guards what follows
	cond   *simtime.Cond
	asleep bool
	at     simtime.Time     // of the last call
	woken  simtime.Duration // sum of the times from call to running
	called simtime.Duration // sum of what the calls took their caller
}

// wakes wakes another process count times, each time after it has been asleep.
func (b *bench) wakes(count int) *wakeUp {
	w := &wakeUp{mu: simtime.NewMutex(simtime.LockOther)}
	w.cond = simtime.NewCond(w.mu)
	sleeper := b.p.Spawn("sleeper", func(p simtime.Proc) { w.sleep(p, count) })
	for range count {
		w.awaitSleep(b.p)
		w.call(b.p)
	}
	sleeper.Join(b.p)
	return w
}

func (w *wakeUp) sleep(p simtime.Proc, count int) {
	p.Lock(w.mu)
	defer p.Unlock(w.mu)
	for range count {
		for w.asleep = true; w.asleep; {
			p.Wait(w.cond)
		}
		w.woken += p.Now().Sub(w.at)
	}
}

// awaitSleep spins until the sleeper has been asleep for a while.
func (w *wakeUp) awaitSleep(p simtime.Proc) {
	for asleep := false; !asleep; {
		p.Lock(w.mu)
		asleep = w.asleep
		p.Unlock(w.mu)
	}
	for since := p.Now(); p.Now().Sub(since) < asleepAfter; {
	}
}

func (w *wakeUp) call(p simtime.Proc) {
	p.Lock(w.mu)
	w.asleep = false
	start := p.Now()
	w.at = start
	p.Signal(w.cond)
	p.Unlock(w.mu)
	took := p.Now().Sub(start)
	p.Lock(w.mu)
	w.called += took
	p.Unlock(w.mu)
}
