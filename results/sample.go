package results

import "github.com/HdrHistogram/hdrhistogram-go"

// Sample is one strategy in one repetition, as it was counted in the measured
// window. It is what a runner hands over; the result file holds what
// [NewStrategy] makes of several.
type Sample struct {
	Workload   string
	Strategy   string
	Suite      string
	Repetition int        // from 0; equal numbers of two strategies were run side by side
	Cores      *int       // virtual cores; nil if measured
	Model      *ModelWork // what only a model knows; nil if measured

	WindowNs int64 // length of the measured window
	Counts   Counts

	Hold     Timing       // serialising lock; its Count is the number of acquisitions
	Wait     Timing       // for the same lock
	Locks    *LockSamples // of PostgreSQL's other locks; nil under the single lock
	Latency  Timing       // of commits
	Intended *Timing      // latency from the intended start; nil in a closed loop

	Sampled    *SampledHolds // nil: no hold was looked into
	Instrument *Instrument   // what times were taken with; nil if unknown
	Cipher     SampledCipher // cipher calls that were timed
	Lateness   *Timing       // how late waits for a modelled device ended; nil for others
	Noise      *Noise        // nil if not probed

	Allocs *int64 // heap allocations in the window; nil if not counted
	CPUNs  *int64 // processor time of the updaters; nil if unknown

	Verified *ReadBack       // nil if nothing was kept
	Audit    *KeystreamAudit // nil if not asked for
}

// Counts is work done in a measured window.
type Counts struct {
	RealBytes      int64 // xl_tot_len sum before the strategy added anything
	StoredBytes    int64 // xl_tot_len sum as stored
	EncryptedBytes int64
	WrittenBytes   int64
	CipherSetups   int64
	CipherCalls    int64
	Records        int64
	Commits        int64
	Flushes        int64
	Images         int64
	Retries        int64
	BuffersFull    int64
	AdvanceBytes   int64 // by which the log position moved, page headers and padding included
}

func (c *Counts) add(o *Counts) {
	c.RealBytes += o.RealBytes
	c.StoredBytes += o.StoredBytes
	c.EncryptedBytes += o.EncryptedBytes
	c.WrittenBytes += o.WrittenBytes
	c.CipherSetups += o.CipherSetups
	c.CipherCalls += o.CipherCalls
	c.Records += o.Records
	c.Commits += o.Commits
	c.Flushes += o.Flushes
	c.Images += o.Images
	c.Retries += o.Retries
	c.BuffersFull += o.BuffersFull
	c.AdvanceBytes += o.AdvanceBytes
}

// ReadBack is what reading back the whole log of one repetition found.
type ReadBack struct {
	Acknowledged int64 // records
	Recovered    int64
	Lost         int64
	Phantom      int64
	Bytes        int64 // of log read
	ReadNs       int64 // time it took
}

// Timing is a set of times: exact sum and extremes, and a histogram in
// nanoseconds for percentiles.
type Timing struct {
	Count     int64
	SumPs     int64 // picoseconds
	MinNs     int64 // 0 if not tracked
	MaxNs     int64
	Clipped   int64                   // times longer than the histogram's range
	Histogram *hdrhistogram.Histogram // nil means no percentiles
}

// merge adds o to t. The histograms of both stay as they are.
func (t *Timing) merge(o *Timing) {
	if o.Count > 0 {
		t.MinNs = minTracked(t, o)
	}
	t.Count += o.Count
	t.SumPs += o.SumPs
	t.MaxNs = max(t.MaxNs, o.MaxNs)
	t.Clipped += o.Clipped
	if h := o.Histogram; h != nil {
		merged := hdrhistogram.New(h.LowestTrackableValue(), h.HighestTrackableValue(), int(h.SignificantFigures()))
		if t.Histogram != nil {
			t.Clipped += merged.Merge(t.Histogram)
		}
		t.Clipped += merged.Merge(h)
		t.Histogram = merged
	}
}

func minTracked(t, o *Timing) int64 {
	if t.Count == 0 {
		return o.MinNs
	}
	return min(t.MinNs, o.MinNs)
}

// meanNs is nil without events.
func (t *Timing) meanNs() *float64 { return quotient(t.SumPs, 1000*t.Count) }

// percentileNs is nil without events or histogram. A histogram answers with the
// upper end of a bucket; the exact extremes bound what it may say.
func (t *Timing) percentileNs(p float64) *int64 {
	if t.Histogram == nil || t.Histogram.TotalCount() == 0 {
		return nil
	}
	v := max(min(t.Histogram.ValueAtPercentile(p), t.MaxNs), t.MinNs)
	return &v
}

func (t *Timing) distribution() Distribution {
	d := Distribution{Mean: t.meanNs(), P50: t.percentileNs(50), P99: t.percentileNs(99)}
	if t.Count > 0 {
		longest := t.MaxNs
		d.Max = &longest
	}
	return d
}

// quotient is a/b, or nil if b is 0: no figure rather than an infinite one.
func quotient(a, b int64) *float64 {
	if b == 0 {
		return nil
	}
	q := float64(a) / float64(b)
	return &q
}
