package ciphers

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/walbench/walbench/internal/sizeflag"
)

// The records of a ring lie apart from each other, source and destination at the
// recorded offset, whatever the size.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := Size{Min: rapid.IntRange(1, 20000).Draw(t, "min")}
		size.Max = size.Min + rapid.SampledFrom([]int{0, 0, 1, 70, 5000}).Draw(t, "more")
		r := newRing(size)
		sum := 0
		var end uintptr
		for i := range r.recs {
			rec := &r.recs[i]
			src, dst := uintptr(unsafe.Pointer(&rec.Src[0])), uintptr(unsafe.Pointer(&rec.Dst[0]))
			switch {
			case len(rec.Src) < size.Min || len(rec.Src) > size.Max:
				t.Fatalf("record of %d bytes, want %v", len(rec.Src), size)
			case (dst-src)%pageBytes != offsetBytes:
				t.Fatalf("destination - source modulo 4096 is %d, want %d", (dst-src)%pageBytes, offsetBytes)
			case src < end || src%align != 0:
				t.Fatalf("record %d at %#x, the one before ends at %#x", i, src, end)
			case cap(rec.Dst) < len(rec.Src)+slack:
				t.Fatalf("record %d: %d bytes behind it, want %d", i, cap(rec.Dst)-len(rec.Src), slack)
			}
			end = src + uintptr(len(rec.Src))
			sum += len(rec.Src)
		}
		if first := uintptr(unsafe.Pointer(&r.dst[0])); first < end+slack {
			t.Fatalf("destinations begin at %#x, sources end at %#x", first, end)
		}
		if sum != r.bytes {
			t.Fatalf("sum of lengths %d, want %d", r.bytes, sum)
		}
	})
}

// Records of random lengths are many, and nearly all lengths occur.
func TestRingMixed(t *testing.T) {
	r := newRing(Size{30, 100})
	seen := map[int]bool{}
	for i := range r.recs {
		seen[len(r.recs[i].Src)] = true
	}
	if len(r.recs) < 1000 || len(seen) != 71 || r.quantum(CallPerRecord) != len(r.recs) {
		t.Errorf("%d records, %d lengths, %d at least in a sample; want thousands, 71, whole rings",
			len(r.recs), len(seen), r.quantum(CallPerRecord))
	}
	if m := r.meanBytes(); m < 63 || m > 67 {
		t.Errorf("mean length %v, want about 65", m)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]Size{
		"64": {64, 64}, "4kB": {4096, 4096}, "80KiB": {81920, 81920}, "30-100": {30, 100}, "1-4kB": {1, 4096}, "16MB": {MaxSize, MaxSize},
	} {
		got, err := ParseSize(text)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
		if again, err := ParseSize(got.String()); err != nil || again != want {
			t.Errorf("%s: String gives %q, which reads as %v, %v", text, got, again, err)
		}
	}
	for text, want := range map[string]error{
		"": sizeflag.ErrSize, "x": sizeflag.ErrSize, "-1": sizeflag.ErrSize, "30-": sizeflag.ErrSize, "0": ErrSize, "17MB": ErrSize,
		"100-30": ErrSize, "64-64": ErrSize, "0-10": ErrSize, "10-1GB": ErrSize, "1-2-3": sizeflag.ErrSize,
	} {
		if got, err := ParseSize(text); !errors.Is(err, want) {
			t.Errorf("%q: got %v, %v, want error %v", text, got, err, want)
		}
	}
}

func TestDefaultSizes(t *testing.T) {
	var got []string
	for _, s := range DefaultSizes() {
		got = append(got, s.String())
	}
	want := []string{"32", "64", "100", "256", "1KiB", "4KiB", "8KiB", "64KiB", "80KiB", "30-100"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}
