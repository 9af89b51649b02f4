package experiment

import (
	"math"
	"testing"

	"github.com/walbench/walbench/simtime"
)

// stepClock advances by one step of a list with every reading, round and round.
func stepClock(steps ...simtime.Duration) func() simtime.Time {
	var now simtime.Time
	i := 0
	return func() simtime.Time {
		now = now.Add(steps[i%len(steps)])
		i++
		return now
	}
}

func TestGapShare(t *testing.T) {
	const us = simtime.Microsecond
	cases := []struct {
		name  string
		clock func() simtime.Time
		want  float64
	}{
		{"nothing else runs", stepClock(simtime.Nanosecond), 0},
		{"a gap at the limit is none", stepClock(5 * us), 0},
		{"interrupts", stepClock(us, 2*us, us), 0},
		{"every tenth reading is 10 us late", stepClock(us, us, us, us, us, us, us, us, us, 11*us), 11.0 / 20},
		{"always gone", stepClock(simtime.Millisecond), 1},
		{"gone until the end", stepClock(0, simtime.Second), 1},
	}
	for _, c := range cases {
		if got := gapShare(c.clock, 20*simtime.Millisecond); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: got %.3f, want %.3f", c.name, got, c.want)
		}
	}
}

// A bad reading is taken again, a good one is not, and of bad ones the best
// counts.
func TestQuietest(t *testing.T) {
	for _, c := range []struct {
		readings []float64
		want     float64
		taken    int
	}{
		{[]float64{0.05, 0.01}, 0.05, 1},
		{[]float64{0.3, 0.2, 0.02, 0.01}, 0.02, 3},
		{[]float64{0.3, 0.2, 0.4, 0.5, 0.6, 0.01}, 0.2, probeTries},
	} {
		taken := 0
		got := quietest(func() float64 {
			taken++
			return c.readings[taken-1]
		})
		if got != c.want || taken != c.taken {
			t.Errorf("%v: got %v after %d readings, want %v after %d", c.readings, got, taken, c.want, c.taken)
		}
	}
}

// The probe on the real clock: shares are shares, and a turn too short for the
// kernel's ticks has no steal time rather than none.
func TestNoiseProbe(t *testing.T) {
	var n noiseProbe
	for range 2 {
		n.begin()
		got := n.end()
		if got.GapShare == nil || !(*got.GapShare >= 0 && *got.GapShare <= 1) {
			t.Errorf("gaps: got %v", got.GapShare)
		}
		if s := got.StealShare; s != nil && !(*s >= 0 && *s <= 1) {
			t.Errorf("steal: got %v", *s)
		}
	}
}
