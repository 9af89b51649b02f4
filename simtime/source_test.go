package simtime

import (
	"testing"
	"time"
)

// The counter must agree with the runtime's clock, and never go back.
func TestSourceAgreesWithTheRuntime(t *testing.T) {
	s := newSource()
	t.Logf("clock source: %s", s.name())
	start, from := time.Now(), s.now()
	last := from
	for time.Since(start) < 100*time.Millisecond {
		now := s.now()
		if now < last {
			t.Fatalf("went back from %d to %d ps", last, now)
		}
		last = now
	}
	// Both are read one after the other, and a thread may lose its core between
	// the two: the shortest of several comparisons counts.
	best := time.Hour
	for range 100 {
		want, got := time.Since(start), time.Duration(s.now().Sub(from).Nanoseconds())
		best = min(best, max(got-want, want-got))
	}
	if best > 50*time.Microsecond {
		t.Errorf("differs from the runtime's clock by %v after 100 ms", best)
	}
}
