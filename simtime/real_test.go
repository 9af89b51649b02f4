package simtime

import "testing"

// spawnAll runs n processes of f and returns the sum of their meters.
func spawnAll(n int, f func(p Proc, i int)) *Meter {
	total := NewMeter()
	NewReal().Run("test", func(p Proc) {
		handles := make([]Handle, n)
		for i := range handles {
			handles[i] = p.Spawn("worker", func(p Proc) { f(p, i) })
		}
		for _, h := range handles {
			h.Join(p)
			total.Add(h.Meter())
		}
	})
	return total
}

func TestLockExcludesAndCounts(t *testing.T) {
	m, shared := NewMutex(LockSerial), 0
	total := spawnAll(4, func(p Proc, _ int) {
		for range 1000 {
			p.Lock(m)
			shared++
			p.Unlock(m)
		}
	})
	s := &total.Locks[LockSerial]
	if shared != 4000 || s.Acquisitions != 4000 || s.Hold.TotalCount() != 4000 || s.Wait.TotalCount() != 4000 {
		t.Errorf("%d additions, %d acquisitions, %d holds and %d waits recorded, want 4000 of each",
			shared, s.Acquisitions, s.Hold.TotalCount(), s.Wait.TotalCount())
	}
	if s.HoldPs <= 0 || s.HoldMaxNs > s.HoldPs/1000+1 || s.Clipped != 0 {
		t.Errorf("held %d ps in all, longest %d ns, clipped %d", s.HoldPs, s.HoldMaxNs, s.Clipped)
	}
}

// However few times each of many processes takes the lock, one in SampleEvery of
// all acquisitions is looked into.
func TestFewAcquisitionsOfManyProcessesAreSampled(t *testing.T) {
	const processes = SampleEvery
	for _, each := range []int64{1, 2, 40} {
		m := NewMutex(LockSerial)
		total := spawnAll(processes, func(p Proc, _ int) {
			for range each {
				p.Lock(m)
				p.Unlock(m)
			}
		})
		if got := total.Holds.Count; got != each {
			t.Errorf("%d processes, %d acquisitions each: %d samples, want %d", processes, each, got, each)
		}
	}
}

func TestOtherLocksAreNotCounted(t *testing.T) {
	m := NewMutex(LockOther)
	total := spawnAll(2, func(p Proc, _ int) {
		p.Lock(m)
		p.Unlock(m)
	})
	for class := range total.Locks {
		if n := total.Locks[class].Acquisitions; n != 0 {
			t.Errorf("class %d: %d acquisitions, want none", class, n)
		}
	}
}

// Wait gives the mutex up and takes it back; blocked time is neither hold nor
// wait, and the two holds around it are counted apart.
func TestWaitAndSignal(t *testing.T) {
	for _, class := range []LockClass{LockOther, LockSerial} {
		m := NewMutex(class)
		c := NewCond(m)
		turn := 0
		const rounds = 200
		total := spawnAll(2, func(p Proc, i int) {
			for range rounds {
				p.Lock(m)
				for turn%2 != i {
					p.Wait(c)
				}
				turn++
				p.Signal(c)
				p.Unlock(m)
			}
		})
		if turn != 2*rounds {
			t.Errorf("class %d: %d turns, want %d", class, turn, 2*rounds)
		}
		s := &total.Locks[LockSerial]
		if class == LockSerial && (s.Acquisitions < 2*rounds || s.Acquisitions != s.Hold.TotalCount()) {
			t.Errorf("%d acquisitions and %d holds", s.Acquisitions, s.Hold.TotalCount())
		}
	}
}

func TestBroadcastWakesAll(t *testing.T) {
	m := NewMutex(LockOther)
	c := NewCond(m)
	waiting := 0
	spawnAll(5, func(p Proc, i int) {
		p.Lock(m)
		defer p.Unlock(m)
		if waiting++; waiting == 5 {
			p.Broadcast(c)
			return
		}
		for waiting < 5 {
			p.Wait(c)
		}
	})
}

func TestUnlockByAnotherPanics(t *testing.T) {
	m := NewMutex(LockSerial)
	NewReal().Run("test", func(p Proc) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		p.Unlock(m)
	})
}

func TestClockGoesForward(t *testing.T) {
	NewReal().Run("test", func(p Proc) {
		a, cpu := p.Now(), p.CPU()
		p.Sleep(2 * Millisecond)
		b := p.Now()
		if b.Sub(a) < 2*Millisecond {
			t.Errorf("slept %d ps, want at least 2 ms", b.Sub(a))
		}
		for p.CPU() == cpu { // ends: the loop itself uses the processor
		}
	})
}

func TestHistogramClipsVisibly(t *testing.T) {
	var s LockStats
	s.init()
	s.held(20 * Second)
	s.held(50 * Nanosecond)
	s.held(2 * 3600 * Second)
	if s.Clipped != 1 || s.HoldMaxNs != 7200e9 || s.Hold.TotalCount() != 3 {
		t.Errorf("clipped %d, max %d ns, %d values", s.Clipped, s.HoldMaxNs, s.Hold.TotalCount())
	}
	if p := s.Hold.ValueAtPercentile(60); p < 20e9*0.98 || p > 20e9*1.02 {
		t.Errorf("a 20 s hold is recorded as %d ns", p)
	}
}

func BenchmarkLockUnlock(b *testing.B) {
	NewReal().Run("bench", func(p Proc) {
		m := NewMutex(LockSerial)
		b.ReportAllocs()
		for b.Loop() {
			p.Lock(m)
			p.Unlock(m)
		}
	})
}

func BenchmarkNow(b *testing.B) {
	NewReal().Run("bench", func(p Proc) {
		for b.Loop() {
			p.Now()
		}
	})
}

func BenchmarkSleep10us(b *testing.B) {
	NewReal().Run("bench", func(p Proc) {
		for b.Loop() {
			p.Sleep(10 * Microsecond)
		}
		l := &p.Meter().Late
		b.ReportMetric(float64(l.Histogram.ValueAtPercentile(50)), "late-ns-p50")
		b.ReportMetric(float64(l.Histogram.ValueAtPercentile(99)), "late-ns-p99")
	})
}
