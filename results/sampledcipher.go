package results

// SampledCipher is what every so many cipher calls took, inside the lock or
// outside: the cost of the cipher itself, in the same run as what it slows down.
type SampledCipher struct {
	Count int64 // calls
	SumPs int64 // of their times, each of which contains one reading of the clock
	Bytes int64
}

func (s *SampledCipher) merge(o *SampledCipher) {
	s.Count += o.Count
	s.SumPs += o.SumPs
	s.Bytes += o.Bytes
}

// nsPerByte is nil if no byte was seen. The readings of the clock are taken out:
// they would be most of a short record's call.
func (s *SampledCipher) nsPerByte(i *Instrument) *float64 {
	if s.Bytes == 0 {
		return nil
	}
	ns := float64(s.SumPs) / 1000
	if i != nil {
		ns = max(ns-i.ClockReadNs*float64(s.Count), 0)
	}
	ns /= float64(s.Bytes)
	return &ns
}
