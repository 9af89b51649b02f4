package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// design is a row whose hold compares with none's by the given ranges.
func design(name string, runs int, held, p50 *Range) *Strategy {
	s := &Strategy{Workload: "w", Name: name, Suite: "aes-128-ctr", RelativeLockHeld: held, RelativeLockHoldP50: p50}
	s.ThroughputTPS.Runs = make([]float64, runs)
	return s
}

func rangeOf(median, low, high float64) *Range { return &Range{&median, &low, &high} }

func TestHoldLine(t *testing.T) {
	one := rangeOf(1, 1, 1)
	none := design("none", 5, one, one)
	twice := []*Strategy{design("in-lock", 5, rangeOf(1.6, 1.5, 1.7), one), design("in-lock", 5, rangeOf(1.8, 1.7, 1.9), one)}
	twice[1].Suite = "aes-256-ctr"
	cases := []struct {
		name string
		rows []*Strategy
		want string
	}{
		{"alone", []*Strategy{none}, ""},
		{"no baseline", []*Strategy{design("in-lock", 5, nil, nil)}, ""},
		{"longer, and no difference", []*Strategy{none, design("in-lock", 5, rangeOf(1.6, 1.55, 1.66), one), design("batched-ctr", 5, rangeOf(1.02, 0.98, 1.05), one)},
			"in-lock holds the lock 1.60 times as long as none (1.55-1.66); no measurable difference in lock time a commit: batched-ctr (0.98-1.05)"},
		{"shorter", []*Strategy{design("x", 5, rangeOf(0.9, 0.8, 0.95), one)}, "x holds the lock 0.90 times as long as none (0.80-0.95)"},
		{"two", []*Strategy{design("x", 5, rangeOf(2, 1.9, 2.1), one), design("y", 5, rangeOf(3, 2.9, 3.1), one)},
			"x holds the lock 2.00 times as long as none (1.90-2.10), y 3.00 times (2.90-3.10)"},
		{"too small to be shown", []*Strategy{design("x", 5, rangeOf(1.002, 1.001, 1.003), one)},
			"no measurable difference in lock time a commit: x (1.00-1.00)"},
		{"only the median hold", []*Strategy{design("x", 5, rangeOf(1.3, 0.7, 1.9), rangeOf(1.4, 1.35, 1.41))},
			"no measurable difference in lock time a commit: x (0.70-1.90; but its median hold is 1.40 times that of none, 1.35-1.41)"},
		{"the border itself is in", []*Strategy{design("x", 5, rangeOf(1.3, 1, 1.9), one)},
			"no measurable difference in lock time a commit: x (1.00-1.90)"},
		{"one run", []*Strategy{none, design("x", 1, rangeOf(1, 1, 1), one), design("y", 1, rangeOf(1.5, 1.5, 1.5), one)},
			"x holds the lock 1.00 times as long as none, y 1.50 times; one run gives no range"},
		{"two suites", twice, "in-lock+aes-128-ctr holds the lock 1.60 times as long as none (1.50-1.70), in-lock+aes-256-ctr 1.80 times (1.70-1.90)"},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, holdLine(c.rows)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// busyRow is a row of 1000 commits in one second: shares of it that the lock
// was held and that updaters were running on one core.
func busyRow(held, running *float64) *Strategy {
	s := &Strategy{Commits: 1000, Repetitions: []Repetition{{WindowNs: 4e8}, {WindowNs: 6e8}}}
	for _, x := range []struct {
		to    **float64
		share *float64
	}{{&s.LockHeldNsPerCommit, held}, {&s.CPUNsPerCommit, running}} {
		if x.share != nil {
			*x.to = ptr(1e6 * *x.share)
		}
	}
	return s
}

func TestBoundLine(t *testing.T) {
	const compare = " and not by the lock: compare designs by how long they hold it"
	cases := []struct {
		name           string
		clients, cores int
		rows           []*Strategy
		want           string
	}{
		{"enough cores", 2, 2, []*Strategy{busyRow(ptr(0.5), ptr(1.9))}, ""},
		{"unknown cores", 8, 0, []*Strategy{busyRow(ptr(0.5), ptr(1.9))}, ""},
		{"busy cores", 8, 2, []*Strategy{busyRow(ptr(0.5), ptr(1.9)), busyRow(ptr(0.99), ptr(1.8))},
			"8 updaters on 2 cores: commits /s is bounded by the cores (90-95% busy)" + compare},
		{"a slow device", 8, 2, []*Strategy{busyRow(ptr(0.97), ptr(0.1)), busyRow(ptr(1.004), ptr(0.1))},
			"8 updaters on 2 cores: commits /s is bounded by the lock (held 97-100% of the time) and not by the cores (5% busy)"},
		{"one of two waits for the device", 8, 2, []*Strategy{busyRow(ptr(0.97), ptr(0.1)), busyRow(ptr(0.5), ptr(1.8))},
			"8 updaters on 2 cores: commits /s is bounded by the cores (5-90% busy)" + compare},
		{"neither", 8, 2, []*Strategy{busyRow(ptr(0.5), ptr(1.0))},
			"8 updaters on 2 cores: commits /s may be bounded by the cores (50% busy)" + compare},
		{"unknown", 8, 1, []*Strategy{busyRow(ptr(0.5), nil), busyRow(nil, ptr(1.0))},
			"8 updaters on 1 core: commits /s may be bounded by the cores" + compare},
	}
	for _, c := range cases {
		k := block{clients: c.clients, cores: c.cores, rows: c.rows}
		if diff := cmp.Diff(c.want, k.boundLine()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
