package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// ring is the WAL buffers: whole pages, page number modulo size. A page lives
// in it from its initialisation until the page that takes its place is
// initialised, which must not happen before it has been written.
type ring struct {
	pages   []byte
	size    pgformat.LSN // len(pages)
	initEnd pgformat.LSN // end of the last initialised page
}

func (r *ring) init(bytes int, start pgformat.LSN) {
	r.pages = make([]byte, bytes)
	r.size = pgformat.LSN(bytes)
	r.initEnd = start.Page()
}

// page is the buffer of the page that starts at LSN at.
func (r *ring) page(at pgformat.LSN) []byte {
	off := at % r.size
	return r.pages[off : off+pgformat.PageSize : off+pgformat.PageSize]
}

// run is the buffer of the pages from `at` up to end, both page borders, cut
// where the ring ends.
func (r *ring) run(at, end pgformat.LSN) []byte {
	off := at % r.size
	n := min(end-at, r.size-off)
	return r.pages[off : off+n]
}

// needs is the LSN below which everything must have been written before the
// next page can be initialised.
func (r *ring) needs() pgformat.LSN {
	if r.initEnd < r.size {
		return 0
	}
	return r.initEnd + pgformat.PageSize - r.size
}

// initPage clears the next page and gives it its header.
func (l *Log) initPage(m *simtime.Meter) {
	defer m.Enter(m.Enter(simtime.PhaseHeader))
	m.Page()
	at := l.ring.initEnd
	page := l.ring.page(at)
	m.Zero(page)
	h := l.pageHeader(at)
	h.Encode(page)
	l.ring.initEnd = at + pgformat.PageSize
}

func (l *Log) pageHeader(at pgformat.LSN) pgformat.PageHeader {
	h := pgformat.PageHeader{
		Magic: pgformat.Magic15, Info: pgformat.BackupBlocksRemovable,
		TLI: l.opts.TLI, PageAddr: at,
	}
	if l.opts.SegmentSize.Offset(at) == 0 {
		h.Info |= pgformat.LongHeader
		h.SysID, h.SegSize, h.BlockSize = l.opts.SysID, uint32(l.opts.SegmentSize), pgformat.PageSize
	}
	return h
}

// markContinued notes in the header of the page at LSN at that it begins with
// rem bytes of a record begun before.
func (l *Log) markContinued(at pgformat.LSN, rem int) {
	h := l.pageHeader(at)
	h.Info |= pgformat.FirstIsContRecord
	h.RemLen = uint32(rem)
	h.Encode(l.ring.page(at))
}
