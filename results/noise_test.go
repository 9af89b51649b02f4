package results

import (
	"strings"
	"testing"
)

func TestBusy(t *testing.T) {
	cases := []struct {
		noise *Noise
		want  bool
	}{
		{nil, false},
		{&Noise{}, false},
		{&Noise{GapShare: ptr(0.05), StealShare: ptr(0.05)}, false},
		{&Noise{GapShare: ptr(0.051)}, true},
		{&Noise{StealShare: ptr(0.051)}, true},
		{&Noise{GapShare: ptr(0.0), StealShare: ptr(0.3)}, true},
	}
	for i, c := range cases {
		if got := c.noise.Busy(); got != c.want {
			t.Errorf("case %d: got %v, want %v", i, got, c.want)
		}
	}
}

func TestNoiseWarning(t *testing.T) {
	noises := []*Noise{{GapShare: ptr(0.07)}, nil, {GapShare: ptr(0.01), StealShare: ptr(0.2)}, {StealShare: ptr(0.04)}}
	var samples []Sample
	for i, n := range noises {
		s := sample("none", "", i, 1e9)
		s.Noise = n
		samples = append(samples, s)
	}
	r := NewRun(Measured, Config{}, nil)
	r.Strategies = []Strategy{mustStrategy(t, r, samples, nil)}
	r.WarnOfDoubts()
	want := "2 of 4 turns ran on a busy machine: a spinning thread lost up to 7.0% of its time, the hypervisor took up to 20.0% of the cores'"
	if got := r.Warnings[len(r.Warnings)-1]; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	reps := r.Strategies[0].Repetitions
	if !reps[0].Busy || reps[1].Busy || reps[1].NoiseGapShare != nil || reps[1].NoiseStealShare != nil || !reps[2].Busy || reps[3].Busy {
		t.Errorf("got %+v", reps)
	}
	r.Strategies = []Strategy{mustStrategy(t, r, samples[:1], nil)}
	if got, want := r.noiseWarning(), "1 of 1 turn ran on a busy machine: a spinning thread lost up to 7.0% of its time"; got != want {
		t.Errorf("steal unknown: got %q, want %q", got, want)
	}
	quiet := NewRun(Measured, Config{}, nil)
	quiet.Strategies = []Strategy{mustStrategy(t, quiet, samples[3:], nil)}
	quiet.WarnOfDoubts()
	for _, w := range quiet.Warnings {
		if strings.Contains(w, "busy") {
			t.Errorf("a quiet machine: got %q", w)
		}
	}
}
