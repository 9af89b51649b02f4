package fpw

import (
	"math"
	"sort"
)

// ExpectedImages is the expected number of pages, of pages that all are equally
// likely, which are touched for the first time since a checkpoint by updates
// number from to to-1 (from 0) of rows random rows each:
//
//	P*((1-1/P)^(rows*from) - (1-1/P)^(rows*to))
func ExpectedImages(pages int64, rows int, from, to int64) float64 {
	keep := math.Log1p(-1 / float64(pages)) // log of the chance that a row misses a page
	left := func(n int64) float64 { return math.Exp(keep * float64(rows) * float64(n)) }
	return float64(pages) * (left(from) - left(to))
}

// heldRate is the expected number of pages a transaction touches that none of
// the reach transactions before it has: with rows touches in one of tables
// tables, of pages pages each.
func heldRate(pages int64, rows float64, tables int, reach float64) float64 {
	if pages <= 1 { // Log1p(-1): the one page is touched unless there are no rows
		return math.Min(rows, 1) * math.Pow(1-math.Min(rows, 1)/float64(tables), reach)
	}
	// The chance that a transaction on its table touches a given page.
	touched := -math.Expm1(math.Log1p(-1/float64(pages)) * rows)
	return float64(pages) * touched * math.Exp(math.Log1p(-touched/float64(tables))*reach)
}

// images is the expected number of images of a transaction when the redo pointer
// trails by reach transactions.
func (c *Config) images(reach int64) float64 {
	rows := float64(c.RowsPerUpdate)
	return heldRate(c.Table.HeapPages(), rows, c.Tables, float64(reach)) +
		heldRate(c.Table.LeafPages(), rows*c.NonHot, c.Tables, float64(reach))
}

// lateDecay is how far down the decay curve Late lies, in e-foldings: where the
// measured table ends (1,250 to 1,500 updates of 100 rows, 15,385 pages).
const lateDecay = 8.9

// maxReach keeps transaction numbers of a plan in 31 bits.
const maxReach = 1 << 30

// reach is by how many transactions the redo pointer trails in a held phase.
func (c *Config) reach() int64 {
	if c.Phase.Kind == Late {
		pages := float64(c.Table.HeapPages()) * float64(c.Tables)
		return int64(math.Ceil(lateDecay * pages / float64(c.RowsPerUpdate)))
	}
	above := int64(sort.Search(maxReach, func(n int) bool { return c.images(int64(n)) <= c.Phase.Images }))
	if above > 0 && c.images(above-1)-c.Phase.Images < c.Phase.Images-c.images(above) {
		above--
	}
	return above
}
