package walsim

import (
	"fmt"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// recordScanner walks from record to record. A record that lies within one page
// is returned where it is; one that crosses pages is put together in buf, which
// grows only by what pages that really continue the record have brought.
type recordScanner struct {
	pages pageCursor
	next  pgformat.LSN // where the next record is looked for; may be a page start
	prev  pgformat.LSN // the last whole record; 0: none yet

	start, end pgformat.LSN // the record read last; end is rounded up to 8
	buf        []byte
	skipped    int64 // bytes of records cut off at the start or overwritten

	bad   pgformat.LSN // where the record that could not be read begins
	fault readFault
}

func newScanner(src *segmentSource, dec strategies.Decoder, chunk int) recordScanner {
	return recordScanner{pages: newPageCursor(src, dec, chunk)}
}

// fail remembers what is wrong at LSN at, for the record that begins at s.bad.
func (s *recordScanner) fail(kind faultKind, at pgformat.LSN, format string, args ...any) bool {
	s.fault = readFault{kind: kind, at: at, reason: fmt.Sprintf(format, args...)}
	return false
}

// load loads the page at LSN at; what is wrong with it becomes the scanner's
// fault.
func (s *recordScanner) load(at pgformat.LSN) (bool, error) {
	ok, err := s.pages.load(at)
	if !ok {
		s.fault = s.pages.fault
	}
	return ok, err
}

// begin places the scanner at the first record that begins at or behind LSN at,
// the start of a segment: behind the rest of an earlier record, if there is one
// (XLogFindNextRecord, access/xlogreader.c). False: no such place.
func (s *recordScanner) begin(at pgformat.LSN) (bool, error) {
	s.prev, s.bad = 0, at
	for rem := -1; ; at += pgformat.PageSize {
		s.next = at
		if ok, err := s.load(at); !ok {
			if s.bad = at; rem > 0 {
				s.cutRecord()
			}
			return false, err
		}
		h := &s.pages.header
		if rem < 0 && h.Info&pgformat.FirstIsContRecord != 0 {
			rem = int(h.RemLen)
			s.skipped += int64(rem)
		}
		if rem <= 0 || h.Info&pgformat.FirstIsOverwriteContRecord != 0 {
			return true, nil
		}
		if !s.continues(rem) {
			s.bad = at
			return false, nil
		}
		room := pgformat.PageSize - h.Size()
		if rem <= room {
			s.next = at + pgformat.LSN(h.Size()+pgformat.Align8(rem))
			return true, nil
		}
		rem -= room
	}
}

// continues says whether the current page goes on with a record of which rem
// bytes are still to come.
func (s *recordScanner) continues(rem int) bool {
	h := &s.pages.header
	if h.Info&pgformat.FirstIsContRecord == 0 {
		return s.fail(faultBad, s.pages.at, "page does not continue the record before it (%d bytes missing)", rem)
	}
	if uint64(h.RemLen) != uint64(rem) {
		return s.fail(faultBad, s.pages.at, "page continues a record with %d bytes, want %d", h.RemLen, rem)
	}
	return true
}

// read returns the next record, its CRC checked, or false with fault and bad
// set. The bytes are valid until the next call, and the caller may change them.
func (s *recordScanner) read() ([]byte, bool, error) {
	for {
		off, ok, err := s.locate()
		if !ok {
			return nil, false, err
		}
		total := pgformat.TotLen(s.pages.page[off:])
		if total < pgformat.RecordHeaderSize || total > pgformat.MaxRecordSize {
			return nil, s.fail(faultBad, s.bad, "record of %d bytes, want %d to %d",
				total, pgformat.RecordHeaderSize, pgformat.MaxRecordSize), nil
		}
		rec, end := []byte(nil), pgformat.LSN(0)
		if off+int(total) <= pgformat.PageSize {
			rec, end, ok = s.inPage(off, int(total))
		} else {
			var overwritten bool
			rec, end, overwritten, err = s.assemble(off, int(total))
			if overwritten {
				continue
			}
			ok = rec != nil
		}
		if !ok || !s.accept(rec) {
			return nil, false, err
		}
		s.advance(rec, end)
		return rec, true, nil
	}
}

// locate loads the page where the next record begins and returns its offset
// there.
func (s *recordScanner) locate() (off int, ok bool, err error) {
	s.bad = s.next
	if ok, err := s.load(s.next.Page()); !ok {
		return 0, false, err
	}
	h := &s.pages.header
	if off = s.next.PageOffset(); off == 0 {
		off = h.Size()
		s.bad += pgformat.LSN(off)
	}
	if off == h.Size() && h.Info&pgformat.FirstIsContRecord != 0 {
		return 0, s.fail(faultBad, s.pages.at, "page begins with the rest of a record, want a new one"), nil
	}
	if s.pages.unwrittenAt(off) {
		return 0, s.fail(faultUnwritten, s.bad, "nothing written yet"), nil
	}
	if off+4 > s.pages.have {
		return 0, s.fail(faultBad, s.bad, "%s", s.pages.fileEnd(s.pages.have)), nil
	}
	return off, true, nil
}

// inPage returns the record at offset off of the current page.
func (s *recordScanner) inPage(off, total int) (rec []byte, end pgformat.LSN, ok bool) {
	if off+total > s.pages.have {
		return nil, 0, s.fail(faultBad, s.bad, "%s", s.pages.fileEnd(s.pages.have))
	}
	end = s.pages.at + pgformat.LSN(off+pgformat.Align8(total))
	return s.pages.page[off : off+total : off+total], end, true
}

// assemble puts together the record that begins at offset off of the current
// page and goes on beyond it. It returns a nil record if that fails, and
// overwritten if a server has given the record up: then next is the page to go
// on with.
func (s *recordScanner) assemble(off, total int) (rec []byte, end pgformat.LSN, overwritten bool, err error) {
	if s.pages.have < pgformat.PageSize {
		s.fail(faultBad, s.bad, "%s", s.pages.fileEnd(s.pages.have))
		return nil, 0, false, nil
	}
	s.buf = append(s.buf[:0], s.pages.page[off:]...)
	for len(s.buf) < total {
		at := s.pages.at + pgformat.PageSize
		if ok, err := s.load(at); !ok {
			s.cutRecord()
			return nil, 0, false, err
		}
		if s.pages.header.Info&pgformat.FirstIsOverwriteContRecord != 0 {
			s.skipped += int64(len(s.buf))
			s.next = at
			return nil, 0, true, nil
		}
		if end = s.appendPage(total); end == 0 {
			return nil, 0, false, nil
		}
	}
	return s.buf, end, false, nil
}

// appendPage adds the current page's part of a record of total bytes to buf and
// returns its end, rounded up; 0 if the page does not continue the record.
func (s *recordScanner) appendPage(total int) pgformat.LSN {
	missing := total - len(s.buf)
	if !s.continues(missing) {
		return 0
	}
	from := s.pages.header.Size()
	n := min(missing, pgformat.PageSize-from)
	if from+n > s.pages.have {
		s.fail(faultBad, s.pages.at, "%s", s.pages.fileEnd(s.pages.have))
		return 0
	}
	partial := len(s.buf) < pgformat.RecordHeaderSize
	s.buf = append(s.buf, s.pages.page[from:from+n]...)
	if partial && !s.acceptHeader(s.buf) {
		return 0
	}
	return s.pages.at + pgformat.LSN(from+pgformat.Align8(n))
}

// cutRecord turns the fault of a page in which a record should go on into one of
// the record: it has begun, so its rest is not merely unwritten.
func (s *recordScanner) cutRecord() {
	src := s.pages.src
	if s.fault.kind == faultMissing && len(src.after(src.size.Segno(s.fault.at))) == 0 {
		s.fault.reason = "it runs past the last segment"
	}
	s.fault.kind = faultBad
	s.fault.reason = "the record that should go on here is cut: " + s.fault.reason
}

// acceptHeader checks a record's resource manager and its link to the record
// before (ValidXLogRecordHeader, access/xlogreader.c). The first record has
// none, so its link only has to lead back.
func (s *recordScanner) acceptHeader(rec []byte) bool {
	h := pgformat.DecodeRecordHeader(rec)
	switch {
	case !pgformat.ValidRM(h.RMID):
		return s.fail(faultBad, s.bad, "resource manager %d does not exist", h.RMID)
	case s.prev != 0 && h.Prev != s.prev:
		return s.fail(faultBad, s.bad, "previous-record link %v, want %v", h.Prev, s.prev)
	case h.Prev >= s.bad:
		return s.fail(faultBad, s.bad, "previous-record link %v of record %v does not lead back", h.Prev, s.bad)
	}
	return true
}

// accept checks a whole record but for its body's structure.
func (s *recordScanner) accept(rec []byte) bool {
	if !s.acceptHeader(rec) {
		return false
	}
	if !pgformat.CheckCRC(rec) {
		return s.fail(faultBad, s.bad, "wrong CRC in record of %d bytes", len(rec))
	}
	return true
}

// advance goes behind the record just read: to its end, or to the next segment
// after a switch.
func (s *recordScanner) advance(rec []byte, end pgformat.LSN) {
	s.start, s.end, s.prev, s.next = s.bad, end, s.bad, end
	if isSwitch(rec) {
		size := pgformat.LSN(s.pages.src.size)
		s.next = (end + size - 1) / size * size
	}
}

func isSwitch(rec []byte) bool {
	h := pgformat.DecodeRecordHeader(rec)
	return h.RMID == pgformat.RMXLog && h.Info&pgformat.InfoMask == pgformat.InfoXLogSwitch
}
