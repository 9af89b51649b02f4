package fpw

import (
	"encoding/binary"

	"github.com/walbench/walbench/walsim/pgformat"
)

// leafItems are the items on a leaf when its image is taken: rows, high key, and
// what was added since loading. The first is that of a freshly loaded one, with
// the new row; the others are quantiles as of [pruned], over 233 images.
var leafItems = [17]int{
	368, 373, 373, 374, 374, 374, 375, 375, 375, 376, 377, 378, 379, 379, 379, 380, 381,
}

// leafPage writes a leaf with n items, without its hole, to dst.
//
//	0             24         +4*n                 +16*n        +16
//	+-------------+----------+--------------------+------------+
//	| page header | pointers | tuples, last first | page links |
//	+-------------+----------+--------------------+------------+
func (p *painter) leafPage(dst []byte, n int, leaf uint32) picture {
	lower := pageHeaderBytes + n*linePointerBytes
	special := pgformat.PageSize - leafSpecialBytes
	upper := special - n*indexTupleBytes
	p.header(dst, lower, upper, special)
	le := binary.LittleEndian
	block, line := leaf*leafRows/p.perPage, leaf*leafRows%p.perPage
	for i := range n {
		offset := uint32(special - (i+1)*indexTupleBytes)
		le.PutUint32(dst[pageHeaderBytes+i*linePointerBytes:], offset|pointerNormal<<15|indexTupleBytes<<17)
		if line == p.perPage {
			block, line = block+1, 0
		}
		line++
		at := len(dst) - leafSpecialBytes - (i+1)*indexTupleBytes
		putIndexTuple(dst[at:at+indexTupleBytes], block, line, leaf*leafRows+uint32(i))
	}
	links := dst[len(dst)-leafSpecialBytes:]
	le.PutUint32(links[0:], leaf)
	le.PutUint32(links[4:], leaf+2)
	le.PutUint32(links[8:], 0)  // level
	le.PutUint32(links[12:], 1) // BTP_LEAF
	return holed(dst, lower, upper)
}

func leafSpace(n int) int {
	return pageHeaderBytes + n*(linePointerBytes+indexTupleBytes) + leafSpecialBytes
}

// putIndexTuple writes an IndexTupleData with an integer key: the row's block and
// line, the tuple's length, the key, padding.
func putIndexTuple(dst []byte, block, line, key uint32) {
	le := binary.LittleEndian
	le.PutUint64(dst[0:], uint64(block>>16)|uint64(block&0xffff)<<16|uint64(line)<<32|indexTupleBytes<<48)
	le.PutUint64(dst[8:], uint64(key))
}
