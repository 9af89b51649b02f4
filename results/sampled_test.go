package results

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func (p *Phases) sum() float64 {
	return p.Header + p.Copy + p.CRC + p.Encrypt + p.Write + p.Sync + p.Other
}

// The phases of any samples add up to the mean of all holds.
func TestPhasesSumToTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := SampledHolds{Every: 64, Count: rapid.Int64Range(1, 1000).Draw(t, "count")}
		for i := range s.PhasePs {
			s.PhasePs[i] = rapid.Int64Range(0, 1e15).Draw(t, "phase")
		}
		s.PhasePs[2]++ // no hold takes no time
		mean := rapid.Float64Range(1, 1e9).Draw(t, "mean")
		p := s.phases(&mean, testInstrument())
		if math.Abs(p.sum()/mean-1) > 1e-9 || p.Other < 0 {
			t.Fatalf("%+v: sum %v, mean %v", p, p.sum(), mean)
		}
	})
}

func TestPhasesShares(t *testing.T) {
	// The clock of testInstrument takes 20 ns a reading: ten are in the copies.
	s := SampledHolds{
		Every: 64, Count: 2, PhasePs: [NumPhases]int64{1e6, 2e6 + 200e3, 3e6, 4e6, 5e6, 6e6, 3e6},
		PhaseMarks: [NumPhases]int64{1: 10},
	}
	mean := 240.0
	want := &Phases{10, 20, 30, 40, 50, 60, 30}
	if diff := cmp.Diff(want, s.phases(&mean, testInstrument()), cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.PhasePs[1] = 100e3 // shorter than measured when nothing else was running
	if got := s.phases(&mean, testInstrument()); got.Copy != 0 {
		t.Errorf("copy: got %v ns, want 0", got.Copy)
	}
	if got := s.phases(&mean, nil); got.Copy == 0 {
		t.Error("copy is 0 without an instrument to take out")
	}
}

func TestNoSamplesNoPhases(t *testing.T) {
	mean := 100.0
	for name, s := range map[string]*SampledHolds{"none": nil, "no count": {Every: 64}, "no time": {Every: 64, Count: 3}} {
		if p := s.phases(&mean, testInstrument()); p != nil {
			t.Errorf("%s: got %+v, want null", name, p)
		}
	}
	if c := (&SampledHolds{Every: 64}).cpuTime(testInstrument()); c != nil {
		t.Errorf("processor time of no samples: got %+v, want null", c)
	}
}

// Merging repetitions gives what one repetition with all samples would.
func TestSampledMerge(t *testing.T) {
	a := SampledHolds{Every: 64, Count: 1, Marks: 10, PhasePs: [NumPhases]int64{1000e3, 0, 0, 0, 0, 0, 500e3}, CPU: timing(1000)}
	b := SampledHolds{Every: 64, Count: 3, Marks: 30, PhasePs: [NumPhases]int64{0, 0, 0, 3000e3, 0, 0, 1500e3}, CPU: timing(2000, 3000, 9000)}
	var total SampledHolds
	total.merge(&a)
	total.merge(&b)
	if total.Count != 4 || total.Marks != 40 || total.Every != 64 || total.PhasePs[3] != 3000e3 {
		t.Errorf("got %+v", total)
	}
	// 15000/4 less one reading of 150 and ten of 20.
	want := &CPUTime{Mean: ptr(3400.0), P50: ptr(int64(2007 - 350)), P99: ptr(int64(9000 - 350))}
	if diff := cmp.Diff(want, total.cpuTime(testInstrument())); diff != "" {
		t.Errorf("processor time (-want +got):\n%s", diff)
	}
	if got := a.cpuTime(&Instrument{CPUClockReadNs: 1e6}); *got.Mean != 0 || *got.P50 != 0 {
		t.Errorf("less than nothing: got %v and %v", *got.Mean, *got.P50)
	}
}

// A strategy's phases come from all its repetitions.
func TestStrategyPhases(t *testing.T) {
	samples := repeated("in-lock", "x", 1e9, 1e9)
	for i := range samples {
		samples[i] = lookedInto(samples[i], int64(400*i))
	}
	s, _, err := NewStrategy(samples, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.LockHoldNs.PhasesNsMean
	if math.Abs(p.sum()-2000) > 1e-6 || math.Abs(p.Encrypt/p.Copy-1) > 1e-9 || *s.LockHoldNs.SampledEvery != 64 {
		t.Errorf("phases %+v of a mean of 2000, encrypt and copy alike", p)
	}
	if got := *s.Repetitions[0].LockHoldCPUNsMean; got != 1500-150-12*20 {
		t.Errorf("processor time of a repetition: got %v", got)
	}
	if d := s.DeviceLatenessNs; d.Count != 6 || *d.Max != 5000 {
		t.Errorf("lateness: %d waits, longest %d", d.Count, *d.Max)
	}
}
