package loadgen

import "testing"

func TestParseBlockRef(t *testing.T) {
	for _, c := range []struct {
		ref  string
		want traceBlock
	}{
		{"r0:0", traceBlock{}},
		{"r12:34", traceBlock{rel: 12, number: 34}},
		{"r12:34F", traceBlock{rel: 12, number: 34, image: true}},
		{"r1f:2", traceBlock{rel: 1, number: 2, fork: 1}},
		{"r1v:2F", traceBlock{rel: 1, number: 2, fork: 2, image: true}},
		{"r1i:4294967294", traceBlock{rel: 1, number: 4294967294, fork: 3}},
		{"r4294950911:0", traceBlock{rel: 4294950911}},
	} {
		if got, ok := parseBlockRef([]byte(c.ref)); !ok || got != c.want {
			t.Errorf("%q: %+v, %t, want %+v", c.ref, got, ok, c.want)
		}
	}
	for _, ref := range []string{
		"", "r", "r1", ":", "r:1", "1:2", "rf:1", "r1:", "r1:F", "r1:2f", "r1:2FF", "r1ff:2", "r-1:2", "r1:-2",
		"r1:4294967295", "r4294950912:0", "r1:99999999999", "r1:2 ", "R1:2",
	} {
		if got, ok := parseBlockRef([]byte(ref)); ok {
			t.Errorf("%q: read as %+v, want an error", ref, got)
		}
	}
}
