package fpw

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// PhaseKind is where on the way from checkpoint to checkpoint the work is.
type PhaseKind uint8

// The kinds of phases.
const (
	// Fresh: tables just loaded and a checkpoint just made, at every checkpoint
	// anew (new relations). Where pages are full, the first update of each page
	// moves its row to the table's end: LOCK with image, UPDATE, INSERT_LEAF with
	// image.
	Fresh PhaseKind = iota + 1
	// Steady: tables updated many times over, checkpoints by volume. The first
	// touch of a page after each is a PRUNE with its image.
	Steady
	// Late: as Steady, long after a checkpoint and held there: heap pages have
	// their images.
	Late
	// Images: as Steady, held where a transaction costs a given number of images.
	Images
)

// Phase is a kind with the number of images that Images holds.
type Phase struct {
	Kind   PhaseKind
	Images float64 // of heap pages and leaves, a transaction, on average
}

var phaseNames = map[PhaseKind]string{Fresh: "fresh", Steady: "steady", Late: "late", Images: "images"}

// ParsePhase reads fresh, steady, late or images=N, as typed on a command line.
func ParsePhase(s string) (Phase, error) {
	name, number, hasNumber := strings.Cut(s, "=")
	for kind, n := range phaseNames {
		if n != name || hasNumber != (kind == Images) {
			continue
		}
		if kind != Images {
			return Phase{Kind: kind}, nil
		}
		v, err := strconv.ParseFloat(number, 64)
		if err == nil && v > 0 && !math.IsInf(v, 0) {
			return Phase{kind, v}, nil
		}
	}
	return Phase{}, fmt.Errorf("phase %q, want fresh, steady, late or images=N: %w", s, ErrConfig)
}

// String is the spelling that ParsePhase reads.
func (p Phase) String() string {
	if p.Kind == Images {
		return "images=" + strconv.FormatFloat(p.Images, 'g', -1, 64)
	}
	return phaseNames[p.Kind]
}

// cycles says whether the phase goes from checkpoint to checkpoint.
func (p Phase) cycles() bool { return p.Kind == Fresh || p.Kind == Steady }
