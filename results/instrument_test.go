package results

import (
	"math"
	"strings"
	"testing"
)

func TestInstrumentPerHold(t *testing.T) {
	i := testInstrument()
	cases := []struct {
		name  string
		i     *Instrument
		holds int64
		s     *SampledHolds
		want  *float64
	}{
		{"unknown", nil, 5, nil, nil},
		{"no holds", i, 0, nil, nil},
		{"none sampled", i, 40, nil, ptr(20.0)},
		{"one of 64, 32 marks", i, 640, &SampledHolds{Count: 10, Marks: 320}, ptr(20 + (300+32*20)/64.0)},
	}
	for _, c := range cases {
		got := c.i.nsPerHold(c.holds, c.s)
		if (got == nil) != (c.want == nil) || got != nil && math.Abs(*got-*c.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// The line names the design that the instrument matters most for, and warns
// only from 5 % on.
func TestInstrumentLineAndWarning(t *testing.T) {
	for _, c := range []struct {
		short int64
		warns bool
	}{{500, false}, {300, true}} {
		none, inLock := repeated("none", "", 1e9), repeated("in-lock", "aes-128-ctr", 1e9)
		none[0].Hold, inLock[0].Hold = timing(c.short), timing(4000)
		none[0].Instrument, inLock[0].Instrument = testInstrument(), testInstrument()
		r := NewRun(Measured, Config{}, nil)
		r.Instrument = testInstrument()
		r.Strategies = []Strategy{mustStrategy(t, r, inLock, none), mustStrategy(t, r, none, none)}
		before := len(r.Warnings)
		r.WarnOfDoubts()
		if got := len(r.Warnings) > before; got != c.warns {
			t.Errorf("hold of %d ns: warnings %q, want one: %v", c.short, r.Warnings, c.warns)
		}
		if line := r.instrumentLine(); !strings.HasPrefix(line, "instrument: tsc, 20 ns a hold (") ||
			!strings.Contains(line, "of the mean hold of none at worst), phases and CPU time of every 64th hold") {
			t.Errorf("got %q", line)
		}
	}
	if line := NewRun(Measured, Config{}, nil).instrumentLine(); line != "" {
		t.Errorf("nothing known: got %q", line)
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int64]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 64: "64th", 112: "112th", 1021: "1,021st"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
