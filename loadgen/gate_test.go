package loadgen

import (
	"errors"
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// gateRun runs n updaters over a gate.
func gateRun(n int, f func(p simtime.Proc, i int)) {
	simtime.NewReal().Run("test", func(p simtime.Proc) {
		var handles []simtime.Handle
		for i := range n {
			handles = append(handles, p.Spawn("updater", func(p simtime.Proc) { f(p, i) }))
		}
		for _, h := range handles {
			h.Join(p)
		}
	})
}

// The barrier lets nobody through before all running updaters are there, also
// when some leave first.
func TestBarrier(t *testing.T) {
	for leavers := range 4 {
		g, before, opened := NewGate(8), 0, 0
		mu := simtime.NewMutex(simtime.LockOther)
		gateRun(8, func(p simtime.Proc, i int) {
			defer g.Leave(p)
			if i < leavers {
				return
			}
			p.Lock(mu)
			before++
			p.Unlock(mu)
			g.Arrive(p, func() { opened++ })
			if before != 8-leavers {
				t.Errorf("through the barrier with %d of %d there", before, 8-leavers)
			}
		})
		if opened != 1 {
			t.Errorf("opened %d times, want once", opened)
		}
	}
}

// A pause begins when every updater waits, at the pause or at the barrier, and
// the barrier stays shut over it.
func TestPauseWhileOthersWaitAtTheBarrier(t *testing.T) {
	g := NewGate(6)
	working, through := 0, false
	mu := simtime.NewMutex(simtime.LockOther)
	pauses := 0
	g.PauseAt(10)
	g.Maintain = func(simtime.Proc) (pgformat.LSN, error) {
		pauses++
		if working != 0 || through {
			t.Errorf("paused with %d at work, barrier passed: %v", working, through)
		}
		return pgformat.LSN(10 + 10*pauses), nil
	}
	gateRun(6, func(p simtime.Proc, i int) {
		defer g.Leave(p)
		for n := range 5 * i { // updater 0 is at the barrier at once
			p.Lock(mu)
			working++
			p.Unlock(mu)
			p.Lock(mu)
			working--
			p.Unlock(mu)
			if err := g.pauseIfDue(p, pgformat.LSN(n+5)); err != nil {
				t.Error(err)
			}
		}
		g.Arrive(p, func() { through = true })
	})
	if pauses == 0 || !through {
		t.Errorf("%d pauses, barrier passed: %v", pauses, through)
	}
}

func TestErrorOfAPauseReachesTheUpdaters(t *testing.T) {
	g := NewGate(3)
	failed := errors.New("disk on fire")
	g.PauseAt(1)
	g.Maintain = func(simtime.Proc) (pgformat.LSN, error) { return 100, failed }
	gateRun(3, func(p simtime.Proc, i int) {
		defer g.Leave(p)
		if err := g.pauseIfDue(p, 1); !errors.Is(err, failed) {
			t.Errorf("updater %d: error %v, want the pause's", i, err)
		}
	})
	if g.Paused(0) < 0 {
		t.Error("negative pause")
	}
}

// After Stop some updaters may be at a planned checkpoint and others at the
// barrier of the window: none of them may wait for ever, and the window opens
// once.
func TestStopBetweenCheckpointAndBarrier(t *testing.T) {
	for atBarrier := range 5 {
		g, opened, moved := NewGate(4), 0, 0
		gateRun(4, func(p simtime.Proc, i int) {
			defer g.Leave(p)
			if i >= atBarrier {
				if _, err := g.checkpoint(p, func(simtime.Proc) (pgformat.LSN, error) { moved++; return 1, nil }); err != nil {
					t.Error(err)
				}
			}
			g.Arrive(p, func() { opened++ })
		})
		if want := map[bool]int{true: 1, false: 0}[atBarrier == 0]; moved != want || opened != 1 {
			t.Errorf("%d at the barrier: redo pointer moved %d times, want %d; opened %d times", atBarrier, moved, want, opened)
		}
	}
}
