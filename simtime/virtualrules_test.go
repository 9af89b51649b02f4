package simtime

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// inTurn runs processes on a virtual clock and returns when each was done.
func inTurn(t *testing.T, cores int, change func(*Costs), procs ...func(Proc)) (ends []Time) {
	t.Helper()
	ends = make([]Time, len(procs))
	newTestClock(t, cores, change).Run("main", func(p Proc) {
		var handles []Handle
		for i, f := range procs {
			handles = append(handles, p.Spawn(fmt.Sprint(i), func(p Proc) {
				f(p)
				p.Sync()
				ends[i] = p.Now()
			}))
		}
		for _, h := range handles {
			h.Join(p)
		}
	})
	return ends
}

func wantEnds(t *testing.T, what string, got []Time, want ...Duration) {
	t.Helper()
	for i, w := range want {
		if got[i] != Time(w) {
			t.Errorf("%s: process %d ended at %v us, want %v", what, i, float64(got[i])/float64(Microsecond), float64(w)/float64(Microsecond))
		}
	}
}

const us = Microsecond

// holds takes m after a while, for a while.
func holds(m *Mutex, after, hold Duration) func(Proc) {
	return func(p Proc) {
		p.Sleep(after)
		p.Lock(m)
		p.Work(hold)
		p.Unlock(m)
	}
}

// goesOn keeps its core for 100 us when f is done.
func goesOn(f func(Proc)) func(Proc) {
	return func(p Proc) {
		f(p)
		p.Work(100 * us)
	}
}

// Whoever comes while the lock is free takes it, also before one that was woken
// for it and is on its way; that one goes back to the head of the queue.
func TestVirtualMutexBarges(t *testing.T) {
	m := NewMutex(LockSerial)
	ends := inTurn(t, 8, func(c *Costs) { c.WakePs = int64(5 * us); c.StarvationPs = int64(1000 * us) },
		goesOn(holds(m, 0, 10*us)),     // until 10
		goesOn(holds(m, 1*us, 10*us)),  // woken at 10, comes at 15, too late
		goesOn(holds(m, 2*us, 10*us)),  // behind it
		goesOn(holds(m, 12*us, 10*us)), // finds it free
	)
	wantEnds(t, "barging", ends, 110*us, 122*us+5*us+10*us, 137*us+5*us+10*us, 122*us)
}

// Once one has waited longer than starvation_ps the lock is handed over in order.
func TestVirtualMutexHandsOver(t *testing.T) {
	m := NewMutex(LockSerial)
	ends := inTurn(t, 8, func(c *Costs) { c.WakePs = int64(5 * us); c.StarvationPs = 0 },
		goesOn(holds(m, 0, 10*us)),
		goesOn(holds(m, 1*us, 10*us)), // woken at 10, at 15 too late; from then on in order
		goesOn(holds(m, 2*us, 10*us)),
		goesOn(holds(m, 12*us, 10*us)), // the last to barge: until 22
		goesOn(holds(m, 23*us, 10*us)), // comes when 1 has got the lock: queues
	)
	// Each gives the lock away with its core, and has another one 5 us later, or sooner
	// where one comes and blocks.
	wantEnds(t, "handing over", ends, 110*us, 32*us+5*us+100*us, 42*us+5*us+100*us, 23*us+100*us, 52*us+100*us)
}

// A queue that has become empty ends the handing over.
func TestVirtualMutexStopsHandingOver(t *testing.T) {
	m := NewMutex(LockSerial)
	inTurn(t, 8, func(c *Costs) { c.WakePs = int64(5 * us); c.StarvationPs = 0 },
		holds(m, 0, 10*us), holds(m, 1*us, 10*us), holds(m, 12*us, 10*us))
	if m.virtual.starving || m.virtual.woken || m.virtual.owner != nil {
		t.Errorf("the lock is left starving %t, woken %t, owner %v", m.virtual.starving, m.virtual.woken, m.virtual.owner)
	}
}

// The wait for a condition is neither hold nor wait, and Signal wakes the first.
func TestVirtualCond(t *testing.T) {
	m := NewMutex(LockSerial)
	c := NewCond(m)
	var woken []int
	total := NewMeter()
	newTestClock(t, 4, nil).Run("main", func(p Proc) {
		var handles []Handle
		for i := range 3 {
			handles = append(handles, p.Spawn(fmt.Sprint(i), func(p Proc) {
				p.Sleep(Duration(i+1) * us)
				p.Lock(m)
				p.Wait(c)
				woken = append(woken, i)
				p.Unlock(m)
			}))
		}
		p.Sleep(100 * us)
		p.Lock(m)
		p.Signal(c)
		p.Unlock(m)
		p.Sleep(100 * us)
		p.Lock(m)
		p.Broadcast(c)
		p.Unlock(m)
		for _, h := range handles {
			h.Join(p)
			total.Add(h.Meter())
		}
	})
	if !slices.Equal(woken, []int{0, 1, 2}) {
		t.Errorf("woken in the order %v", woken)
	}
	if s := &total.Locks[LockSerial]; s.WaitPs != 0 || s.HoldPs != 0 || s.Acquisitions != 6 {
		t.Errorf("waits of %d ps, holds of %d ps in %d acquisitions, want none in 6", s.WaitPs, s.HoldPs, s.Acquisitions)
	}
}

// Two busy processes share one core by quanta; a core change costs its time.
func TestVirtualQuantum(t *testing.T) {
	busy := func(p Proc) { p.Work(100 * us) }
	ends := inTurn(t, 1, func(c *Costs) { c.QuantumPs = int64(30 * us); c.SwitchPs = int64(us) }, busy, busy)
	// main gives the core away once; the two swap at 30, 60, 90 us of each, and the
	// second has its last 10 us when the first is done.
	if gap := ends[1].Sub(ends[0]); gap != 11*us {
		t.Errorf("ended at %d and %d ps, want 11 us apart", ends[0], ends[1])
	}
}

// Processes on one device wait their turn.
func TestVirtualDeviceQueues(t *testing.T) {
	d := &Device{Kind: ModelDevice, Latency: 10 * us, BytesPerSecond: 1e9}
	sync := func(p Proc) { p.Device(d, DeviceSync, 5000) } // 10 us and 5 us
	wantEnds(t, "one device", inTurn(t, 4, nil, sync, sync, sync), 15*us, 30*us, 45*us)
}

// What wakes a process takes time where a core is free, and none where the process
// has to wait for one anyhow.
func TestVirtualWaking(t *testing.T) {
	run := func(cores int) []Time {
		m := NewMutex(LockSerial)
		return inTurn(t, cores, func(c *Costs) { c.WakePs = int64(7 * us); c.StarvationPs = mostOf("starvation_ps") },
			func(p Proc) {
				p.Lock(m)
				p.Sleep(10 * us)
				p.Unlock(m)
				p.Work(20 * us)
			}, holds(m, us, 10*us))
	}
	wantEnds(t, "a free core", run(2), 30*us, 10*us+7*us+10*us)
	wantEnds(t, "no free core", run(1), 30*us, 30*us+10*us)
}

func TestVirtualDeadlockIsNamed(t *testing.T) {
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "deadlock") || !strings.Contains(r, "stuck") {
			t.Errorf("panic %q, want one that names the process", r)
		}
	}()
	m := NewMutex(LockOther)
	c := NewCond(m)
	newTestClock(t, 1, nil).Run("main", func(p Proc) {
		p.Spawn("stuck", func(p Proc) {
			p.Lock(m)
			p.Wait(c)
		}).Join(p)
	})
}

// A panic of a process is the caller's, and leaves no coroutine behind.
func TestVirtualPanicPassesThrough(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		defer func() {
			if r := recover(); r != "out" {
				t.Errorf("got panic %v, want the process's", r)
			}
		}()
		m := NewMutex(LockOther)
		newTestClock(t, 2, nil).Run("main", func(p Proc) {
			for range 20 {
				p.Spawn("waits", func(p Proc) {
					p.Lock(m)
					p.Sleep(Second)
				})
			}
			p.Sleep(us)
			panic("out")
		})
	}()
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestVirtualMisusePanics(t *testing.T) {
	m := NewMutex(LockSerial)
	for name, f := range map[string]func(Proc){
		"unlock": func(p Proc) { p.Unlock(m) },
		"wait":   func(p Proc) { p.Wait(NewCond(m)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a mutex that is not owned does not panic", name)
				}
			}()
			newTestClock(t, 1, nil).Run("main", f)
		}()
	}
	if _, err := NewVirtual(VirtualOptions{Profile: testProfile(nil), Cores: 0}); err == nil {
		t.Error("no cores, no error")
	}
	if _, err := NewVirtual(VirtualOptions{Profile: testProfile(nil), Cores: MaxCores + 1}); err == nil {
		t.Error("too many cores, no error")
	}
}

// A clock runs again, and goes on where it was.
func TestVirtualClockRunsTwice(t *testing.T) {
	c := newTestClock(t, 1, nil)
	for i := range 3 {
		c.Run("main", func(p Proc) {
			if p.Now() != Time(i)*Time(us) {
				t.Errorf("run %d begins at %d", i, p.Now())
			}
			p.Work(us)
		})
	}
	if !c.Modelled() || NewReal().Modelled() || Events(NewReal()) != 0 {
		t.Error("clocks do not know what they are")
	}
}

// Who waits for a device keeps its core for a while, and so for the whole of a short
// wait.
func TestVirtualWaitKeepsCore(t *testing.T) {
	run := func(keep Duration) []Time {
		d := &Device{Kind: ModelDevice, Latency: 20 * us, BytesPerSecond: 1e9}
		sync := func(p Proc) { p.Device(d, DeviceSync, 0) }
		return inTurn(t, 1, func(c *Costs) { c.WaitKeepPs = int64(keep) }, sync, func(p Proc) { p.Work(5 * us) })
	}
	wantEnds(t, "no core", run(0), 20*us, 5*us)
	wantEnds(t, "at first", run(12*us), 20*us, 17*us)
	wantEnds(t, "all the time", run(30*us), 20*us, 25*us)
}

// A process that an idle core is on its way to takes one that is awake and has become
// free, if that is sooner; the idle one is sent for the next time.
func TestVirtualOvertakes(t *testing.T) {
	run := func(work Duration) []Time {
		m := NewMutex(LockSerial)
		return inTurn(t, 2, func(c *Costs) {
			c.WakePs, c.SwitchPs, c.StarvationPs = int64(7*us), int64(2*us), mostOf("starvation_ps")
		},
			func(p Proc) {
				p.Lock(m)
				p.Sleep(100 * us)
				p.Unlock(m)
				p.Work(work)
			}, holds(m, us, 10*us))
	}
	wantEnds(t, "at once", run(0), 100*us, 100*us+2*us+10*us)
	wantEnds(t, "soon", run(3*us), 103*us, 103*us+2*us+10*us)
	wantEnds(t, "as late as the idle one", run(5*us), 105*us, 107*us+10*us)
	wantEnds(t, "later", run(20*us), 120*us, 107*us+10*us)
}

// Sending for an idle core costs the caller, waking a process that has to wait for a core
// does not.
func TestVirtualWakeCall(t *testing.T) {
	run := func(cores int) []Time {
		m := NewMutex(LockSerial)
		return inTurn(t, cores, func(c *Costs) {
			c.WakePs, c.WakeCallPs, c.SwitchPs, c.StarvationPs = int64(7*us), int64(3*us), int64(2*us), mostOf("starvation_ps")
		},
			func(p Proc) {
				p.Lock(m)
				p.Sleep(100 * us)
				p.Unlock(m)
				p.Work(20 * us)
			}, holds(m, us, 10*us))
	}
	wantEnds(t, "an idle core", run(2), 100*us+3*us+20*us, 100*us+7*us+10*us)
	wantEnds(t, "no idle core", run(1), 100*us+20*us, 120*us+2*us+10*us)
}

// A process that a busy core has made ready stays with it for a while: another core that
// becomes free meanwhile has to look for it. Those made ready before are anybody's.
func TestVirtualSteals(t *testing.T) {
	run := func(work Duration, sleepers int) []Time {
		m := NewMutex(LockOther)
		c := NewCond(m)
		procs := []func(Proc){
			func(p Proc) { // makes them ready at 100
				p.Sleep(50 * us)
				p.Work(50 * us)
				p.Broadcast(c)
				p.Work(work)
			},
			func(p Proc) { // is busy until 110
				p.Sleep(50 * us)
				p.Work(60 * us)
			},
		}
		for range sleepers {
			procs = append(procs, func(p Proc) {
				p.Lock(m)
				p.Wait(c)
				p.Unlock(m)
				p.Work(10 * us)
			})
		}
		return inTurn(t, 2, func(c *Costs) { c.WakePs, c.SwitchPs, c.StealPs = int64(70*us), int64(2*us), int64(30*us) }, procs...)
	}
	wantEnds(t, "found by the other", run(100*us, 1), 200*us, 110*us, 110*us+30*us+10*us)
	wantEnds(t, "taken at home meanwhile", run(20*us, 1), 120*us, 110*us, 120*us+2*us+10*us)
	wantEnds(t, "the first of two", run(100*us, 2), 200*us, 110*us, 110*us+2*us+10*us, 122*us+30*us+10*us)
}
