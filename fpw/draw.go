package fpw

import "math/bits"

// drawer picks the rows of transactions. Every pick is a function of the
// transaction's place in the plan and the row's number, so that the plan and all
// sessions see the same rows without keeping them.
type drawer struct {
	seed    uint64
	tables  uint32
	pages   uint32 // heap pages of a table
	perPage uint32
	nonHot  uint32 // of 2^32: updates that leave their page for no reason of their own
}

// touch is one row to update.
type touch struct {
	page, leaf uint32 // within the table and its index
	line       uint32 // on the page, from 0
	draw       uint32 // free bits
	nonHot     bool
}

// transaction picks a table and the key for the rows of transaction number g.
func (d *drawer) transaction(g uint64) (key uint64, table uint32) {
	key = scramble(d.seed ^ scramble(g))
	hi, _ := bits.Mul64(key, uint64(d.tables))
	return key, uint32(hi)
}

// row picks row i of the transaction with key: page from the high bits, line
// from the low ones.
func (d *drawer) row(key uint64, i int) touch {
	x := scramble(key + uint64(i))
	page, _ := bits.Mul64(x, uint64(d.pages))
	line := (x & 0xffffffff) * uint64(d.perPage) >> 32
	y := uint32(x * 0xd6e8feb86659fd93 >> 32)
	return touch{
		page: uint32(page), line: uint32(line), leaf: uint32((page*uint64(d.perPage) + line) / leafRows),
		draw: uint32(x >> 16), nonHot: y < d.nonHot,
	}
}

// scramble is the output function of SplitMix64 (Steele, Lea, Flood: Fast
// Splittable Pseudorandom Number Generators, 2014).
func scramble(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
