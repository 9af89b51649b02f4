package fpw

import (
	"math/bits"

	"github.com/walbench/walbench/walsim/pgformat"
)

// picture is a page as the log stores it: without its hole.
type picture struct {
	bytes      []byte
	holeOffset int
	holeLen    int
	info       uint8 // bimg_info
}

// holed is the picture of a page whose stored bytes are given.
func holed(stored []byte, lower, upper int) picture {
	p := picture{bytes: stored, info: pgformat.ImageApply}
	if upper > lower {
		p.info |= pgformat.ImageHasHole
		p.holeOffset, p.holeLen = lower, upper-lower
	}
	return p
}

// partOfPage is a page of table that is being filled, with rows rows on it. Its
// bytes are the first ones of pool.
func partOfPage(pool []byte, table *Table, rows int) picture {
	n := pageShape{rows, rows}.space(*table)
	lower := pageHeaderBytes + rows*linePointerBytes
	return holed(pool[:n], lower, lower+pgformat.PageSize-n)
}

// put gives b the image.
func (p *picture) put(b *pgformat.Block) {
	b.HasImage, b.ImageLen, b.ImageInfo = true, len(p.bytes), p.info
	b.HoleOffset, b.HoleLen = p.holeOffset, p.holeLen
	b.HasData, b.DataLen = false, 0
}

// putData gives b n bytes of data and no image.
func putData(b *pgformat.Block, n int) {
	b.HasImage, b.ImageLen, b.ImageInfo = false, 0, 0
	b.HoleOffset, b.HoleLen = 0, 0
	b.HasData, b.DataLen = n > 0, n
}

// contentAt is content from a place in pool that place draws.
func contentAt(pool []byte, place uint64) pgformat.Content {
	off, _ := bits.Mul64(scramble(place), uint64(len(pool)))
	return pgformat.Content{Pool: pool, Off: int(off)}
}
