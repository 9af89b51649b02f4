package hostinfo

import (
	"testing"
	"time"
)

func TestUsedTicks(t *testing.T) {
	for content, want := range map[string]uint64{
		"cpu  100 1 50 800 9 2 3 35 7 1\ncpu0 1 1 1 1 1 1 1 1 0 0\n": 156,
		"intr 5\ncpu 1 2 3 4 5 6 7 8":                                19,
	} {
		if got := usedTicks(tree("proc/stat", content)); got == nil || *got != want {
			t.Errorf("%q: got %v, want %d", content, got, want)
		}
	}
	for _, content := range []string{"", "cpu 1 2 3\n", "cpu a b c d e f g h\n", "cpu 1 2 3 4 5 6 -7 8\n", "cpu0 1 2 3 4 5 6 7 8\n"} {
		if got := usedTicks(tree("proc/stat", content)); got != nil {
			t.Errorf("%q: got %d, want nil", content, *got)
		}
	}
}

func TestOthersSince(t *testing.T) {
	from := &Usage{All: 10 * time.Second, Own: time.Second, At: time.Unix(100, 0)}
	later := func(all, own, wall time.Duration) *Usage {
		return &Usage{All: from.All + all, Own: from.Own + own, At: from.At.Add(wall)}
	}
	for _, c := range []struct {
		name  string
		then  *Usage
		cores int
		want  float64 // -1: nil
	}{
		{"half of one core of two", later(1500*time.Millisecond, time.Second, time.Second), 2, 0.25},
		{"nobody", later(time.Second, time.Second, time.Second), 2, 0},
		{"ticks lag behind", later(990*time.Millisecond, time.Second, time.Second), 2, 0},
		{"everything", later(9*time.Second, time.Second, time.Second), 2, 1},
		{"too short", later(time.Second, 0, 100*time.Millisecond), 2, -1},
		{"unknown", nil, 2, -1},
		{"no cores", later(time.Second, 0, time.Second), 0, -1},
	} {
		got := c.then.OthersSince(from, c.cores)
		if c.want < 0 != (got == nil) || got != nil && *got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if u := ReadUsage(); u != nil && u.OthersSince(nil, 2) != nil {
		t.Error("a share since nothing")
	}
}
