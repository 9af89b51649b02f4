package simtime

import (
	"fmt"
	"slices"
	"testing"
)

// onBothClocks runs f on a real clock and on a virtual one.
func onBothClocks(t *testing.T, f func(t *testing.T, c Clock)) {
	t.Run("real", func(t *testing.T) { f(t, NewReal()) })
	t.Run("virtual", func(t *testing.T) {
		f(t, newTestClock(t, 3, func(c *Costs) { c.LockPs, c.WakePs, c.WakeCallPs = 20_000, 2_000_000, 500_000 }))
	})
}

// spawn runs n processes on c and returns the sum of their meters.
func spawn(c Clock, n int, f func(p Proc, i int)) *Meter {
	total := NewMeter()
	c.Run("test", func(p Proc) {
		handles := make([]Handle, n)
		for i := range handles {
			handles[i] = p.Spawn("worker", func(p Proc) { f(p, i) })
		}
		for _, h := range handles {
			h.Join(p)
		}
		for _, h := range handles {
			total.Add(h.Meter())
		}
	})
	return total
}

// Work that one does for all: whoever asked meanwhile returns without the lock, none
// is forgotten, and every wait is counted.
func TestLockOrWaitGroupsWork(t *testing.T) {
	onBothClocks(t, func(t *testing.T, c Clock) {
		const n, rounds = 8, 100
		m, state := NewWatched(LockSerial), NewMutex(LockOther)
		asked, done := 0, 0 // guarded by state
		owned, joined := make([]int, n), make([]int, n)
		total := spawn(c, n, func(p Proc, i int) {
			for range rounds {
				p.Lock(state)
				asked++
				mine := asked
				p.Unlock(state)
				for {
					p.Lock(state)
					ok := done >= mine
					p.Unlock(state)
					if ok {
						break
					}
					if !p.LockOrWait(m) {
						joined[i]++
						continue
					}
					owned[i]++
					p.Lock(state)
					upTo := asked
					p.Unlock(state)
					p.Sleep(20 * Microsecond)
					p.Lock(state)
					done = max(done, upTo)
					p.Unlock(state)
					p.Unlock(m)
				}
			}
		})
		s := &total.Locks[LockSerial]
		holds, waits := 0, 0
		for i := range n {
			holds, waits = holds+owned[i], waits+joined[i]
		}
		if s.Acquisitions != int64(holds) || s.WaitsOnly != int64(waits) || s.Wait.TotalCount() != int64(holds+waits) {
			t.Errorf("%d acquisitions, %d waits only, %d recorded, want %d and %d", s.Acquisitions, s.WaitsOnly, s.Wait.TotalCount(), holds, waits)
		}
		if done != n*rounds || holds >= n*rounds || waits == 0 {
			t.Errorf("%d done in %d holds, %d waits for others", done, holds, waits)
		}
	})
}

func TestLockOrWaitTakesAFreeLock(t *testing.T) {
	onBothClocks(t, func(t *testing.T, c Clock) {
		m := NewWatched(LockSerial)
		total := spawn(c, 1, func(p Proc, _ int) {
			if !p.LockOrWait(m) {
				t.Error("not owned")
			}
			p.Unlock(m)
		})
		if s := &total.Locks[LockSerial]; s.Acquisitions != 1 || s.WaitsOnly != 0 {
			t.Errorf("%d acquisitions, %d waits", s.Acquisitions, s.WaitsOnly)
		}
	})
}

// Whoever awaits progress goes on when the owner has got so far, or has released the
// lock, and knows which.
func TestAwaitProgress(t *testing.T) {
	onBothClocks(t, func(t *testing.T, c Clock) {
		m, gate := NewWatched(LockInsert), NewMutex(LockOther)
		changed := NewCond(gate)
		step := 0
		await := func(p Proc, n int) {
			p.Lock(gate)
			for step < n {
				p.Wait(changed)
			}
			p.Unlock(gate)
		}
		next := func(p Proc) {
			p.Lock(gate)
			step++
			p.Broadcast(changed)
			p.Unlock(gate)
		}
		total := spawn(c, 2, func(p Proc, i int) {
			if i == 0 { // owner
				p.Lock(m)
				next(p)
				p.Sleep(Millisecond) // the other waits by now
				p.SetProgress(m, 10)
				await(p, 2)
				p.Sleep(Millisecond)
				p.Unlock(m)
				return
			}
			await(p, 1)
			if got := p.AwaitProgress(m, 0); got != 0 {
				t.Errorf("progress %d, want 0", got)
			}
			if got := p.AwaitProgress(m, 7); got != 10 {
				t.Errorf("progress %d, want 10", got)
			}
			next(p)
			if got := p.AwaitProgress(m, 11); got != Free {
				t.Errorf("progress %d, want free", got)
			}
			if got := p.AwaitProgress(m, 11); got != Free {
				t.Errorf("progress %d, want free", got)
			}
		})
		if s := &total.Locks[LockInsert]; s.WaitsOnly != 2 || s.Acquisitions != 1 || s.WaitPs <= 0 {
			t.Errorf("%d waits of %d ps, %d acquisitions, want 2 and 1", s.WaitsOnly, s.WaitPs, s.Acquisitions)
		}
	})
}

func TestAcquireSaysWhetherItWaited(t *testing.T) {
	onBothClocks(t, func(t *testing.T, c Clock) {
		m := NewWatched(LockInsert)
		spawn(c, 1, func(p Proc, _ int) {
			if p.Acquire(m) {
				t.Error("waited for a free lock")
			}
			h := p.Spawn("second", func(p Proc) {
				if !p.Acquire(m) {
					t.Error("did not wait")
				}
				p.Unlock(m)
			})
			p.Sleep(5 * Millisecond)
			p.Unlock(m)
			h.Join(p)
		})
	})
}

// Spinlocks exclude; on a virtual clock waiting for one takes processor time, and one
// core is enough.
func TestSpinlock(t *testing.T) {
	for _, cores := range []int{1, 2, 5} {
		for name, c := range map[string]Clock{
			"real":    NewReal(),
			"virtual": newTestClock(t, cores, func(c *Costs) { c.LockPs, c.QuantumPs, c.SwitchPs = 20_000, 1_000_000, 100_000 }),
		} {
			m, shared := NewSpinlock(LockPosition), 0
			total := spawn(c, 6, func(p Proc, _ int) {
				for range 200 {
					p.Lock(m)
					shared++
					p.Work(300 * Nanosecond)
					p.Unlock(m)
					p.Work(100 * Nanosecond)
				}
			})
			if s := &total.Locks[LockPosition]; shared != 1200 || s.Acquisitions != 1200 {
				t.Errorf("%s, %d cores: %d additions in %d acquisitions", name, cores, shared, s.Acquisitions)
			}
		}
	}
}

func TestWaitFor(t *testing.T) {
	onBothClocks(t, func(t *testing.T, c Clock) {
		m := NewMutex(LockOther)
		cond := NewCond(m)
		signalled := false
		spawn(c, 2, func(p Proc, i int) {
			if i == 1 {
				p.Sleep(20 * Millisecond)
				p.Lock(m)
				signalled = true
				p.Signal(cond)
				p.Unlock(m)
				return
			}
			p.Lock(m)
			defer p.Unlock(m)
			from := p.Now()
			p.WaitFor(cond, 2*Millisecond)
			if took := p.Now().Sub(from); took < 2*Millisecond || signalled {
				t.Errorf("waited %d ps, signalled %t, want 2 ms without", took, signalled)
			}
			p.WaitFor(cond, 100*Second)
			if !signalled {
				t.Error("woken without a signal")
			}
		})
	})
}

// An alarm that has become pointless moves no clock.
func TestVirtualAlarmsLeaveNoTrace(t *testing.T) {
	c := newTestClock(t, 1, nil)
	m := NewMutex(LockOther)
	cond := NewCond(m)
	run := func(p Proc) {
		h := p.Spawn("waits", func(p Proc) {
			p.Lock(m)
			p.WaitFor(cond, Second)
			p.Unlock(m)
		})
		p.Sleep(us)
		p.Lock(m)
		p.Signal(cond)
		p.Unlock(m)
		h.Join(p)
	}
	c.Run("main", run)
	c.Run("main", func(p Proc) {
		if now := p.Now(); now > Time(10*us) {
			t.Errorf("the second run begins at %d ps", now)
		}
	})
}

// Who came last is woken first, and before who wants to own the lock.
func TestVirtualWatchersLastFirst(t *testing.T) {
	m := NewWatched(LockSerial)
	var order []string
	note := func(p Proc, what string) {
		p.Sync()
		order = append(order, what)
	}
	waits := func(i int) func(Proc) {
		return func(p Proc) {
			p.Sleep(Duration(i) * us)
			p.LockOrWait(m)
			note(p, fmt.Sprint(i))
		}
	}
	inTurn(t, 1, func(c *Costs) { c.StarvationPs = mostOf("starvation_ps") },
		func(p Proc) {
			p.Lock(m)
			p.Sleep(10 * us)
			p.Unlock(m)
		},
		func(p Proc) {
			p.Sleep(us / 2)
			p.Lock(m)
			note(p, "owner")
			p.Unlock(m)
		}, waits(1), waits(2), waits(3))
	if !slices.Equal(order, []string{"3", "2", "1", "owner"}) {
		t.Errorf("went on in the order %v", order)
	}
}

// Work gives its core to whoever becomes runnable for something else, and goes on
// behind it; no work is lost.
func TestVirtualWorkYields(t *testing.T) {
	run := func(yields bool) (ends []Time, cpu []Duration) {
		c, err := NewVirtual(VirtualOptions{Profile: testProfile(func(c *Costs) { c.QuantumPs = mostOf("starvation_ps") }), Cores: 1, WorkYields: yields})
		if err != nil {
			t.Fatal(err)
		}
		ends, cpu = make([]Time, 3), make([]Duration, 3)
		c.Run("main", func(p Proc) {
			var handles []Handle
			for i, f := range []func(Proc){
				func(p Proc) { p.Work(100 * us) },
				func(p Proc) { p.Work(100 * us) },
				func(p Proc) {
					for range 3 {
						p.Sleep(30 * us)
					}
				},
			} {
				handles = append(handles, p.Spawn(fmt.Sprint(i), func(p Proc) {
					f(p)
					p.Sync()
					ends[i], cpu[i] = p.Now(), p.CPU()
				}))
			}
			for _, h := range handles {
				h.Join(p)
			}
		})
		return ends, cpu
	}
	ends, cpu := run(true)
	// The second takes the core from the first when it begins; at 30, 60 and 90 us they
	// change places.
	wantEnds(t, "giving way", ends, 200*us, 160*us, 90*us)
	if !slices.Equal(cpu, []Duration{100 * us, 100 * us, 0}) {
		t.Errorf("processor times %v", cpu)
	}
	ends, _ = run(false)
	wantEnds(t, "not giving way", ends, 100*us, 200*us, 290*us)
}

// The factors of a varying device have a mean of 1, all come about equally often, and
// an unvarying one has none.
func TestVaryingDevice(t *testing.T) {
	d := &Device{Kind: ModelDevice, Latency: 1024 * us, BytesPerSecond: 1e9, Varies: true}
	sum, least, most := Duration(0), Duration(mostOf("starvation_ps")), Duration(0)
	const n = 20000
	for range n {
		v := d.syncTime(0)
		sum, least, most = sum+v, min(least, v), max(most, v)
	}
	if mean := sum / n; mean < 1000*us || mean > 1048*us || least != 88*us || most != 11680*us {
		t.Errorf("mean %d us, from %d to %d", mean/us, least/us, most/us)
	}
	if d := (&Device{Latency: us, BytesPerSecond: 1e9}); d.syncTime(0) != us || d.syncTime(1000) != 2*us {
		t.Error("a device that does not vary does")
	}
}

// Who waits for a condition misses no signal that comes while it still pays for waking
// the next owner of the mutex.
func TestWaitMissesNoSignal(t *testing.T) {
	for name, wait := range map[string]func(p Proc, c *Cond){
		"Wait":    func(p Proc, c *Cond) { p.Wait(c) },
		"WaitFor": func(p Proc, c *Cond) { p.WaitFor(c, Second) },
	} {
		t.Run(name, func(t *testing.T) {
			m := NewMutex(LockSerial)
			c := NewCond(m)
			told := false
			ends := inTurn(t, 8, func(c *Costs) { c.WakePs, c.WakeCallPs = int64(50*us), int64(4*us) },
				func(p Proc) {
					p.Lock(m)
					p.Work(10 * us)
					for !told {
						wait(p, c)
					}
					p.Unlock(m)
				},
				func(p Proc) { // is queued, so that the first one wakes it
					p.Sleep(us)
					p.Lock(m)
					p.Unlock(m)
				},
				func(p Proc) { // takes the mutex before that
					p.Sleep(12 * us)
					p.Lock(m)
					told = true
					p.Broadcast(c)
					p.Unlock(m)
				})
			if ends[0] > Time(200*us) {
				t.Errorf("the waiter ended at %d us", ends[0]/Time(us))
			}
		})
	}
}

// What a sync is said to take varies as a device's own latency does.
func TestVaryingSyncLatency(t *testing.T) {
	sync := 100 * us
	fixed := &Device{Kind: ModelDevice, Latency: sync, BytesPerSecond: 1e9, Varies: true}
	said := &Device{Kind: ModelDevice, Latency: 10 * Millisecond, BytesPerSecond: 1e9, Varies: true, Sync: &sync}
	for i := range 100 {
		if a, b := fixed.virtualSync(&Costs{}, 8192), said.virtualSync(&Costs{}, 8192); a != b || a <= 0 {
			t.Fatalf("sync %d takes %d, and %d if it is said to", i, a, b)
		}
	}
	other, same := *fixed, 0
	other.Draws++
	for range 100 {
		if fixed.syncTime(0) == other.syncTime(0) {
			same++
		}
	}
	if same > 20 {
		t.Errorf("other draws give %d of 100 times alike", same)
	}
}
