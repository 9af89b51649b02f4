package experiment

import (
	"math"
	"testing"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/walsim/pgformat"
)

// What is encrypted follows from the layout: whole pages 1 + 8192/D bytes per
// byte of log, their filled part 1 + 4096/D, where D is the advance of the log
// in one flush; designs with stored nonces encrypt all but the 24-byte record
// headers.
func TestAmplificationOfWorkloads(t *testing.T) {
	for _, c := range []struct {
		workload string
		phase    string
		commits  int64
	}{
		{"worst-case", "", 300}, {"worst-case", "late", 600}, {"oltp", "", 4000}, {"bulk", "", 100}, {"small", "", 20000}, {"insert", "", 10000},
	} {
		res := execute(t, Config{
			Workloads: []string{c.workload}, Pages: loadgen.PageOptions{Phase: c.phase},
			Strategies: []string{"none", "in-lock", "page-in-lock", "before-lock", "batched-ctr"}, Suites: []string{"aes-128-ctr"},
			Device: "memory", Clients: 2, Commits: c.commits, Warmup: -1, Runs: 1,
		})
		name := c.workload + " " + c.phase
		checkFlushed(t, name, byName(t, res, "in-lock"), pgformat.PageSize/2)
		checkFlushed(t, name, byName(t, res, "page-in-lock"), pgformat.PageSize)
		for _, design := range []string{"before-lock", "batched-ctr"} {
			s := byName(t, res, design)
			if want := s.RealBytes - pgformat.RecordHeaderSize*s.Records; s.EncryptedBytes != want {
				t.Errorf("%s, %s: %d bytes encrypted, want real bytes less headers, %d", name, design, s.EncryptedBytes, want)
			}
		}
		if c.workload == "small" {
			for design, want := range map[string]float64{"in-lock": 41.8, "page-in-lock": 82.9} {
				if got := *byName(t, res, design).EncryptedBytesPerRealByte; math.Abs(got/want-1) > 0.02 {
					t.Errorf("small, %s: %.2f encrypted bytes per real byte, want %v", design, got, want)
				}
			}
		}
	}
}

// checkFlushed compares a design's encrypted bytes with 1 + extra/D.
func checkFlushed(t *testing.T, workload string, s *results.Strategy, extra float64) {
	t.Helper()
	d := *s.BytesPerFlush
	got := float64(s.EncryptedBytes) / (d * float64(s.Flushes))
	if want := 1 + extra/d; math.Abs(got/want-1) > 0.02 {
		t.Errorf("%s, %s: %.4f encrypted bytes per byte of log, want %.4f within 2 %% (D = %.0f)", workload, s.Name, got, want, d)
	}
}
