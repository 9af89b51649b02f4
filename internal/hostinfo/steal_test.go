package hostinfo

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestReadCPUTicks(t *testing.T) {
	cases := []struct {
		name, content string
		want          *CPUTicks
	}{
		{"real", "cpu  100 1 50 800 9 2 3 35 7 1\ncpu0 1 1 1 1 1 1 1 1 0 0\n", &CPUTicks{Steal: 35, Total: 1000}},
		{"without guests", "cpu 1 2 3 4 5 6 7 8", &CPUTicks{Steal: 8, Total: 36}},
		{"behind other lines", "intr 5\ncpu 1 2 3 4 5 6 7 8", &CPUTicks{Steal: 8, Total: 36}},
		{"old kernel", "cpu 1 2 3 4 5 6 7\n", nil},
		{"no sum", "cpu0 1 2 3 4 5 6 7 8\n", nil},
		{"empty", "", nil},
		{"words", "cpu a b c d e f g h\n", nil},
		{"negative", "cpu 1 2 3 4 5 6 7 -8\n", nil},
		{"too large a sum", "cpu 18446744073709551615 18446744073709551615 0 0 0 0 0 0\n", nil},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, ReadCPUTicksFrom(tree("proc/stat", c.content))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if got := ReadCPUTicksFrom(tree()); got != nil {
		t.Errorf("no file: got %+v, want nil", got)
	}
}

func TestStealSince(t *testing.T) {
	at := func(steal, total uint64) *CPUTicks { return &CPUTicks{Steal: steal, Total: total} }
	cases := []struct {
		name          string
		earlier, then *CPUTicks
		want          *float64
	}{
		{"some", at(10, 1000), at(20, 1200), ptr(0.05)},
		{"none", at(10, 1000), at(10, 1050), ptr(0.0)},
		{"too short", at(10, 1000), at(11, 1049), nil},
		{"counters went back", at(10, 1000), at(9, 2000), nil},
		{"all went back", at(10, 1000), at(10, 100), nil},
		{"unknown before", nil, at(9, 2000), nil},
		{"unknown behind", at(9, 2000), nil, nil},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, c.then.StealSince(c.earlier)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Whatever the file says, a share is between 0 and 1.
func TestStealIsAShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`cpu( {1,2}[0-9]{1,21}){6,10}`)
		a := ReadCPUTicksFrom(tree("proc/stat", line.Draw(t, "a")))
		b := ReadCPUTicksFrom(tree("proc/stat", line.Draw(t, "b")))
		if s := b.StealSince(a); s != nil && (math.IsNaN(*s) || *s < 0 || *s > 1) {
			t.Fatalf("got %v", *s)
		}
	})
}

func TestReadCPUTicksHere(t *testing.T) {
	ticks := ReadCPUTicks()
	if known, linux := ticks != nil, Read().OS == "linux"; known != linux {
		t.Fatalf("counters known: %v, Linux: %v", known, linux)
	}
	if ticks != nil && (ticks.Total == 0 || ticks.Steal > ticks.Total) {
		t.Errorf("got %+v", ticks)
	}
}
