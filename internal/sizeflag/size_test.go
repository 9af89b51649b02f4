package sizeflag

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Size{
		"0": 0, "1": 1, "8192": 8192, "1B": 1, "1kB": 1024, "1KB": 1024, "1KiB": 1024, "64kib": 65536,
		"16MB": 16 << 20, "16 MB": 16 << 20, "1mb": 1 << 20, "1MiB": 1 << 20, "1GB": 1 << 30, "2GiB": 2 << 30,
		"007": 7, "9223372036854775807": math.MaxInt64, "8589934591GiB": 8589934591 << 30,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{
		"", " ", "MB", "-1", "+1", "1.5MB", "1e6", "0x10", "1 ", " 1", "1  MB", "1TB", "1 kb/s", "1k", "1M", "1Mb it", "١",
		"9223372036854775808", "8589934592GiB", "99999999999999999999999",
	} {
		if got, err := Parse(text); !errors.Is(err, ErrSize) {
			t.Errorf("%q: got %d, %v, want %v", text, got, err, ErrSize)
		}
	}
}

func TestString(t *testing.T) {
	for size, want := range map[Size]string{
		0: "0", 1: "1", 1000: "1000", 1024: "1KiB", 16 << 20: "16MiB", 1<<20 + 1024: "1025KiB", 3 << 30: "3GiB", 2048 << 30: "2048GiB",
	} {
		if got := size.String(); got != want {
			t.Errorf("%d: got %s, want %s", int64(size), got, want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Size(rapid.Int64Min(0).Draw(t, "size"))
		if got, err := Parse(want.String()); err != nil || got != want {
			t.Fatalf("%d as %q: got %d, %v", int64(want), want.String(), int64(got), err)
		}
	})
}

// Set leaves the size alone when the text is wrong.
func TestSet(t *testing.T) {
	s := Size(7)
	if err := s.Set("x"); err == nil || s != 7 {
		t.Errorf("got %v and %d, want an error and 7", err, s)
	}
	if err := s.Set("2kB"); err != nil || s != 2048 {
		t.Errorf("got %v and %d, want 2048", err, s)
	}
}
