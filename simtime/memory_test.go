package simtime

import "testing"

// streaming is a machine on which a core clears a byte in 10 ps, and the way to
// memory takes the share num/den of that for it.
func streaming(num, den int64) func(*Costs) {
	return func(c *Costs) { c.ZeroByteFs, c.MemoryByteFs = 10_000, 10_000*num/den }
}

// clears is a process that streams for d of its core's time.
func clears(d Duration) func(Proc) {
	return func(p Proc) { p.Meter().Zero(make([]byte, d/(10*1000/fsPerPs))) }
}

// Cores that stream at once share what the memory gives: with as much as one core
// can use two take twice as long, with as much as two can use they do not notice
// each other, and one alone never waits.
func TestMemoryIsShared(t *testing.T) {
	one, two := clears(10*us), []func(Proc){clears(10 * us), clears(10 * us)}
	wantEnds(t, "one alone", inTurn(t, 2, streaming(1, 1), one), 10*us)
	wantEnds(t, "two, memory for one", inTurn(t, 2, streaming(1, 1), two...), 10*us, 20*us)
	wantEnds(t, "two, memory for two", inTurn(t, 2, streaming(1, 2), two...), 10*us, 10*us)
	wantEnds(t, "two, memory for less", inTurn(t, 2, streaming(3, 5), two...), 10*us, 12*us)
	wantEnds(t, "memory without end", inTurn(t, 2, streaming(0, 1), two...), 10*us, 10*us)
	wantEnds(t, "one core", inTurn(t, 1, streaming(1, 1), two...), 10*us, 20*us)
	wantEnds(t, "one alone, memory for half a core", inTurn(t, 1, streaming(2, 1), one), 20*us)
}

// What does not stream does not wait for memory, and the time that a stretch takes
// anyhow hides its turn.
func TestMemoryHidesBehindWork(t *testing.T) {
	ends := inTurn(t, 3, streaming(1, 1),
		clears(10*us),
		func(p Proc) { p.Work(3 * us) },
		func(p Proc) {
			p.Meter().Zero(make([]byte, 100_000)) // 1 us, behind the first one's 10
			p.Work(12 * us)
		},
	)
	wantEnds(t, "hidden", ends, 10*us, 3*us, 13*us)
}

// Each kind of work has its turn or has none.
func TestMemoryWhatStreams(t *testing.T) {
	buf := make([]byte, 1000)
	for name, c := range map[string]struct {
		work func(p Proc)
		want int64
	}{
		"copy":   {func(p Proc) { p.Meter().Copy(buf, buf) }, 7000},
		"zero":   {func(p Proc) { p.Meter().Zero(buf) }, 7000},
		"record": {func(p Proc) { p.Meter().Record(1000) }, 7000},
		"write":  {func(p Proc) { p.Device(&Device{}, DeviceWrite, 1000) }, 7000},
		"crc":    {func(p Proc) { p.Meter().CRC(0, buf) }, 0},
		"cipher": {func(p Proc) { p.Meter().Cipher(testSuite, 1, 1000) }, 0},
	} {
		clock, err := NewVirtual(VirtualOptions{Profile: suiteProfile(func(c *Costs) { c.MemoryByteFs = 7000 }, SuiteCosts{}), Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		clock.Run("main", func(p Proc) {
			c.work(p)
			p.Sync()
			if m := p.Meter(); m.MemoryPs != c.want || p.Now() != Time(c.want) || p.CPU() != Duration(c.want) {
				t.Errorf("%s: memory worked %d ps, %d have passed, %d of them on the core, want %d", name, m.MemoryPs, p.Now(), p.CPU(), c.want)
			}
		})
	}
}

// A process that asks for the time before it settles is told what it will be then,
// the queue for memory included, and the same again behind it.
func TestMemoryNowIsSettledTime(t *testing.T) {
	inTurn(t, 2, streaming(1, 1), clears(10*us), func(p Proc) {
		p.Meter().Zero(make([]byte, 100_000))
		before := p.Now()
		if p.Sync(); before != Time(11*us) || p.Now() != before {
			t.Errorf("%d ps before it settled, %d behind, want %d", before, p.Now(), 11*us)
		}
	})
}

// turns has processes take m in turn, a while apart, and returns what the lock's
// users saw.
func turns(t *testing.T, procs ...func(Proc)) (s LockStats) {
	t.Helper()
	total := NewMeter()
	newTestClock(t, 8, func(c *Costs) { c.LockLineTransferPs = int64(us) }).Run("main", func(p Proc) {
		var handles []Handle
		for _, f := range procs {
			handles = append(handles, p.Spawn("process", f))
		}
		for _, h := range handles {
			h.Join(p)
			total.Add(h.Meter())
		}
	})
	return total.Locks[LockSerial]
}

// A lock that goes from process to process costs its line each time, and that is
// wait; one that stays with a process never does.
func TestLockLineTransfer(t *testing.T) {
	m := NewMutex(LockSerial)
	again := func(n int, after, every Duration) func(Proc) {
		return func(p Proc) {
			p.Sleep(after)
			for range n {
				p.Lock(m)
				p.Work(3 * us)
				p.Unlock(m)
				p.Sleep(every)
			}
		}
	}
	if s := turns(t, again(5, 0, us)); s.WaitPs != 0 || s.IdlePs != 0 || s.HoldPs != int64(5*3*us) {
		t.Errorf("one alone: %+v", s)
	}
	m = NewMutex(LockSerial)
	// They come to a free lock, 20 us apart: ten times, and the first finds the line
	// with nobody.
	if s := turns(t, again(5, 0, 40*us), again(5, 20*us, 40*us)); s.WaitPs != int64(9*us) || s.IdlePs != int64(9*us) || s.HoldPs != int64(10*3*us) {
		t.Errorf("to and fro: waited %d, idle %d, held %d ps", s.WaitPs, s.IdlePs, s.HoldPs)
	}
}

// While the line is on its way nobody else gets the lock, and what they wait for it
// is part of their wait.
func TestLockLineTransferExcludes(t *testing.T) {
	m := NewMutex(LockSerial)
	ends := inTurn(t, 8, func(c *Costs) { c.LockLineTransferPs = int64(4 * us) },
		holds(m, 0, 10*us),     // until 10
		holds(m, 20*us, 10*us), // has it at 24, until 34
		holds(m, 21*us, 10*us), // comes meanwhile; has it at 38
	)
	wantEnds(t, "line on its way", ends, 10*us, 34*us, 48*us)
}
