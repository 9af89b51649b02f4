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
	twice := []*Strategy{design("in-lock", 5, one, rangeOf(1.6, 1.5, 1.7)), design("in-lock", 5, one, rangeOf(1.8, 1.7, 1.9))}
	twice[1].Suite = "aes-256-ctr"
	cases := []struct {
		name string
		rows []*Strategy
		want string
	}{
		{"alone", []*Strategy{none}, ""},
		{"no baseline", []*Strategy{design("in-lock", 5, nil, nil)}, ""},
		{"longer, and no difference", []*Strategy{none, design("in-lock", 5, one, rangeOf(1.6, 1.55, 1.66)), design("batched-ctr", 5, one, rangeOf(1.02, 0.98, 1.05))},
			"in-lock holds the lock 1.60 times as long as none at the median (1.55-1.66); no measurable difference at the median: batched-ctr (0.98-1.05)"},
		{"shorter", []*Strategy{design("x", 5, one, rangeOf(0.9, 0.8, 0.95))}, "x holds the lock 0.90 times as long as none at the median (0.80-0.95)"},
		{"two", []*Strategy{design("x", 5, one, rangeOf(2, 1.9, 2.1)), design("y", 5, one, rangeOf(3, 2.9, 3.1))},
			"x holds the lock 2.00 times as long as none at the median (1.90-2.10), y 3.00 times (2.90-3.10)"},
		{"less than a histogram can tell", []*Strategy{design("x", 5, one, rangeOf(1.008, 1.007, 1.009))},
			"no measurable difference at the median: x (1.01-1.01)"},
		{"only the mean", []*Strategy{design("x", 5, rangeOf(1.4, 1.35, 1.41), rangeOf(1.02, 0.97, 1.03))},
			"no measurable difference at the median: x (0.97-1.03; but 1.40 times a commit, 1.35-1.41)"},
		{"the border itself is in", []*Strategy{design("x", 5, one, rangeOf(1.3, 1, 1.9))},
			"no measurable difference at the median: x (1.00-1.90)"},
		{"one run", []*Strategy{none, design("x", 1, one, rangeOf(1, 1, 1)), design("y", 1, one, rangeOf(1.5, 1.5, 1.5))},
			"x holds the lock 1.00 times as long as none at the median, y 1.50 times; 1 run: too few to tell a difference"},
		{"four runs", []*Strategy{none, design("x", 4, one, rangeOf(1.1, 1.05, 1.2))},
			"x holds the lock 1.10 times as long as none at the median (1.05-1.20); 4 runs: too few to tell a difference"},
		{"two suites", twice, "in-lock+aes-128-ctr holds the lock 1.60 times as long as none at the median (1.50-1.70), in-lock+aes-256-ctr 1.80 times (1.70-1.90)"},
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
	const compare = " bounded by the cores and not by the lock: compare designs by how long they hold it"
	cases := []struct {
		name           string
		clients, cores int
		rows           []*Strategy
		want           string
	}{
		{"enough cores", 2, 2, []*Strategy{busyRow(ptr(0.5), ptr(1.9))}, ""},
		{"unknown cores", 8, 0, []*Strategy{busyRow(ptr(0.5), ptr(1.9))}, ""},
		{"busy cores", 8, 2, []*Strategy{busyRow(ptr(0.5), ptr(1.9)), busyRow(ptr(0.99), ptr(1.8))},
			"8 updaters on 2 cores (90-95% busy with them; lock held 50-99% of the time): commits /s is" + compare},
		{"a slow device", 8, 2, []*Strategy{busyRow(ptr(0.97), ptr(0.1)), busyRow(ptr(1.004), ptr(0.1))},
			"8 updaters on 2 cores (5% busy with them; lock held 97-100% of the time): commits /s is bounded by the lock and not by the cores"},
		{"one of two waits for the device", 8, 2, []*Strategy{busyRow(ptr(0.97), ptr(0.1)), busyRow(ptr(0.5), ptr(1.8))},
			"8 updaters on 2 cores (5-90% busy with them; lock held 50-97% of the time): commits /s is" + compare},
		{"neither", 8, 2, []*Strategy{busyRow(ptr(0.5), ptr(1.0))},
			"8 updaters on 2 cores (50% busy with them; lock held 50% of the time): commits /s may be" + compare},
		{"unknown", 8, 1, []*Strategy{busyRow(ptr(0.5), nil), busyRow(nil, ptr(1.0))},
			"8 updaters on 1 core: commits /s may be" + compare},
	}
	for _, c := range cases {
		k := block{clients: c.clients, cores: c.cores, rows: c.rows}
		if diff := cmp.Diff(c.want, k.boundLine()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
