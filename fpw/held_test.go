package fpw

import (
	"fmt"
	"math"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// A held phase costs the stated number of images on average, over the whole run
// and over any window of some hundred transactions.
func TestHeldImages(t *testing.T) {
	for _, tables := range []int{1, 4} {
		for _, images := range []float64{1, 10, 50, 99} {
			c := worstCase(Phase{Images, images})
			c.Tables = tables
			m := mustNew(t, c)
			checkHeld(t, fmt.Sprintf("%d tables, images=%v", tables, images), m, images)
		}
	}
}

func checkHeld(t *testing.T, what string, m *Model, images float64) {
	const windows, window = 3, 500
	sessions := sessionsOf(m, 4, 1)
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
	got := new(tally)
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
	s, got := session(mustNew(t, c), 0, 1, 1), new(tally)
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

// Cycles end with the transaction that reaches the stated volume, give or take the
// 1 % by which the planned mean lengths are off, and all have the same images.
func TestCycleByVolume(t *testing.T) {
	for _, kind := range []PhaseKind{Fresh, Steady} {
		for _, compression := range []Compression{Off, LZ4} {
			const volume = 8 << 20
			c := worstCase(Phase{Kind: kind})
			c.CycleCommits, c.CycleBytes, c.Compression = 0, volume, compression
			m := mustNew(t, c)
			s := session(m, 0, 1, 1)
			var images []int
			for range 2 {
				got := new(tally)
				for range m.CycleCommits(1) {
					s.Next()
					s.Build(got, 1)
					got.commit()
				}
				images = append(images, got.heapImages+got.leafImages)
				last := float64(101 * (pgformat.PageSize + 200) * 2) // at most
				if off := float64(got.bytes - volume); off < -0.01*volume || off > 0.01*volume+last {
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
	for _, want := range []struct{ updaters, commits int }{{1, 100}, {3, 99}, {64, 64}, {100, 100}, {120, 120}} {
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
	got := new(tally)
	for u := range 120 {
		s := session(m, u, 120, 1)
		s.Next()
		s.Build(got, 1)
	}
	if want := ExpectedImages(15_385, 100, 0, 120); math.Abs(float64(got.heapImages)/want-1) > 0.02 {
		t.Errorf("120 updaters, one transaction each: %d heap images, want %.0f", got.heapImages, want)
	}
}
