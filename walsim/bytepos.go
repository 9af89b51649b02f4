package walsim

import "github.com/walbench/walbench/walsim/pgformat"

// bytePos is a place in the log that counts bytes of records only, without page
// headers. So a reservation is one addition, and what page headers make of it is
// worked out behind the spinlock, as in PostgreSQL (xlog.c: CurrBytePos).
type bytePos int64

// layout turns places into LSNs and back, for one segment size.
type layout struct {
	seg        pgformat.SegmentSize
	perSegment bytePos
}

// Bytes of records in a page, and in the first one of a segment.
const (
	perPage      = pgformat.PageSize - pgformat.ShortHeaderSize
	perFirstPage = pgformat.PageSize - pgformat.LongHeaderSize
)

func newLayout(seg pgformat.SegmentSize) layout {
	pages := bytePos(seg / pgformat.PageSize)
	return layout{seg: seg, perSegment: pages*perPage - perPage + perFirstPage}
}

// start is where a byte at b stands, behind a page header if one is there.
func (y layout) start(b bytePos) pgformat.LSN { return y.seg.RecordStart(y.end(b)) }

// end is where the bytes before b end: at a page's border if they fill it.
func (y layout) end(b bytePos) pgformat.LSN {
	segment, rest := y.seg.Start(uint64(b/y.perSegment)), b%y.perSegment
	switch {
	case rest == 0:
		return segment
	case rest < perFirstPage:
		return segment + pgformat.LSN(pgformat.LongHeaderSize+rest)
	}
	rest -= perFirstPage
	page, in := rest/perPage, rest%perPage
	segment += pgformat.LSN((1 + page) * pgformat.PageSize)
	if in == 0 {
		return segment
	}
	return segment + pgformat.LSN(pgformat.ShortHeaderSize+in)
}

// of is the place of an LSN, which is not inside a page header.
func (y layout) of(l pgformat.LSN) bytePos {
	before := bytePos(y.seg.Segno(l)) * y.perSegment
	page := bytePos(y.seg.Offset(l) / pgformat.PageSize)
	in := bytePos(max(0, l.PageOffset()-y.seg.HeaderSize(l)))
	if page == 0 {
		return before + in
	}
	return before + perFirstPage + (page-1)*perPage + in
}
