package walsim

import (
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Places that count records' bytes only and LSNs are the same thing: at every byte of
// the first pages and around segment borders, and for what is added.
func TestBytePositions(t *testing.T) {
	for _, seg := range []pgformat.SegmentSize{pgformat.MinSegmentSize, pgformat.DefaultSegmentSize} {
		y := newLayout(seg)
		first := y.of(seg.Start(3))
		ranges := []bytePos{first, first + y.perSegment - 20000}
		for _, from := range ranges {
			for b := from; b < from+40000; b++ {
				at := y.start(b)
				if got := y.of(at); got != b {
					t.Fatalf("byte %d is at %v, which is byte %d", b, at, got)
				}
				if got := y.of(y.end(b)); got != b {
					t.Fatalf("bytes before %d end at %v, which is byte %d", b, y.end(b), got)
				}
				if at != seg.RecordStart(y.end(b)) {
					t.Fatalf("byte %d is at %v, those before it end at %v", b, at, y.end(b))
				}
			}
			for _, n := range []int{24, 8152, 8168, 8176, 30000, 2 << 20} {
				for b := from; b < from+20000; b += 8 {
					if got, want := y.end(b+bytePos(n)), seg.Advance(y.start(b), n); got != want {
						t.Fatalf("%d bytes from %v end at %v, want %v", n, y.start(b), got, want)
					}
				}
			}
		}
	}
}
