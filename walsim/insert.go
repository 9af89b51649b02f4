package walsim

import (
	"encoding/binary"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// insertHeld reserves, completes and places the records in one go under the
// serial lock. Full buffers are written on the way.
func (u *Updater) insertHeld(recs []strategies.Record) error {
	for i := range recs {
		r := &recs[i]
		u.reserve(r)
		if u.phases.Place != nil {
			u.phases.Place(r)
		}
		u.finishCRC(r)
		if err := u.place(r, u.roomHeld); err != nil {
			return err
		}
	}
	return nil
}

// reserve gives the record its place and counts it. The caller owns the serial
// lock.
func (u *Updater) reserve(r *strategies.Record) {
	before := u.m.Enter(simtime.PhaseHeader)
	u.m.Reserve()
	l, seg := u.log, u.log.opts.SegmentSize
	r.LSN = seg.RecordStart(l.insert)
	r.End = seg.Advance(r.LSN, pgformat.Align8(len(r.Buf)))
	r.Prev = l.prev
	l.noteBorder(r)
	l.insert, l.prev = r.End, r.LSN
	pgformat.PutPrev(r.Buf, r.Prev)
	u.countRecord(r)
	u.m.Enter(before)
}

func (u *Updater) countRecord(r *strategies.Record) {
	u.m.Records++
	u.m.RealBytes += int64(r.RealLen)
	u.m.StoredBytes += int64(len(r.Buf))
	u.m.Images += int64(r.Images)
}

// noteBorder remembers, when the record reaches or crosses a segment border,
// the end of the last record that ends at or before it: there the durable point
// moves when the segment is complete.
func (l *Log) noteBorder(r *strategies.Record) {
	if r.End < l.segmentEnd {
		return
	}
	seg := l.opts.SegmentSize
	l.segmentEnd = seg.Start(seg.Segno(r.End) + 1)
	end := l.insert
	if seg.Offset(r.End) == 0 {
		end = r.End
	}
	l.borderEnds = append(l.borderEnds, end)
}

// headerCRCBytes is what the CRC of a record covers last: the header without
// the CRC itself.
const headerCRCBytes = 20

// finishCRC completes the record's CRC, now that xl_prev is known.
func (u *Updater) finishCRC(r *strategies.Record) {
	crc := u.m.CRC(r.BodyCRC, r.Buf[:headerCRCBytes])
	binary.LittleEndian.PutUint32(r.Buf[headerCRCBytes:], crc)
}

// place copies the record into the WAL buffers, page by page. room makes sure
// that the page a piece goes to is there.
func (u *Updater) place(r *strategies.Record, room func(at pgformat.LSN) error) error {
	src, at := r.Buf, r.LSN
	for {
		if u.log.behind || at.Page() >= u.log.ring.initEnd {
			if err := room(at); err != nil {
				return err
			}
		}
		if at != r.LSN {
			u.log.markContinued(at.Page(), len(src))
		}
		n := min(len(src), pgformat.PageSize-at.PageOffset())
		dst := u.log.ring.page(at.Page())[at.PageOffset():]
		if u.phases.Copy != nil {
			u.phases.Copy(dst[:n], src[:n], at)
		} else {
			u.m.Copy(dst, src[:n])
		}
		if src = src[n:]; len(src) == 0 {
			return nil
		}
		at = u.log.opts.SegmentSize.RecordStart(at.Page() + pgformat.PageSize)
	}
}

// roomHeld initialises pages up to the one that holds at, under the serial
// lock: when the buffers are full, all pages filled so far are written.
func (u *Updater) roomHeld(at pgformat.LSN) error {
	l := u.log
	for l.ring.initEnd <= at {
		if l.ring.needs() > l.written {
			if err := l.write(u, l.ring.initEnd); err != nil {
				return err
			}
		}
		l.initPage(u.m)
	}
	return nil
}
