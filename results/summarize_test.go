package results

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestNewStrategyFigures(t *testing.T) {
	none := repeated("none", "", 500e6, 400e6, 600e6)
	samples := repeated("in-lock", "aes-128-ctr", 1000e6, 500e6, 800e6)
	for i := range samples {
		samples[i] = encrypted(samples[i], 80_000_000, 4_040_000)
	}
	samples[2].Hold = timing(1000, 2000, 3000, 994_000)
	got, _, err := NewStrategy(samples, none)
	if err != nil {
		t.Fatal(err)
	}
	want := Strategy{
		Workload: "worst-case", Name: "in-lock", Suite: "aes-128-ctr",
		ThroughputTPS: Throughput{
			Range: Range{ptr(1250.0), ptr(1000.0), ptr(2000.0)},
			Runs:  []float64{1000, 2000, 1250},
		},
		// Paired: 0.5, 0.8, 0.75. The quotient of the medians would be 0.625.
		RelativeThroughput:  &Range{ptr(0.75), ptr(0.5), ptr(0.8)},
		LockHeldNsPerCommit: ptr(1_012_000.0 / 3000),
		// Paired: 1, 1, 1000/6.
		RelativeLockHeld:    &Range{ptr(1.0), ptr(1.0), ptr(1000.0 / 6)},
		RelativeLockHoldP50: &Range{ptr(1.0), ptr(1.0), ptr(1.0)},
		LockAcquisitions:    10,
		LockHoldNs: LockHold{Distribution: Distribution{
			Mean: ptr(101_200.0), P50: ptr(int64(2007)), P99: ptr(int64(994_000)), Max: ptr(int64(994_000))}},
		LockWaitNs:      Distribution{ptr(70.0), ptr(int64(10)), ptr(int64(200)), ptr(int64(200))},
		CommitLatencyNs: Distribution{ptr(27_000.0), ptr(int64(6015)), ptr(int64(70_000)), ptr(int64(70_000))},
		RealBytes:       12_000_000, EncryptedBytes: 240_000_000, WrittenBytes: 18_000_000,
		LogGrowth: ptr(0.01), EncryptedBytesPerRealByte: ptr(20.0), WrittenBytesPerRealByte: ptr(1.5),
		BytesPerFlush: ptr(9000.0), CommitsPerFlush: ptr(2.0), CipherSetups: 6, CipherCalls: 2100, Records: 6000, Commits: 3000,
		Flushes: 1500, Images: 300, CipherNsPerByte: ptr(0.625), AllocsPerRecord: ptr(0.1), CPUNsPerCommit: ptr(5000.0),
		Verified: &Verified{RecordsAcknowledged: 6600, RecordsRecovered: 6600, RecoveryMBPerS: ptr(500.0)},
	}
	reps := got.Repetitions
	got.Repetitions = nil
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	last := Repetition{
		Repetition: 2, WindowNs: 800e6, Commits: 1000, ThroughputTPS: ptr(1250.0), RelativeThroughput: ptr(0.75),
		LockHeldNsPerCommit: ptr(1000.0), RelativeLockHeld: ptr(1000.0 / 6), RelativeLockHoldP50: ptr(1.0), LockHoldNsMean: ptr(250_000.0), LockHoldNsP50: ptr(int64(2007)), LockHoldNsP99: ptr(int64(994_000)),
		LockWaitNsMean: ptr(70.0), LockWaitNsP99: ptr(int64(200)), CommitLatencyNsMean: ptr(27_000.0), CommitLatencyNsP99: ptr(int64(70_000)),
		EncryptedBytesPerRealByte: ptr(20.0), WrittenBytesPerRealByte: ptr(1.5), LogGrowth: ptr(0.01), BytesPerFlush: ptr(9000.0),
		AllocsPerRecord: ptr(0.1), CPUNsPerCommit: ptr(5000.0),
	}
	if diff := cmp.Diff(last, reps[2], cmpopts.EquateApprox(1e-12, 0)); diff != "" || len(reps) != 3 {
		t.Errorf("last of %d repetitions (-want +got):\n%s", len(reps), diff)
	}
}

func TestBaselineIsOneToItself(t *testing.T) {
	none := repeated("none", "", 500e6, 400e6)
	s, _, err := NewStrategy(none, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*Range{s.RelativeThroughput, s.RelativeLockHeld, s.RelativeLockHoldP50} {
		if diff := cmp.Diff(&Range{ptr(1.0), ptr(1.0), ptr(1.0)}, r); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestPairing: repetitions are paired by number and workload, in any order, and
// an interrupted baseline leaves the rest unpaired.
func TestPairing(t *testing.T) {
	none := repeated("none", "", 500e6, 400e6, 600e6)
	samples := repeated("in-lock", "x", 1000e6, 500e6, 800e6)
	other := slices.Clone(none)
	for i := range other {
		other[i].Workload = "small"
	}
	reversed := slices.Clone(none)
	slices.Reverse(reversed)
	cases := []struct {
		name     string
		baseline []Sample
		want     *Range
	}{
		{"none was not run", nil, nil},
		{"another workload", other, nil},
		{"in another order", reversed, &Range{ptr(0.75), ptr(0.5), ptr(0.8)}},
		{"one repetition only", none[1:2], &Range{ptr(0.8), ptr(0.8), ptr(0.8)}},
	}
	for _, c := range cases {
		s, _, err := NewStrategy(samples, c.baseline)
		if diff := cmp.Diff(c.want, s.RelativeThroughput); diff != "" || err != nil {
			t.Errorf("%s: error %v, (-want +got):\n%s", c.name, err, diff)
		}
	}
}

func TestNewStrategyErrors(t *testing.T) {
	if _, _, err := NewStrategy(nil, nil); !errors.Is(err, ErrNoSamples) {
		t.Errorf("no samples: got %v, want %v", err, ErrNoSamples)
	}
	mixed := append(repeated("none", "", 1), repeated("in-lock", "x", 1)...)
	if _, _, err := NewStrategy(mixed, nil); !errors.Is(err, ErrMixedSamples) || !strings.Contains(err.Error(), "in-lock") {
		t.Errorf("mixed samples: got %v, want %v", err, ErrMixedSamples)
	}
}

func TestRunCountWarning(t *testing.T) {
	windows := []int64{1e9, 2e9, 3e9, 4e9, 5e9, 6e9}
	s, warnings, _ := NewStrategy(repeated("none", "", windows...), nil)
	if len(warnings) != 0 {
		t.Errorf("six runs: got warnings %q, want none", warnings)
	}
	if low := *s.ThroughputTPS.Low; low > 1000.0/6+1e-9 {
		t.Errorf("six runs: interval from %v, want from the lowest run", low)
	}
	samples := repeated("none", "", windows[:5]...)
	_, warnings, _ = NewStrategy(samples, samples)
	r := NewRun(Measured, Config{}, nil)
	r.Warn(warnings...)
	r.Warn(warnings...)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "lowest and highest of 5 runs: need >= 6") {
		t.Errorf("five runs: got %q, want one warning", r.Warnings)
	}
	samples[0].Cores = ptr(32)
	if _, warnings, _ = NewStrategy(samples, nil); len(warnings) != 0 {
		t.Errorf("modelled: got %q, want no warning", warnings)
	}
}

func TestClippedWarning(t *testing.T) {
	s := sample("none", "", 0, 1e9)
	s.Wait.Clipped = 7
	_, warnings, _ := NewStrategy([]Sample{s}, nil)
	if !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "7 times of lock wait") }) {
		t.Errorf("got %q", warnings)
	}
}

// TestUnknownFiguresStayNull: what one repetition does not know, the sum does
// not know either, and nothing is divided by zero.
func TestUnknownFiguresStayNull(t *testing.T) {
	samples := repeated("none", "", 1e9, 1e9)
	samples[0].Allocs, samples[0].CPUNs = ptr(int64(1)), ptr(int64(1))
	s, _, _ := NewStrategy(samples, nil)
	if s.AllocsPerRecord != nil || s.CPUNsPerCommit != nil || s.Verified != nil || s.IntendedLatencyNs != nil {
		t.Errorf("got %v allocs, %v cpu, verified %v, want null", s.AllocsPerRecord, s.CPUNsPerCommit, s.Verified)
	}
	empty, _, _ := NewStrategy([]Sample{{Workload: "w", Strategy: "none"}}, []Sample{{Workload: "w", Strategy: "none"}})
	for _, m := range Metrics() {
		if v, ok := m.Value(&empty); ok && v != 0 {
			t.Errorf("%s of an empty sample: got %v, want null or 0", m.Name, v)
		}
		if m.Unit == Ratio || m.Unit == NsPerTx || m.Unit == TPS {
			if v, ok := m.Value(&empty); ok {
				t.Errorf("%s of an empty sample: got %v, want null", m.Name, v)
			}
		}
	}
}

// TestMergedTimings: percentiles of any split of times over repetitions lie
// between the exact extremes, in order, and near the exact percentile.
func TestMergedTimings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(0, 5e9), 1, 60).Draw(t, "times")
		split := rapid.IntRange(0, len(all)).Draw(t, "split")
		var merged Timing
		a, b := timing(all[:split]...), timing(all[split:]...)
		merged.merge(&a)
		merged.merge(&b)
		d := merged.distribution()
		slices.Sort(all)
		lo, hi := all[0], all[len(all)-1]
		if !(lo <= *d.P50 && *d.P50 <= *d.P99 && *d.P99 <= hi && *d.Max == hi) {
			t.Fatalf("got p50 %d, p99 %d, max %d of [%d, %d]", *d.P50, *d.P99, *d.Max, lo, hi)
		}
		exact := float64(all[(len(all)+1)/2-1])
		if math.Abs(float64(*d.P50)-exact) > exact*0.016+1 {
			t.Fatalf("p50: got %d, exact %v", *d.P50, exact)
		}
		var sum int64
		for _, v := range all {
			sum += v
		}
		if want := float64(sum) / float64(len(all)); math.Abs(*d.Mean-want) > want*1e-12 {
			t.Fatalf("mean: got %v, want %v", *d.Mean, want)
		}
	})
}

func TestMergeLeavesSourcesAlone(t *testing.T) {
	a, b := timing(1, 2), timing(3)
	var merged Timing
	merged.merge(&a)
	merged.merge(&b)
	if got := [3]int64{a.Histogram.TotalCount(), b.Histogram.TotalCount(), merged.Histogram.TotalCount()}; got != [3]int64{2, 1, 3} {
		t.Errorf("counts of sources and sum: got %v, want [2 1 3]", got)
	}
}
