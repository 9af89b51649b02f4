package simtime

import "testing"

func TestTimes(t *testing.T) {
	a, b, empty := NewTimes(), NewTimes(), Times{}
	a.Record(50 * Nanosecond)
	a.Record(20 * Second)
	b.Record(-3)
	b.Record(2 * 3600 * Second)
	var sum Times
	for _, o := range []*Times{&empty, &a, &empty, &b} {
		sum.Add(o)
	}
	if sum.Count != 4 || sum.MinNs != 0 || sum.MaxNs != 7200e9 || sum.Clipped != 1 || sum.Histogram.TotalCount() != 4 {
		t.Errorf("sum %+v", sum)
	}
	if want := int64(50*Nanosecond + 20*Second + 2*3600*Second); sum.SumPs != want || a.MinNs != 50 {
		t.Errorf("sum of %d ps, want %d; least of the first %d ns, want 50", sum.SumPs, want, a.MinNs)
	}
	sum.Reset()
	if sum.Count != 0 || sum.SumPs != 0 || sum.MaxNs != 0 || sum.Clipped != 0 || sum.Histogram.TotalCount() != 0 {
		t.Errorf("left after reset: %+v", sum)
	}
}
