package results

import (
	"fmt"
	"strings"
)

// Noise is how much of the machine something else took around one repetition.
// What could not be found out is nil.
type Noise struct {
	GapShare   *float64 // of a spinning thread's time, lost in gaps, just before
	StealShare *float64 // of all cores' time, taken by the hypervisor meanwhile
}

// BusyShare is the share of lost time beyond which a machine counts as busy:
// with more, wall-clock times of two designs cannot be compared.
const BusyShare = 0.05

// Busy says whether times measured meanwhile are in doubt. A nil Noise, and one
// that knows nothing, is not busy.
func (n *Noise) Busy() bool { return n.worst() > BusyShare }

// worst is the larger reading, 0 if there is none.
func (n *Noise) worst() float64 {
	if n == nil {
		return 0
	}
	return max(orZero(n.GapShare), orZero(n.StealShare))
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// merge keeps the worst readings of two.
func (n *Noise) merge(o *Noise) *Noise {
	switch {
	case o == nil:
		return n
	case n == nil:
		n = &Noise{}
	}
	return &Noise{GapShare: larger(n.GapShare, o.GapShare), StealShare: larger(n.StealShare, o.StealShare)}
}

func larger(a, b *float64) *float64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// noiseWarning says how many turns of the run something else disturbed, and how
// much at worst; "" if none.
func (r *Run) noiseWarning() string {
	turns, busy := 0, 0
	var all *Noise
	for i := range r.Strategies {
		for j := range r.Strategies[i].Repetitions {
			rep := &r.Strategies[i].Repetitions[j]
			turns++
			if rep.Busy {
				busy++
			}
			all = all.merge(&Noise{rep.NoiseGapShare, rep.NoiseStealShare})
		}
	}
	if busy == 0 {
		return ""
	}
	var worst []string
	if all.GapShare != nil {
		worst = append(worst, fmt.Sprintf("a spinning thread lost up to %s of its time", percent(all.GapShare)))
	}
	if all.StealShare != nil {
		worst = append(worst, fmt.Sprintf("the hypervisor took up to %s of the cores'", percent(all.StealShare)))
	}
	return fmt.Sprintf("%d of %s ran on a busy machine: %s", busy, plural(turns, "turn"), strings.Join(worst, ", "))
}
