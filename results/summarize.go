package results

import (
	"errors"
	"fmt"
	"slices"
)

// Errors of NewStrategy, returned wrapped with what was given.
var (
	ErrNoSamples    = errors.New("no samples")
	ErrMixedSamples = errors.New("samples are not of one workload, strategy and suite")
)

// NewStrategy makes the result of one strategy out of its repetitions. baseline
// holds the repetitions of "none" under the same workload; each is paired with
// the sample of the same number, and without a pair there is no relative
// throughput. The warnings belong into the run ([Run.Warn] drops repeated ones).
func NewStrategy(samples, baseline []Sample) (Strategy, []string, error) {
	if len(samples) == 0 {
		return Strategy{}, nil, ErrNoSamples
	}
	for i := range samples {
		if err := samples[i].like(&samples[0]); err != nil {
			return Strategy{}, nil, err
		}
	}
	ordered := slices.Clone(samples)
	slices.SortStableFunc(ordered, func(a, b Sample) int { return a.Repetition - b.Repetition })
	total := sum(ordered)
	s := total.strategy()
	s.Repetitions = repetitions(ordered, baseline)
	warnings := s.setRanges()
	if s.Cores != nil {
		warnings = nil // a model's repetitions are no random sample
	}
	return s, append(warnings, total.warnings()...), nil
}

func (s *Sample) like(o *Sample) error {
	if s.Workload != o.Workload || s.Strategy != o.Strategy || s.Suite != o.Suite {
		return fmt.Errorf("%s/%s/%s and %s/%s/%s: %w", o.Workload, o.Strategy, o.Suite,
			s.Workload, s.Strategy, s.Suite, ErrMixedSamples)
	}
	return nil
}

// sum adds up samples of one strategy into one.
func sum(samples []Sample) Sample {
	t := samples[0]
	t.Allocs, t.CPUNs = sumKnown(samples, allocsOf), sumKnown(samples, cpuOf)
	t.Intended, t.Verified, t.Audit = nil, nil, nil
	t.Hold, t.Wait, t.Latency = Timing{}, Timing{}, Timing{}
	t.Sampled, t.Lateness, t.Noise = nil, nil, nil
	t.Cipher = SampledCipher{}
	t.Model, t.Locks = nil, nil
	t.Counts, t.WindowNs = Counts{}, 0
	for i := range samples {
		t.add(&samples[i])
	}
	return t
}

func (t *Sample) add(s *Sample) {
	t.WindowNs += s.WindowNs
	t.Counts.add(&s.Counts)
	t.Hold.merge(&s.Hold)
	t.Wait.merge(&s.Wait)
	t.Latency.merge(&s.Latency)
	t.Locks = t.Locks.merge(s.Locks)
	t.Cipher.merge(&s.Cipher)
	t.Intended = mergeKnown(t.Intended, s.Intended)
	t.Lateness = mergeKnown(t.Lateness, s.Lateness)
	t.Noise = t.Noise.merge(s.Noise)
	if s.Model != nil {
		if t.Model == nil {
			t.Model = &ModelWork{}
		}
		t.Model.add(s.Model)
	}
	if s.Sampled != nil {
		if t.Sampled == nil {
			t.Sampled = &SampledHolds{}
		}
		t.Sampled.merge(s.Sampled)
	}
	if s.Verified != nil {
		if t.Verified == nil {
			t.Verified = &ReadBack{}
		}
		t.Verified.add(s.Verified)
	}
	if s.Audit != nil {
		if t.Audit == nil {
			t.Audit = &KeystreamAudit{}
		}
		t.Audit.Bytes += s.Audit.Bytes
		t.Audit.Reused += s.Audit.Reused
	}
}

// mergeKnown adds o to t, each of which may be nil.
func mergeKnown(t, o *Timing) *Timing {
	if o == nil {
		return t
	}
	if t == nil {
		t = &Timing{}
	}
	t.merge(o)
	return t
}

func (v *ReadBack) add(o *ReadBack) {
	v.Acknowledged += o.Acknowledged
	v.Recovered += o.Recovered
	v.Lost += o.Lost
	v.Phantom += o.Phantom
	v.Bytes += o.Bytes
	v.ReadNs += o.ReadNs
}

func allocsOf(s *Sample) *int64 { return s.Allocs }
func cpuOf(s *Sample) *int64    { return s.CPUNs }

// sumKnown adds up a figure, or is nil if one sample does not know it: part of a
// sum must not be divided by the whole of another.
func sumKnown(samples []Sample, figure func(*Sample) *int64) *int64 {
	var total int64
	for i := range samples {
		v := figure(&samples[i])
		if v == nil {
			return nil
		}
		total += *v
	}
	return &total
}

// strategy is the schema's form of one sample, or of a sum of samples.
func (t *Sample) strategy() Strategy {
	c := &t.Counts
	s := Strategy{
		Workload: t.Workload, Name: t.Strategy, Suite: t.Suite, Cores: t.Cores,
		LockHeldNsPerCommit: quotient(t.heldPs(), 1000*c.Commits),
		LockAcquisitions:    t.Hold.Count,
		Locks:               t.locks(),
		LockHoldNs:          t.lockHold(),
		LockHoldCPUNs:       t.Sampled.cpuTime(t.Instrument),
		LockWaitNs:          t.Wait.distribution(),
		CommitLatencyNs:     t.Latency.distribution(),
		RealBytes:           c.RealBytes, EncryptedBytes: c.EncryptedBytes, WrittenBytes: c.WrittenBytes,
		LogGrowth:                 quotient(c.StoredBytes-c.RealBytes, c.RealBytes),
		EncryptedBytesPerRealByte: quotient(c.EncryptedBytes, c.RealBytes),
		WrittenBytesPerRealByte:   quotient(c.WrittenBytes, c.RealBytes),
		BytesPerFlush:             quotient(c.AdvanceBytes, c.Flushes),
		CommitsPerFlush:           quotient(c.Commits, c.Flushes),
		CipherSetups:              c.CipherSetups, CipherCalls: c.CipherCalls,
		Records: c.Records, Commits: c.Commits, Flushes: c.Flushes, Images: c.Images, Retries: c.Retries,
		WALBuffersFull:      c.BuffersFull,
		CipherNsPerByte:     t.Cipher.nsPerByte(t.Instrument),
		AllocsPerRecord:     perEach(t.Allocs, c.Records),
		CPUNsPerCommit:      perEach(t.CPUNs, c.Commits),
		InstrumentNsPerHold: t.Instrument.nsPerHold(t.Hold.Count, t.Sampled),
		Verified:            t.Verified.result(),
		KeystreamAudit:      t.Audit,
	}
	s.Limits = t.limits()
	s.InstrumentShareOfHold = ratio(s.InstrumentNsPerHold, s.LockHoldNs.Mean)
	if n := t.Noise; n != nil {
		s.NoiseGapShare, s.NoiseStealShare = n.GapShare, n.StealShare
	}
	if t.Intended != nil {
		d := t.Intended.distribution()
		s.IntendedLatencyNs = &d
	}
	if late := t.Lateness; late != nil {
		s.DeviceLatenessNs = &Lateness{Distribution: late.distribution(), Count: late.Count}
	}
	return s
}

// lockHold is the distribution of the holds, and the split of their mean.
func (t *Sample) lockHold() LockHold {
	h := LockHold{Distribution: t.Hold.distribution()}
	h.PhasesNsMean = t.Sampled.phases(h.Mean, t.Instrument)
	if t.Sampled != nil {
		h.SampledEvery = &t.Sampled.Every
	}
	return h
}

func perEach(figure *int64, n int64) *float64 {
	if figure == nil {
		return nil
	}
	return quotient(*figure, n)
}

func (v *ReadBack) result() *Verified {
	if v == nil {
		return nil
	}
	return &Verified{
		RecordsAcknowledged: v.Acknowledged, RecordsRecovered: v.Recovered, Lost: v.Lost, Phantom: v.Phantom,
		RecoveryMBPerS: quotient(1000*v.Bytes, v.ReadNs), // bytes/ns is 1000 MB/s
	}
}

// warnings lists what the samples themselves say is not as it should be.
func (t *Sample) warnings() []string {
	timings := []struct {
		what string
		t    *Timing
	}{{"lock hold", &t.Hold}, {"lock wait", &t.Wait}, {"commit latency", &t.Latency}, {"intended latency", t.Intended}}
	var w []string
	for _, x := range timings {
		if x.t != nil && x.t.Clipped > 0 {
			w = append(w, fmt.Sprintf("%s %s: %d times of %s were beyond the histogram's range; percentiles are too low",
				t.Workload, t.Strategy, x.t.Clipped, x.what))
		}
	}
	return w
}

// repetitions is the schema's form of each sample, paired with its baseline.
func repetitions(samples, baseline []Sample) []Repetition {
	list := make([]Repetition, len(samples))
	for i := range samples {
		list[i] = samples[i].repetition()
		for j := range baseline {
			if b := &baseline[j]; b.Repetition == samples[i].Repetition && b.Workload == samples[i].Workload {
				list[i].pair(b.repetition())
			}
		}
	}
	return list
}

// pair fills in the quotients with none in the same repetition.
func (r *Repetition) pair(none Repetition) {
	r.RelativeThroughput = ratio(r.ThroughputTPS, none.ThroughputTPS)
	r.RelativeLockHeld = ratio(r.LockHeldNsPerCommit, none.LockHeldNsPerCommit)
	r.RelativeLockHoldP50 = ratio(float(r.LockHoldNsP50), float(none.LockHoldNsP50))
}

func float(v *int64) *float64 {
	if v == nil {
		return nil
	}
	f := float64(*v)
	return &f
}

func (t *Sample) repetition() Repetition {
	s := t.strategy()
	r := Repetition{
		Repetition: t.Repetition, WindowNs: t.WindowNs, Commits: s.Commits, Busy: t.Noise.Busy(),
		ThroughputTPS:       t.throughput(),
		LockHeldNsPerCommit: s.LockHeldNsPerCommit,
		LockHoldNsMean:      s.LockHoldNs.Mean, LockHoldNsP50: s.LockHoldNs.P50, LockHoldNsP99: s.LockHoldNs.P99,
		LockWaitNsMean: s.LockWaitNs.Mean, LockWaitNsP99: s.LockWaitNs.P99,
		CommitLatencyNsMean: s.CommitLatencyNs.Mean, CommitLatencyNsP99: s.CommitLatencyNs.P99,
		EncryptedBytesPerRealByte: s.EncryptedBytesPerRealByte, WrittenBytesPerRealByte: s.WrittenBytesPerRealByte,
		LogGrowth: s.LogGrowth, BytesPerFlush: s.BytesPerFlush,
		AllocsPerRecord: s.AllocsPerRecord, CPUNsPerCommit: s.CPUNsPerCommit,
		NoiseGapShare: s.NoiseGapShare, NoiseStealShare: s.NoiseStealShare,
	}
	if s.LockHoldCPUNs != nil {
		r.LockHoldCPUNsMean = s.LockHoldCPUNs.Mean
	}
	return r
}

// throughput is commits a second.
func (t *Sample) throughput() *float64 {
	if t.WindowNs <= 0 {
		return nil
	}
	tps := float64(t.Counts.Commits) * 1e9 / float64(t.WindowNs)
	return &tps
}

func ratio(a, b *float64) *float64 {
	if a == nil || b == nil || *b == 0 {
		return nil
	}
	q := *a / *b
	return &q
}

// setRanges fills in the medians over repetitions.
func (s *Strategy) setRanges() (warnings []string) {
	s.ThroughputTPS.Runs = s.perRun(func(r *Repetition) *float64 { return r.ThroughputTPS })
	s.ThroughputTPS.Range, warnings = newRange(s.ThroughputTPS.Runs)
	for _, relative := range []struct {
		to     **Range
		figure func(*Repetition) *float64
	}{
		{&s.RelativeThroughput, func(r *Repetition) *float64 { return r.RelativeThroughput }},
		{&s.RelativeLockHeld, func(r *Repetition) *float64 { return r.RelativeLockHeld }},
		{&s.RelativeLockHoldP50, func(r *Repetition) *float64 { return r.RelativeLockHoldP50 }},
	} {
		if values := s.perRun(relative.figure); len(values) > 0 {
			r, more := newRange(values)
			*relative.to = &r
			warnings = append(warnings, more...)
		}
	}
	return warnings
}

// perRun is a figure of every repetition that has it, in order.
func (s *Strategy) perRun(figure func(*Repetition) *float64) (values []float64) {
	for i := range s.Repetitions {
		if v := figure(&s.Repetitions[i]); v != nil {
			values = append(values, *v)
		}
	}
	return values
}
