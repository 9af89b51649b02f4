package results

import (
	"io"
	"math"
	"slices"

	"github.com/walbench/walbench/internal/hostinfo"
)

// ValidationSchema is the value of "schema" in a validation's document.
const ValidationSchema = "walbench.validate/1"

// Validation holds the model against this machine: the same work on both clocks,
// cell by cell.
type Validation struct {
	Schema   string         `json:"schema"`
	Complete bool           `json:"complete"` // false: interrupted
	Host     *hostinfo.Host `json:"host"`
	Warnings []string       `json:"warnings"`

	Profile     string `json:"profile"`      // name of the cost profile
	ProfileHash string `json:"profile_hash"` // that of the most cores
	Calibrated  bool   `json:"calibrated"`   // the profile was made by this run
	Seed        uint64 `json:"seed"`
	WindowNs    int64  `json:"window_ns"` // that commits were chosen for
	Repetitions int    `json:"repetitions"`

	Cells []ValidationCell `json:"cells"`

	Verdict               string   `json:"verdict"`
	TargetMedian          float64  `json:"target_median"`
	TargetWorst           float64  `json:"target_worst"`
	MedianError           *float64 `json:"median_error"` // the larger one of the two below
	WorstError            *float64 `json:"worst_error"`
	ThroughputMedianError *float64 `json:"throughput_median_error"`
	ThroughputWorstError  *float64 `json:"throughput_worst_error"`
	HoldMedianError       *float64 `json:"hold_median_error"`
	HoldWorstError        *float64 `json:"hold_worst_error"`
	CellsJudged           int      `json:"cells_judged"`
	CellsNoisy            int      `json:"cells_noisy"`
}

// ValidationCell is one design in one place of the grid.
type ValidationCell struct {
	Workload string `json:"workload"`
	Strategy string `json:"strategy"`
	Suite    string `json:"suite"`
	Lock     string `json:"lock"`
	Device   string `json:"device"`
	Cores    int    `json:"cores"`
	Updaters int    `json:"updaters"`
	Commits  int64  `json:"commits"` // of each repetition
	// ProfileHash is that of the profile for so many cores.
	ProfileHash string `json:"profile_hash"`

	ThroughputError *float64 `json:"throughput_error"` // modelled / measured - 1
	HoldError       *float64 `json:"hold_error"`       // of lock_held_ns_per_commit

	Measured *ValidationSide `json:"measured"` // medians; null if not measured
	Modelled *ValidationSide `json:"modelled"`

	Repetitions int      `json:"repetitions"` // that the medians are of
	Redone      int      `json:"redone"`      // that were taken because others were noisy
	Noisy       bool     `json:"noisy"`       // left out of the verdict
	NoiseShare  *float64 `json:"noise_share"` // of the machine, taken by others: the median repetition
	Spread      *float64 `json:"spread"`      // of throughput: the middle half of the repetitions / their median
	Cause       string   `json:"cause"`       // likely, of an error beyond the target; else empty
	Why         string   `json:"why"`         // the figures behind it
}

// ValidationSide is what one clock says of a cell, or of one repetition of it.
type ValidationSide struct {
	ThroughputTPS       *float64 `json:"throughput_tps"`
	LockHeldNsPerCommit *float64 `json:"lock_held_ns_per_commit"`
	CPUNsPerCommit      *float64 `json:"cpu_ns_per_commit"`
	CoreUse             *float64 `json:"core_use"` // processor time / cores' time
	LockUse             *float64 `json:"lock_use"` // share of the time in which the serialising lock was held
	AllocsPerCommit     *float64 `json:"allocs_per_commit"`
	// DeviceLatenessNs is how late the waits for a modelled device ended, a commit.
	DeviceLatenessNs *float64 `json:"device_lateness_ns"`
	Phases           *Phases  `json:"phases_ns_mean"` // of a hold
}

// Verdicts of a validation.
const (
	Within       = "within target"
	Beyond       = "beyond target"
	Inconclusive = "inconclusive"
)

// noisyLimit is the share of cells that may stay noisy before nothing can be said.
const noisyLimit = 0.25

// NewValidationSide takes from an entry of one repetition, on so many cores, what is
// compared.
func NewValidationSide(s *Strategy, cores int) ValidationSide {
	v := ValidationSide{
		ThroughputTPS: s.ThroughputTPS.Median, LockHeldNsPerCommit: s.LockHeldNsPerCommit,
		CPUNsPerCommit: s.CPUNsPerCommit, Phases: s.LockHoldNs.PhasesNsMean,
	}
	if t := v.ThroughputTPS; t != nil {
		v.CoreUse = shareOfSecond(v.CPUNsPerCommit, *t/float64(cores))
		v.LockUse = shareOfSecond(v.LockHeldNsPerCommit, *t)
	}
	if a := s.AllocsPerRecord; a != nil && s.Commits > 0 {
		v.AllocsPerCommit = ptrTo(*a * float64(s.Records) / float64(s.Commits))
	}
	if l := s.DeviceLatenessNs; l != nil && l.Mean != nil && s.Commits > 0 {
		v.DeviceLatenessNs = ptrTo(*l.Mean * float64(l.Count) / float64(s.Commits))
	}
	return v
}

// shareOfSecond is the share of a second that so many nanoseconds are, so often.
func shareOfSecond(ns *float64, times float64) *float64 {
	if ns == nil {
		return nil
	}
	return ptrTo(*ns * times / 1e9)
}

// MedianSide is the median of each figure over repetitions; of phases it is those of
// the repetition with the median throughput. nil for none.
func MedianSide(list []ValidationSide) *ValidationSide {
	if len(list) == 0 {
		return nil
	}
	over := func(of func(*ValidationSide) *float64) *float64 {
		var values []float64
		for i := range list {
			if v := of(&list[i]); v != nil {
				values = append(values, *v)
			}
		}
		return MedianValue(values)
	}
	return &ValidationSide{
		ThroughputTPS:       over(func(s *ValidationSide) *float64 { return s.ThroughputTPS }),
		LockHeldNsPerCommit: over(func(s *ValidationSide) *float64 { return s.LockHeldNsPerCommit }),
		CPUNsPerCommit:      over(func(s *ValidationSide) *float64 { return s.CPUNsPerCommit }),
		CoreUse:             over(func(s *ValidationSide) *float64 { return s.CoreUse }),
		LockUse:             over(func(s *ValidationSide) *float64 { return s.LockUse }),
		AllocsPerCommit:     over(func(s *ValidationSide) *float64 { return s.AllocsPerCommit }),
		DeviceLatenessNs:    over(func(s *ValidationSide) *float64 { return s.DeviceLatenessNs }),
		Phases:              middle(list).Phases,
	}
}

// middle is the repetition with the median throughput.
func middle(list []ValidationSide) *ValidationSide {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b ValidationSide) int {
		switch x, y := orZero(a.ThroughputTPS), orZero(b.ThroughputTPS); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return &sorted[len(sorted)/2]
}

// MedianValue is the median; nil for no values.
func MedianValue(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return ptrTo((s[(n-1)/2] + s[n/2]) / 2)
}

// MiddleHalf is how far the middle half of some values goes, as a share of their
// median: quarters are whole values, so that of five it is the fourth less the second.
// nil for fewer than two.
func MiddleHalf(values []float64) *float64 {
	n := len(values)
	m := MedianValue(values)
	if n < 2 || *m <= 0 {
		return nil
	}
	s := slices.Sorted(slices.Values(values))
	return ptrTo((s[n-1-n/4] - s[n/4]) / *m)
}

// Judge fills in errors, causes, medians and verdict.
func (v *Validation) Judge() {
	var tps, hold []float64
	v.CellsNoisy, v.CellsJudged = 0, 0
	for i := range v.Cells {
		c := &v.Cells[i]
		c.compare()
		c.explain(v.TargetMedian)
		switch {
		case c.Noisy:
			v.CellsNoisy++
		case c.ThroughputError != nil && c.HoldError != nil:
			v.CellsJudged++
			tps, hold = append(tps, math.Abs(*c.ThroughputError)), append(hold, math.Abs(*c.HoldError))
		}
	}
	v.ThroughputMedianError, v.HoldMedianError = MedianValue(tps), MedianValue(hold)
	v.ThroughputWorstError, v.HoldWorstError = largest(tps), largest(hold)
	v.MedianError, v.WorstError = larger(v.ThroughputMedianError, v.HoldMedianError), larger(v.ThroughputWorstError, v.HoldWorstError)
	v.Verdict = v.verdict()
}

func (v *Validation) verdict() string {
	switch {
	case !v.Complete, v.CellsJudged == 0, float64(v.CellsNoisy) > noisyLimit*float64(len(v.Cells)):
		return Inconclusive
	case *v.MedianError > v.TargetMedian, *v.WorstError > v.TargetWorst:
		return Beyond
	}
	return Within
}

func largest(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	return ptrTo(slices.Max(values))
}

// compare fills in the errors.
func (c *ValidationCell) compare() {
	c.ThroughputError, c.HoldError = nil, nil
	if a, b := c.Measured, c.Modelled; a != nil && b != nil {
		c.ThroughputError = relativeError(b.ThroughputTPS, a.ThroughputTPS)
		c.HoldError = relativeError(b.LockHeldNsPerCommit, a.LockHeldNsPerCommit)
	}
}

func relativeError(modelled, measured *float64) *float64 {
	q := ratio(modelled, measured)
	if q == nil {
		return nil
	}
	return ptrTo(*q - 1)
}

// WriteJSON writes the document with its members in the order of the schema.
func (v *Validation) WriteJSON(w io.Writer) error {
	v.Schema = ValidationSchema
	v.Warnings, v.Cells = notNil(v.Warnings), notNil(v.Cells)
	return encodeDocument(w, v, "validation")
}

// Warn adds warnings that are not there yet.
func (v *Validation) Warn(warnings ...string) {
	v.Warnings = withWarnings(v.Warnings, warnings)
}
