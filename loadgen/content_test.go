package loadgen

import (
	"math"
	"testing"
)

// Places in the pool are spread evenly: over many records every sixteenth of
// the pool is used about equally often.
func TestContentPlaces(t *testing.T) {
	c := newContent(SourceOptions{Seed: 1})
	const transactions, records, parts = 200, 80, 16
	var hits [parts]int
	for range transactions {
		c.next()
		for i := range records {
			off := c.of(i).Off
			if off < 0 || off >= poolBytes {
				t.Fatalf("offset %d in a pool of %d", off, poolBytes)
			}
			hits[off*parts/poolBytes]++
		}
	}
	mean := float64(transactions*records) / parts
	for i, n := range hits {
		if math.Abs(float64(n)-mean) > 5*math.Sqrt(mean) {
			t.Errorf("part %d was used %d times, want about %.0f", i, n, mean)
		}
	}
}

// The pool holds every byte value about equally often: nothing to compress.
func TestContentPool(t *testing.T) {
	var counts [256]int
	for _, b := range newContent(SourceOptions{Seed: 1}).pool {
		counts[b]++
	}
	const mean = poolBytes / 256
	for v, n := range counts {
		if math.Abs(float64(n-mean)) > 6*math.Sqrt(mean) {
			t.Errorf("byte %#x stands %d times, want about %d", v, n, mean)
		}
	}
}
