package results

// NumPhases is the number of phases of a hold: header, copy, crc, encrypt,
// write, sync, other, in this order wherever they stand in an array.
const NumPhases = 7

// SampledHolds is what was seen of every so many holds of the serialising lock:
// where their time went, and how much processor time the holder used.
type SampledHolds struct {
	Every   int64 // acquisitions for each one sampled
	Count   int64
	PhasePs [NumPhases]int64 // summed over the samples, in picoseconds
	Marks   int64            // clock readings that told phases apart
	// PhaseMarks are the stretches that PhasePs is the sum of, each of which
	// contains one reading of the clock.
	PhaseMarks [NumPhases]int64
	CPU        Timing // processor time between acquisition and release
}

// merge adds o to s. Samples of one run are all taken equally often.
func (s *SampledHolds) merge(o *SampledHolds) {
	s.Every = o.Every
	s.Count += o.Count
	s.Marks += o.Marks
	for i := range s.PhasePs {
		s.PhasePs[i] += o.PhasePs[i]
		s.PhaseMarks[i] += o.PhaseMarks[i]
	}
	s.CPU.merge(&o.CPU)
}

// phases splits the mean of all holds as the time of the sampled ones was
// split, so that the phases add up to the mean. The readings of the clock that
// tell phases apart, which only sampled holds contain, are taken out first: they
// would be most of a short copy or checksum.
func (s *SampledHolds) phases(mean *float64, i *Instrument) *Phases {
	if s == nil || s.Count == 0 || mean == nil {
		return nil
	}
	var part [NumPhases]float64
	var total float64
	for p, ps := range s.PhasePs {
		part[p] = float64(ps)
		if i != nil {
			part[p] = max(part[p]-1000*i.ClockReadNs*float64(s.PhaseMarks[p]), 0)
		}
		total += part[p]
	}
	if total == 0 {
		return nil
	}
	for p := range part {
		part[p] *= *mean / total
	}
	return &Phases{part[0], part[1], part[2], part[3], part[4], part[5], part[6]}
}

// cpuTime is the processor time of the sampled holds, less what sampling itself
// used of it: one reading of the processor clock and one of the clock a mark.
func (s *SampledHolds) cpuTime(i *Instrument) *CPUTime {
	if s == nil || s.Count == 0 {
		return nil
	}
	var own float64
	if i != nil {
		own = i.CPUClockReadNs + i.ClockReadNs*float64(s.Marks)/float64(s.Count)
	}
	mean := max(float64(s.CPU.SumPs)/float64(1000*s.Count)-own, 0)
	return &CPUTime{Mean: &mean, P50: less(s.CPU.percentileNs(50), own), P99: less(s.CPU.percentileNs(99), own)}
}

// less is v-d, but not below 0, and nil if v is.
func less(v *int64, d float64) *int64 {
	if v == nil {
		return nil
	}
	rest := max(*v-int64(d), 0)
	return &rest
}
