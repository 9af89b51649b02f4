package simtime

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// step is one thing a process of a random program does.
type step struct {
	kind string
	d    Duration
	lock int
}

// program is what random processes do, on a machine of random costs.
type program struct {
	cores  int
	yields bool // work gives way
	costs  Costs
	procs  [][]step
}

const programLocks = 3

// drawProgram draws processes that work, sleep, use devices, and take locks in a
// fixed order, so that they cannot lock each other out.
func drawProgram(t *rapid.T) program {
	ps := rapid.Int64Range(0, 5_000_000)
	p := program{
		cores: rapid.IntRange(1, 5).Draw(t, "cores"), yields: rapid.Bool().Draw(t, "yields"),
		costs: Costs{
			LockPs: ps.Draw(t, "lock"), WakePs: ps.Draw(t, "wake"), WakeCallPs: ps.Draw(t, "wake call"), SwitchPs: ps.Draw(t, "switch"),
			QuantumPs: rapid.Int64Range(1_000_000, 50_000_000).Draw(t, "quantum"), StarvationPs: rapid.Int64Range(0, 100_000_000).Draw(t, "starvation"),
			DeviceSyncPs: ps.Draw(t, "sync"), WriteCallPs: ps.Draw(t, "write"),
			LockLineTransferPs: ps.Draw(t, "line"), MemoryByteFs: ps.Draw(t, "memory"),
		},
	}
	one := rapid.Custom(func(t *rapid.T) step {
		return step{
			kind: rapid.SampledFrom([]string{"work", "sleep", "device", "lock", "locks", "yield", "or wait", "await", "progress", "spin", "timed", "stream"}).Draw(t, "kind"),
			d:    Duration(rapid.Int64Range(0, 20_000_000).Draw(t, "d")), lock: rapid.IntRange(0, programLocks-1).Draw(t, "which"),
		}
	})
	for range rapid.IntRange(1, 8).Draw(t, "processes") {
		p.procs = append(p.procs, rapid.SliceOfN(one, 0, 12).Draw(t, "steps"))
	}
	return p
}

// execution is what came of a program.
type execution struct {
	events int64
	end    Time
	ends   []Time
	cpu    []Duration
	waits  []Duration // of the serialising lock, by process
}

// run executes the program and checks, as it goes, that locks exclude and time
// never goes back.
func (p *program) run(t *rapid.T) (x execution) {
	clock, err := NewVirtual(VirtualOptions{Profile: testProfile(func(c *Costs) { *c = p.costs }), Cores: p.cores, WorkYields: p.yields})
	if err != nil {
		t.Fatal(err)
	}
	locks := make([]*Mutex, programLocks)
	for i := range locks {
		locks[i] = NewWatched(LockSerial)
	}
	locks = append(locks, NewSpinlock(LockPosition))
	other := NewMutex(LockOther)
	never := NewCond(other)
	owners := make([]int, len(locks))
	device := &Device{Kind: DiskDevice}
	meters := make([]*Meter, len(p.procs))
	x.ends, x.cpu, x.waits = make([]Time, len(p.procs)), make([]Duration, len(p.procs)), make([]Duration, len(p.procs))
	clock.Run("main", func(q Proc) {
		handles := make([]Handle, len(p.procs))
		for i := range handles {
			handles[i] = q.Spawn("process", func(q Proc) {
				last := q.Now()
				for _, s := range p.procs[i] {
					if s.kind == "timed" {
						timed(t, q, never, s.d)
					}
					p.do(t, q, s, locks, owners, device)
					if now := q.Now(); now < last {
						t.Fatalf("time went back from %d to %d", last, now)
					} else {
						last = now
					}
				}
				q.Sync()
				x.ends[i], x.cpu[i] = q.Now(), q.CPU()
			})
		}
		for i, h := range handles {
			h.Join(q)
			meters[i] = h.Meter()
		}
		x.end = q.Now()
	})
	x.events = Events(clock)
	p.check(t, &x, locks, meters)
	return x
}

// timed waits for what never comes.
func timed(t *rapid.T, q Proc, never *Cond, d Duration) {
	q.Lock(never.m)
	from := q.Now()
	q.WaitFor(never, d)
	if took := q.Now().Sub(from); took < d {
		t.Fatalf("waited for %d ps, want at least %d", took, d)
	}
	q.Unlock(never.m)
}

func (p *program) do(t *rapid.T, q Proc, s step, locks []*Mutex, owners []int, device *Device) {
	own := func(i int) {
		if owners[i]++; owners[i] != 1 {
			t.Fatalf("%d own lock %d", owners[i], i)
		}
		q.Work(s.d)
		q.Sync() // others may run now, and must not get in
		if owners[i] != 1 {
			t.Fatalf("%d own lock %d", owners[i], i)
		}
	}
	hold := func(i int) {
		q.Lock(locks[i])
		own(i)
	}
	release := func(i int) {
		owners[i]--
		q.Unlock(locks[i])
	}
	switch s.kind {
	case "work":
		q.Work(s.d)
	case "yield":
		q.Sync()
	case "stream":
		q.Meter().Record(int(s.d / 10_000))
	case "sleep":
		q.Sleep(s.d)
	case "device":
		q.Device(device, DeviceWrite, 10)
		q.Device(device, DeviceSync, 10)
	case "lock":
		hold(s.lock)
		release(s.lock)
	case "or wait":
		if q.LockOrWait(locks[s.lock]) {
			own(s.lock)
			release(s.lock)
		}
	case "await":
		if got := q.AwaitProgress(locks[s.lock], 5); got < 5 {
			t.Fatalf("awaited progress 5, got %d", got)
		}
	case "progress":
		q.Lock(locks[s.lock])
		own(s.lock)
		q.SetProgress(locks[s.lock], int64(s.d%10))
		q.Sleep(s.d)
		release(s.lock)
	case "spin":
		hold(programLocks)
		release(programLocks)
	case "locks":
		for i := s.lock; i < programLocks; i++ {
			hold(i)
		}
		for i := programLocks - 1; i >= s.lock; i-- {
			release(i)
		}
	}
}

// check holds an execution against what must be true of every one.
func (p *program) check(t *rapid.T, x *execution, locks []*Mutex, meters []*Meter) {
	var cpu, atLock, present Duration
	for i, m := range meters {
		cpu += x.cpu[i]
		s, spin := &m.Locks[LockSerial], &m.Locks[LockPosition]
		atLock += Duration(s.WaitPs + s.HoldPs + spin.WaitPs + spin.HoldPs)
		x.waits[i] = Duration(s.WaitPs)
		if x.ends[i] > x.end {
			t.Fatalf("process %d ended at %d, behind the end %d", i, x.ends[i], x.end)
		}
	}
	for i, m := range locks {
		present += m.Presence()
		if m.virtual.owner != nil || m.virtual.queue.n != 0 || len(m.virtual.watchers) != 0 || m.virtual.spinners.n != 0 || m.virtual.present != 0 {
			t.Fatalf("lock %d is not free at the end", i)
		}
	}
	if present != atLock {
		t.Fatalf("Little's law: %d ps at the locks by their count, %d by their users'", present, atLock)
	}
	if have := Duration(p.cores) * Duration(x.end); cpu > have {
		t.Fatalf("%d ps of processor time, %d cores had %d", cpu, p.cores, have)
	}
}

// Whatever processes do on whatever machine: locks exclude, time goes forward,
// Little's law holds, nobody is left, and a second execution is the same.
func TestVirtualProgramsAreSoundAndRepeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		first := p.run(t)
		again := p.run(t)
		if first.events != again.events || first.end != again.end || !slices.Equal(first.ends, again.ends) ||
			!slices.Equal(first.cpu, again.cpu) || !slices.Equal(first.waits, again.waits) {
			t.Fatalf("two executions differ: %+v and %+v", first, again)
		}
	})
}
