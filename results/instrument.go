package results

import "fmt"

// Instrument is what times of the lock were taken with, and what that costs.
// The costs are measured once a run on a thread that does nothing else.
type Instrument struct {
	Clock          string  `json:"clock"` // "tsc" or "runtime"
	ClockReadNs    float64 `json:"clock_read_ns"`
	CPUClockReadNs float64 `json:"cpu_clock_read_ns"` // of the thread's processor time
	BookkeepingNs  float64 `json:"bookkeeping_ns"`    // an acquisition, behind the lock
	SampledEvery   int64   `json:"sampled_every"`     // acquisitions for each one looked into
}

// InstrumentShare is the share of a mean hold from which what the instrument
// adds to it is worth a warning.
const InstrumentShare = 0.05

// nsPerHold is what the instrument adds to the mean of n holds: each lies
// between two readings of the clock and so contains one; a sampled one contains
// two of the processor clock, and one of the clock for each mark.
func (i *Instrument) nsPerHold(n int64, s *SampledHolds) *float64 {
	if i == nil || n == 0 {
		return nil
	}
	ns := i.ClockReadNs
	if s != nil {
		ns += (2*i.CPUClockReadNs*float64(s.Count) + i.ClockReadNs*float64(s.Marks)) / float64(n)
	}
	return &ns
}

// worstInstrument is the strategy whose mean hold the instrument adds most to,
// relatively; nil if nothing is known.
func (r *Run) worstInstrument() (worst *Strategy) {
	for i := range r.Strategies {
		s := &r.Strategies[i]
		if s.InstrumentShareOfHold != nil && (worst == nil || *s.InstrumentShareOfHold > *worst.InstrumentShareOfHold) {
			worst = s
		}
	}
	return worst
}

// instrumentWarning is "" if the instrument adds little to every design's holds.
func (r *Run) instrumentWarning() string {
	s := r.worstInstrument()
	if s == nil || *s.InstrumentShareOfHold <= InstrumentShare {
		return ""
	}
	return fmt.Sprintf("taking times adds %s ns to a hold, which is %s of the mean hold of %s: holds this short look longer than they are, and their phases are rough",
		amount(s.InstrumentNsPerHold), percent(s.InstrumentShareOfHold), r.labelIn(s))
}

// instrumentLine says for people what times were taken with; "" if unknown.
func (r *Run) instrumentLine() string {
	s := r.worstInstrument()
	if r.Instrument == nil || s == nil {
		return ""
	}
	return fmt.Sprintf("instrument: %s, %s ns a hold (%s of the mean hold of %s at worst), phases and CPU time of every %s hold",
		r.Instrument.Clock, amount(s.InstrumentNsPerHold), percent(s.InstrumentShareOfHold), r.labelIn(s), ordinal(r.Instrument.SampledEvery))
}

// ordinal is n with the ending that English gives it.
func ordinal(n int64) string {
	ending := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return grouped(n) + ending
}

// latenessLine says how well the modelled device kept its times, for the worst
// design; "" if there was none.
func (r *Run) latenessLine() string {
	var worst *Strategy
	for i := range r.Strategies {
		s := &r.Strategies[i]
		if late := s.DeviceLatenessNs; late != nil && late.P99 != nil && (worst == nil || *late.P99 > *worst.DeviceLatenessNs.P99) {
			worst = s
		}
	}
	if worst == nil {
		return ""
	}
	late := worst.DeviceLatenessNs
	return fmt.Sprintf("device: waits ended %s late at the median and %s at the 99th percentile (%s, at worst)",
		duration(late.P50), duration(late.P99), r.labelIn(worst))
}
