package results

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// lockedSample is a repetition under PostgreSQL's locks: 100 commits in 50 flushes on
// 4 cores, a window of a millisecond. Times are in microseconds.
func lockedSample(write, insert, position int64) Sample {
	s := modelledSample(4, write, 0, 0, 400)
	s.Counts.Commits, s.Counts.Flushes, s.Counts.BuffersFull = 100, 50, 7
	s.Locks = &LockSamples{
		InsertionLocks: 8,
		Insert:         LockSample{Hold: Timing{Count: 200, SumPs: insert * 1e9, MaxNs: 9}, Wait: Timing{Count: 210, SumPs: 50e9}},
		Position:       LockSample{Hold: Timing{Count: 300, SumPs: position * 1e9}},
		Mapping:        LockSample{Hold: Timing{Count: 4, SumPs: 1e9}},
	}
	return s
}

func TestLocks(t *testing.T) {
	s := lockedSample(500, 800, 20)
	got := s.strategy()
	if got.Locks == nil || *got.LockHeldNsPerCommit != 5.2e6 || *got.CommitsPerFlush != 2 || got.WALBuffersFull != 7 {
		t.Fatalf("held %v ns a commit, %v commits a flush, buffers full %d, locks %+v",
			*got.LockHeldNsPerCommit, *got.CommitsPerFlush, got.WALBuffersFull, got.Locks)
	}
	l := got.Locks
	if l.Insert.Acquisitions != 200 || *l.Insert.HeldNsPerCommit != 8e6 || *l.Insert.WaitedNsPerCommit != 5e5 || *l.Insert.HoldNs.Max != 9 {
		t.Errorf("insertion locks %+v", l.Insert)
	}
	if l.Write.Acquisitions != got.LockAcquisitions || *l.Write.HeldNsPerCommit != 5e6 || l.Position.Acquisitions != 300 || l.Mapping.Acquisitions != 4 {
		t.Errorf("write lock %+v, position lock %+v, mapping lock %+v", l.Write, l.Position, l.Mapping)
	}
	two := sum([]Sample{lockedSample(500, 800, 20), lockedSample(300, 400, 20)})
	if both := two.strategy(); both.Locks.Insert.Acquisitions != 400 || *both.LockHeldNsPerCommit != 4.2e6 || *both.Locks.Insert.HeldNsPerCommit != 6e6 {
		t.Errorf("two repetitions: held %v ns a commit, insertion locks %+v", *both.LockHeldNsPerCommit, both.Locks.Insert)
	}
}

func TestInsertionLimits(t *testing.T) {
	for name, c := range map[string]struct {
		write, insert, position int64
		resource                string
		bound                   float64
	}{
		"write lock":      {950, 800, 20, LimitLock, 100 / 0.95},
		"insertion locks": {500, 7600, 20, LimitInsertion, 800 / 7.6},
		"position lock":   {500, 800, 970, LimitPosition, 100 / 0.97},
		"updaters":        {500, 800, 20, LimitUpdaters, 100 / 0.5},
	} {
		s := lockedSample(c.write, c.insert, c.position)
		if l := s.limits(); l.Resource != c.resource || math.Abs(*l.BoundTPS/c.bound-1) > 1e-9 {
			t.Errorf("%s: %s, bound %v, want %s, %v", name, l.Resource, *l.BoundTPS, c.resource, c.bound)
		}
	}
}

// The text has the waits of PostgreSQL's locks, and nothing of them where there is one
// lock.
func TestWaitsInTheTable(t *testing.T) {
	text := func(s Sample) string {
		r := NewRun(ModelledKind, testConfig(), nil)
		r.Strategies = append(r.Strategies, mustStrategy(t, r, []Sample{s}, nil))
		var b bytes.Buffer
		if err := WriteTable(&b, r); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if len([]rune(line)) > TableWidth+1 {
				t.Errorf("line of %d characters: %s", len([]rune(line)), line)
			}
		}
		return b.String()
	}
	with, without := text(lockedSample(500, 800, 20)), text(modelledSample(4, 500, 0, 0, 400))
	for _, part := range []string{"group commit", "wait /commit", "500us"} {
		if !strings.Contains(with, part) || part != "500us" && strings.Contains(without, part) {
			t.Errorf("%q is missing, or is there for one lock:\n%s", part, with)
		}
	}
}
