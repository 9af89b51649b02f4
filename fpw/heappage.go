package fpw

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/walbench/walbench/walsim/pgformat"
)

// pageShape is what is on a heap page: whole tuples, and pointers, of which
// some may lead to no tuple (redirected by pruning).
type pageShape struct{ tuples, pointers int }

// pruned are the shapes of pages that are updated over and over, as tuples
// missing and pointers added against a freshly loaded page: the quantiles at
// 1/32, 3/32, ... of 9,013 images of PRUNE records (PostgreSQL 15, 65 rows a page,
// one row moved away by its first update).
var pruned = [16]pageShape{
	{2, 5}, {2, 9}, {1, 0}, {1, 2}, {1, 2}, {1, 3}, {1, 4}, {1, 4},
	{1, 5}, {1, 5}, {1, 6}, {1, 6}, {1, 7}, {1, 8}, {1, 9}, {1, 11},
}

// shape is that of a page when its image is taken, for the first touch in a
// phase; pick chooses among several.
func (c *Config) shape(first rowKind, pick int) pageShape {
	n := c.Table.RowsPerPage()
	switch first {
	case rowMoves:
		return pageShape{n, n}
	case rowFits:
		return pageShape{n + 1, n + 1}
	}
	s := pruned[pick%len(pruned)]
	if c.Table.Room() {
		s.tuples-- // no row had to move away
	}
	s = pageShape{max(1, n-s.tuples), n + s.pointers}
	for s.space(c.Table) >= pgformat.PageSize {
		s.pointers--
	}
	return s
}

// space is what the shape takes of a page.
func (s pageShape) space(t Table) int {
	return pageHeaderBytes + s.pointers*linePointerBytes + s.tuples*t.tupleSpace()
}

// painter makes pages with content.
type painter struct {
	table Table
	blank float64
	draw  *rand.PCG
	xid   uint32 // of the load

	perPage uint32
	updated uint32 // of 2^32: rows that were updated since
}

func newPainter(c *Config, draw *rand.PCG) painter {
	p := painter{
		table: c.Table, blank: c.Blank, draw: draw, xid: loadXid, perPage: uint32(c.Table.RowsPerPage()),
	}
	if c.Phase.Kind != Fresh {
		p.updated = uint32((1 - (1-updatedOfBlank)*c.Blank) * (1<<32 - 1))
	}
	return p
}

// loadXid is about where a server is after some loading and testing.
const loadXid = 60_000

// heapPage writes a page of this shape, without its hole, to dst, which is as
// long as it and zero.
//
//	0             24            +4*pointers           +tupleSpace*tuples
//	+-------------+--------------+---------------------+
//	| page header | line pointers| tuples, last first  |
//	+-------------+--------------+---------------------+
func (p *painter) heapPage(dst []byte, s pageShape, block uint32) picture {
	lower := pageHeaderBytes + s.pointers*linePointerBytes
	upper := pgformat.PageSize - s.tuples*p.table.tupleSpace()
	p.header(dst, lower, upper, pgformat.PageSize)
	for i := range s.pointers {
		p.pointer(dst[pageHeaderBytes+i*linePointerBytes:], i, s)
	}
	for i := range s.tuples {
		at := len(dst) - (i+1)*p.table.tupleSpace()
		p.tuple(dst[at:at+p.table.tupleSpace()], block, i)
	}
	return holed(dst, lower, upper)
}

// header writes a PageHeaderData: LSN, checksum, flags, lower, upper, special,
// size and version (storage/bufpage.h).
func (p *painter) header(dst []byte, lower, upper, special int) {
	le := binary.LittleEndian
	le.PutUint32(dst[0:], 0)
	le.PutUint32(dst[4:], uint32(p.draw.Uint64()))
	le.PutUint32(dst[8:], 0)
	le.PutUint16(dst[12:], uint16(lower))
	le.PutUint16(dst[14:], uint16(upper))
	le.PutUint16(dst[16:], uint16(special))
	le.PutUint16(dst[18:], pgformat.PageSize|4)
	le.PutUint32(dst[20:], p.xid)
}

// Line pointer flags (storage/itemid.h).
const (
	pointerNormal   = 1
	pointerRedirect = 2
)

// pointer writes line pointer i: offset in 15 bits, flags in 2, length in 15.
// Those without a tuple redirect to one.
func (p *painter) pointer(dst []byte, i int, s pageShape) {
	v := uint32(1+i%s.tuples) | pointerRedirect<<15
	if i < s.tuples {
		v = uint32(pgformat.PageSize-(i+1)*p.table.tupleSpace()) | pointerNormal<<15 | uint32(p.table.TupleBytes)<<17
	}
	binary.LittleEndian.PutUint32(dst, v)
}

// Places and values in a tuple of (integer id, integer counter, text), a
// HeapTupleHeaderData (access/htup_details.h) and its columns.
//
//	0      4      8     12             16     18       20         22    24   28      32
//	+------+------+-----+--------------+------+--------+----------+-----+----+-------+------+
//	| xmin | xmax | cid | block hi, lo | line | columns| infomask | hoff| id |counter| text |
//	+------+------+-----+--------------+------+--------+----------+-----+----+-------+------+
const (
	tupleOffset   = 16
	tupleID       = 24
	tupleFiller   = 32
	tupleColumns  = 3
	tupleInfomask = 0x2902 // HEAP_UPDATED, XMAX_INVALID, XMIN_COMMITTED, HASVARWIDTH
)

// tuple writes one row, number i on its page, and its padding.
func (p *painter) tuple(dst []byte, block uint32, i int) {
	le := binary.LittleEndian
	xmin, counter := p.history()
	le.PutUint64(dst, uint64(xmin))              // xmax 0
	le.PutUint64(dst[8:], uint64(block>>16)<<32| // command id 0
		uint64(block&0xffff)<<48)
	le.PutUint64(dst[tupleOffset:], uint64(i+1)|tupleColumns<<16|tupleInfomask<<32|tupleID<<48)
	id := block*p.perPage + uint32(i)
	if len(dst) < tupleFiller {
		le.PutUint32(dst[tupleID:], id)
		return
	}
	le.PutUint64(dst[tupleID:], uint64(id)|uint64(counter)<<32)
	p.filler(dst[tupleFiller:p.table.TupleBytes])
}

// The rows of the two tables that images were measured on had different
// histories, as their plain images show (7,950 and 8,101 bytes): all rows of the
// one with random digits had been updated within some thousand transactions, few
// of the one with blanks.
const (
	updatedOfBlank = 0.16
	xidSpread      = 1 << 12
	counterSpread  = 4
)

// history draws who wrote a row last and what its counter is now.
func (p *painter) history() (xmin, counter uint32) {
	r := p.draw.Uint64()
	if uint32(r) >= p.updated {
		return p.xid, 0
	}
	return p.xid + 1 + uint32(r>>32)%xidSpread, 1 + uint32(r>>48)%counterSpread
}

// filler writes a text: its length byte, random hexadecimal digits, blanks.
func (p *painter) filler(dst []byte) {
	if len(dst) == 0 {
		return
	}
	dst[0] = byte(len(dst)<<1 | 1) // SET_VARSIZE_SHORT (varatt.h)
	dst = dst[1:]
	digits := len(dst) - int(p.blank*float64(len(dst))+0.5)
	for i := digits; i < len(dst); i++ {
		dst[i] = ' '
	}
	dst = dst[:digits]
	for len(dst) >= 16 {
		r := p.draw.Uint64()
		binary.LittleEndian.PutUint64(dst, hexDigits(uint32(r)))
		binary.LittleEndian.PutUint64(dst[8:], hexDigits(uint32(r>>32)))
		dst = dst[16:]
	}
	for r := p.draw.Uint64(); len(dst) > 0; r >>= 4 {
		dst[0] = "0123456789abcdef"[r&15]
		dst = dst[1:]
	}
}

// hexDigits are the eight digits of v, as bytes: the nibbles are spread over the
// bytes, and those above 9 moved up to the letters.
func hexDigits(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	letters := (x + 0x0606060606060606) >> 4 & 0x0101010101010101
	return x + 0x3030303030303030 + letters*('a'-'0'-10)
}
