package experiment

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// A run says what a byte cost in its ciphers, and what did the AES.
func TestResultHasCipherTime(t *testing.T) {
	res := execute(t, Config{
		Workloads: []string{"insert"}, Strategies: []string{"none", "in-lock", "before-lock", "batched-ctr", "page-in-lock"},
		Device: "memory", Clients: 2, Commits: 2000, Warmup: -1, Runs: 1,
	})
	want := map[string]string{}
	for i := range res.Strategies {
		s := &res.Strategies[i]
		ns := s.CipherNsPerByte
		if s.Name == "none" {
			if ns != nil {
				t.Errorf("none: %v ns a byte of no cipher", *ns)
			}
			continue
		}
		// No cipher does a byte in a hundredth of a nanosecond; the upper limit is
		// a thousand times what the slowest needs.
		if ns == nil || *ns < 0.01 || *ns > 1e4 {
			t.Errorf("%s: %v ns a byte", s.Name, ns)
		}
		suite, err := strategies.LookupSuite(s.Suite)
		if err != nil {
			t.Fatal(err)
		}
		want[s.Suite] = suite.Implementation.Name
	}
	if diff := cmp.Diff(want, res.Config.Implementations); diff != "" {
		t.Errorf("implementations (-want +got):\n%s", diff)
	}
	selected, err := aesctr.Selected()
	if err != nil || res.Config.AESCTR == nil || *res.Config.AESCTR != selected.Name {
		t.Errorf("the configuration says %v reads back, want %s (%v)", res.Config.AESCTR, selected.Name, err)
	}
}
