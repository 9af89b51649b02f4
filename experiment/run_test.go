package experiment

import (
	"os"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
)

func TestRunOfEachWorkloadReadsBack(t *testing.T) {
	for _, w := range []string{"small", "insert", "trace:embedded"} {
		t.Run(w, func(t *testing.T) {
			r, err := NewRun(Config{FS: vfs.NewMem(), Workload: w, Commits: 200, Warmup: -1, Runs: 2, Clients: 3})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Execute(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			results.WriteTable(os.Stdout, res)
			for _, s := range res.Strategies {
				if s.Verified == nil || !s.Verified.OK() || s.Verified.RecordsRecovered == 0 {
					t.Errorf("%s: read back %+v", s.Name, s.Verified)
				}
			}
		})
	}
}
