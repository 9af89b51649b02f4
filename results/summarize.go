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
	t.Sampled, t.Noise = nil, nil
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
	if s.Intended != nil {
		if t.Intended == nil {
			t.Intended = &Timing{}
		}
		t.Intended.merge(s.Intended)
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
		LockHeldNsPerCommit: quotient(t.Hold.SumPs, 1000*c.Commits),
		LockAcquisitions:    t.Hold.Count,
		LockHoldNs:          LockHold{Distribution: t.Hold.distribution()},
		LockWaitNs:          t.Wait.distribution(),
		CommitLatencyNs:     t.Latency.distribution(),
		RealBytes:           c.RealBytes, EncryptedBytes: c.EncryptedBytes, WrittenBytes: c.WrittenBytes,
		LogGrowth:                 quotient(c.StoredBytes-c.RealBytes, c.RealBytes),
		EncryptedBytesPerRealByte: quotient(c.EncryptedBytes, c.RealBytes),
		WrittenBytesPerRealByte:   quotient(c.WrittenBytes, c.RealBytes),
		BytesPerFlush:             quotient(c.AdvanceBytes, c.Flushes),
		CipherSetups:              c.CipherSetups, CipherCalls: c.CipherCalls,
		Records: c.Records, Commits: c.Commits, Flushes: c.Flushes, Images: c.Images, Retries: c.Retries,
		AllocsPerRecord: perEach(t.Allocs, c.Records),
		CPUNsPerCommit:  perEach(t.CPUNs, c.Commits),
		Verified:        t.Verified.result(),
		KeystreamAudit:  t.Audit,
	}
	if t.Intended != nil {
		d := t.Intended.distribution()
		s.IntendedLatencyNs = &d
	}
	return s
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
				list[i].RelativeThroughput = ratio(list[i].ThroughputTPS, b.throughput())
			}
		}
	}
	return list
}

func (t *Sample) repetition() Repetition {
	s := t.strategy()
	return Repetition{
		Repetition: t.Repetition, WindowNs: t.WindowNs, Commits: s.Commits,
		ThroughputTPS:       t.throughput(),
		LockHeldNsPerCommit: s.LockHeldNsPerCommit,
		LockHoldNsMean:      s.LockHoldNs.Mean, LockHoldNsP50: s.LockHoldNs.P50, LockHoldNsP99: s.LockHoldNs.P99,
		LockWaitNsMean: s.LockWaitNs.Mean, LockWaitNsP99: s.LockWaitNs.P99,
		CommitLatencyNsMean: s.CommitLatencyNs.Mean, CommitLatencyNsP99: s.CommitLatencyNs.P99,
		EncryptedBytesPerRealByte: s.EncryptedBytesPerRealByte, WrittenBytesPerRealByte: s.WrittenBytesPerRealByte,
		LogGrowth: s.LogGrowth, BytesPerFlush: s.BytesPerFlush,
		AllocsPerRecord: s.AllocsPerRecord, CPUNsPerCommit: s.CPUNsPerCommit,
	}
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
	var relative []float64
	for i := range s.Repetitions {
		r := &s.Repetitions[i]
		if r.ThroughputTPS != nil {
			s.ThroughputTPS.Runs = append(s.ThroughputTPS.Runs, *r.ThroughputTPS)
		}
		if r.RelativeThroughput != nil {
			relative = append(relative, *r.RelativeThroughput)
		}
	}
	s.ThroughputTPS.Range, warnings = newRange(s.ThroughputTPS.Runs)
	if len(relative) > 0 {
		r, more := newRange(relative)
		s.RelativeThroughput = &r
		warnings = append(warnings, more...)
	}
	return warnings
}
