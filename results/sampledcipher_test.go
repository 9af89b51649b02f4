package results

import "testing"

func TestCipherTimePerByte(t *testing.T) {
	clock := &Instrument{ClockReadNs: 20}
	for name, c := range map[string]struct {
		s    SampledCipher
		i    *Instrument
		want *float64
	}{
		"none seen":             {SampledCipher{}, clock, nil},
		"clock unknown":         {SampledCipher{2, 300_000, 1000}, nil, ptr(0.3)},
		"one reading a call":    {SampledCipher{2, 300_000, 1000}, clock, ptr(0.26)},
		"less than the reading": {SampledCipher{20, 300_000, 1000}, clock, ptr(0.0)},
	} {
		got := c.s.nsPerByte(c.i)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v, want %v", name, amount(got), amount(c.want))
		}
	}
	s := SampledCipher{1, 10, 100}
	s.merge(&SampledCipher{2, 30, 500})
	if want := (SampledCipher{3, 40, 600}); s != want {
		t.Errorf("merged: %+v, want %+v", s, want)
	}
}
