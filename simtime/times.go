package simtime

import "github.com/HdrHistogram/hdrhistogram-go"

// Times is a set of durations: exact sum and extremes, and a histogram for
// percentiles. It belongs to one process until that has been joined.
type Times struct {
	Count     int64
	SumPs     int64
	MinNs     int64
	MaxNs     int64
	Clipped   int64                   // times longer than the histogram's range, recorded as its end
	Histogram *hdrhistogram.Histogram // ns, 1 ns to one hour, 2 digits
	// borrowed is a histogram that is another set's, who adds it up for both.
	borrowed bool
}

// NewTimes returns an empty set.
func NewTimes() Times { return Times{Histogram: newHistogram()} }

// Reset forgets everything recorded.
func (t *Times) Reset() {
	h := t.Histogram
	if h != nil {
		h.Reset()
	}
	*t = Times{Histogram: h, borrowed: t.borrowed}
}

// Record adds d; less than nothing counts as 0.
func (t *Times) Record(d Duration) {
	d = max(d, 0)
	ns := d.Nanoseconds()
	if ns > histogramMaxNs {
		t.Clipped++
	}
	_ = t.Histogram.RecordValue(min(ns, histogramMaxNs)) // in range
	if t.Count == 0 || ns < t.MinNs {
		t.MinNs = ns
	}
	t.MaxNs = max(t.MaxNs, ns)
	t.SumPs += int64(d)
	t.Count++
}

// Add adds what o has recorded.
func (t *Times) Add(o *Times) {
	t.Clipped += o.Clipped
	if !o.borrowed && o.Histogram != nil && o.Histogram.TotalCount() > 0 {
		if t.Histogram == nil {
			t.Histogram = newHistogram()
		}
		t.Clipped += t.Histogram.Merge(o.Histogram)
	}
	if o.Count == 0 {
		return
	}
	if t.Count == 0 || o.MinNs < t.MinNs {
		t.MinNs = o.MinNs
	}
	t.MaxNs = max(t.MaxNs, o.MaxNs)
	t.SumPs += o.SumPs
	t.Count += o.Count
}
