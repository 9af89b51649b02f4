package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// writeFiller makes a log that starts in the middle of a segment readable from
// the segment's start: the pages in front of the start, and the beginning of
// the start's own page, are filled as the rest of a record that began in an
// earlier segment. Readers skip it.
func (l *Log) writeFiller(p simtime.Proc) error {
	seg, start := l.opts.SegmentSize, l.opts.Start
	first := seg.Start(seg.Segno(start))
	if start == seg.RecordStart(first) {
		return nil
	}
	rem := start.PageOffset() - seg.HeaderSize(start)
	for at := first; at < start.Page(); at += pgformat.PageSize {
		rem += pgformat.PageSize - seg.HeaderSize(at)
	}
	page := make([]byte, pgformat.PageSize)
	m := *p.Meter() // filler is in no figure
	defer func() { *p.Meter() = m }()
	for at := first; at < start.Page(); at += pgformat.PageSize {
		h := l.pageHeader(at)
		h.Info |= pgformat.FirstIsContRecord
		h.RemLen = uint32(rem)
		rem -= pgformat.PageSize - h.Encode(page)
		if err := l.device.write(p, at, page); err != nil {
			return err
		}
	}
	l.initPage(p.Meter())
	if rem > 0 {
		l.markContinued(start.Page(), rem)
	}
	return nil
}
