package fpw

import (
	"fmt"
	"math"
	"testing"
)

// A held phase costs the stated number of images on average, over the whole run
// and over any window of some hundred transactions.
func TestHeldImages(t *testing.T) {
	for _, tables := range []int{1, 4} {
		for _, images := range []float64{1, 5, 10, 50, 99} {
			c := worstCase(Phase{Images, images})
			c.Tables = tables
			m := mustNew(t, c)
			for _, seed := range []uint64{1, 2} {
				checkHeld(t, fmt.Sprintf("%d tables, images=%v, seed %d", tables, images, seed), m, images, seed)
			}
		}
	}
}

func checkHeld(t *testing.T, what string, m *Model, images float64, seed uint64) {
	const windows, window = 4, 500
	sessions := sessionsOf(m, 4, seed)
	total := 0
	for w := range windows {
		n := imagesOf(sessions, window)
		total += n
		// Within 5 %, once three sigma are allowed for.
		want := images * window
		if math.Abs(float64(n)-want) > 0.05*want+3*math.Sqrt(want) {
			t.Errorf("%s: %.2f images in window %d", what, float64(n)/window, w)
		}
	}
	mean := float64(total) / windows / window
	if limit := 0.02 + 3/math.Sqrt(float64(total)); math.Abs(mean/images-1) > limit {
		t.Errorf("%s: %.3f images on average, off by more than %.1f %%", what, mean, 100*limit)
	}
}

// imagesOf is the number of images in the next n transactions of all sessions.
func imagesOf(sessions []*Session, n int) int {
	got := newTally()
	for i := range n {
		s := sessions[i%len(sessions)]
		s.Next()
		s.Build(got, 1)
	}
	return got.heapImages + got.leafImages
}

// Late is where the measured tables end: no heap images to speak of, some of
// leaves.
func TestLate(t *testing.T) {
	c := worstCase(Phase{Kind: Late})
	c.Tables = 4
	s, got := session(mustNew(t, c), 0, 1, 1), newTally()
	const n = 2000
	for range n {
		s.Next()
		s.Build(got, 1)
		got.commit()
	}
	heap, leaf, bytes := float64(got.heapImages)/n, float64(got.leafImages)/n, float64(got.bytes)/n
	if heap > 0.05 || leaf < 0.2 || leaf > 0.4 || math.Abs(bytes/15_327-1) > 0.05 {
		t.Errorf("%.3f heap images, %.3f of leaves, %.0f bytes, want 0.03, 0.3, 15,327", heap, leaf, bytes)
	}
}

// The distance a held phase keeps from its redo pointer, against the formula:
// with one table and no leaves, the rate after n updates is the expected number
// of first touches of update n.
func TestReach(t *testing.T) {
	for _, images := range []float64{1, 10, 50} {
		c := worstCase(Phase{Images, images})
		c.NonHot = 0
		n := c.reach()
		at, next := ExpectedImages(15_385, 100, n, n+1), ExpectedImages(15_385, 100, n+1, n+2)
		if math.Abs(at-images) > at-next {
			t.Errorf("images=%v: reach %d, where an update costs %.3f", images, n, at)
		}
	}
}

// Cycles end where their records have the stated volume, and all cost the same.
func TestCycleByVolume(t *testing.T) {
	for _, kind := range []PhaseKind{Fresh, Steady} {
		for _, compression := range []Compression{Off, LZ4} {
			const volume = 50 << 20
			c := worstCase(Phase{Kind: kind})
			c.CycleCommits, c.CycleBytes, c.Compression = 0, volume, compression
			m := mustNew(t, c)
			s := session(m, 0, 1, 1)
			var images []int
			for range 2 {
				got := newTally()
				for range m.CycleCommits(1) {
					s.Next()
					s.Build(got, 1)
					got.commit()
				}
				images = append(images, got.heapImages+got.leafImages)
				if math.Abs(float64(got.bytes)/volume-1) > 0.03 {
					t.Errorf("phase %v, %v: cycle of %d bytes, want %d", c.Phase, compression, got.bytes, volume)
				}
			}
			if images[0] != images[1] {
				t.Errorf("phase %v, %v: cycles of %v images", c.Phase, compression, images)
			}
		}
	}
}

func TestCycleOfManyUpdaters(t *testing.T) {
	c := worstCase(Phase{Kind: Steady})
	c.CycleCommits = 100
	m := mustNew(t, c)
	for _, want := range []struct{ updaters, commits int }{{1, 100}, {3, 99}, {64, 64}, {100, 100}, {500, 500}} {
		if got := m.CycleCommits(want.updaters); got != int64(want.commits) {
			t.Errorf("%d updaters: cycle of %d, want %d", want.updaters, got, want.commits)
		}
	}
	s := session(m, 1, 3, 1)
	for k := range 70 {
		s.Next()
		if due := s.CheckpointDue(); due != (k == 33 || k == 66) {
			t.Errorf("transaction %d: checkpoint due is %t", k, due)
		}
	}
	// More updaters than the cycle has commits: each has one, and the plan knows them.
	got := newTally()
	for u := range 500 {
		s := session(m, u, 500, 1)
		s.Next()
		s.Build(got, 1)
	}
	if want := ExpectedImages(15_385, 100, 0, 500); math.Abs(float64(got.heapImages)/want-1) > 0.02 {
		t.Errorf("500 updaters, one transaction each: %d heap images, want %.0f", got.heapImages, want)
	}
}
