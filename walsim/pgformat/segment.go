package pgformat

import (
	"errors"
	"fmt"
	"strconv"
)

// SegmentSize is the size of a segment file in bytes: a power of two from
// 1 MB to 1 GB (wal_segment_size).
type SegmentSize uint64

// Limits of SegmentSize, and PostgreSQL's default.
const (
	MinSegmentSize     SegmentSize = 1 << 20
	MaxSegmentSize     SegmentSize = 1 << 30
	DefaultSegmentSize SegmentSize = 16 << 20
)

// Errors of this file, returned wrapped with the offending value.
var (
	ErrSegmentSize = errors.New("segment size must be a power of two from 1 MB to 1 GB")
	ErrSegmentName = errors.New("not a WAL segment name (want 24 hexadecimal digits)")
)

// Check returns ErrSegmentSize, wrapped, unless s is a legal size.
func (s SegmentSize) Check() error {
	if s < MinSegmentSize || s > MaxSegmentSize || s&(s-1) != 0 {
		return fmt.Errorf("%d: %w", uint64(s), ErrSegmentSize)
	}
	return nil
}

// Segno is the number of the segment that holds l.
func (s SegmentSize) Segno(l LSN) uint64 { return uint64(l) / uint64(s) }

// Start is the LSN of the first byte of segment segno.
func (s SegmentSize) Start(segno uint64) LSN { return LSN(segno * uint64(s)) }

// Offset is the distance of l from the start of its segment in bytes.
func (s SegmentSize) Offset(l LSN) int64 { return int64(uint64(l) & (uint64(s) - 1)) }

// HeaderSize is the size of the page header of the page that holds l.
func (s SegmentSize) HeaderSize(l LSN) int {
	if s.Offset(l.Page()) == 0 {
		return LongHeaderSize
	}
	return ShortHeaderSize
}

// Name is the file name of segment segno on a timeline (XLogFileName):
// 8 digits of timeline, 8 of "log" and 8 of segment within it.
func (s SegmentSize) Name(tli uint32, segno uint64) string {
	perLog := (uint64(1) << 32) / uint64(s)
	return fmt.Sprintf("%08X%08X%08X", tli, segno/perLog, segno%perLog)
}

// ParseName is the reverse of Name.
func (s SegmentSize) ParseName(name string) (tli uint32, segno uint64, err error) {
	if !IsSegmentName(name) {
		return 0, 0, fmt.Errorf("%q: %w", name, ErrSegmentName)
	}
	var part [3]uint64
	for i := range part {
		part[i], _ = strconv.ParseUint(name[i*8:i*8+8], 16, 32) // digits checked above
	}
	perLog := (uint64(1) << 32) / uint64(s)
	if part[2] >= perLog {
		return 0, 0, fmt.Errorf("%q does not fit segments of %d bytes: %w", name, uint64(s), ErrSegmentName)
	}
	return uint32(part[0]), part[1]*perLog + part[2], nil
}

// IsSegmentName says whether name has the form of a segment file name.
func IsSegmentName(name string) bool {
	if len(name) != 24 {
		return false
	}
	for _, c := range []byte(name) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// RecordStart is where a record that may start at l really starts: l itself,
// or behind the page header if l is the start of a page.
func (s SegmentSize) RecordStart(l LSN) LSN {
	if l.PageOffset() == 0 {
		return l + LSN(s.HeaderSize(l))
	}
	return l
}

// Advance is the end of n bytes of record data that start at l (which is not
// inside a page header): n plus the page headers in between. The end of data
// that fills its page exactly is the start of the next page, as PostgreSQL's
// XLogBytePosToEndRecPtr has it. Padding is not added: pass Align8(n) for the
// end of a record.
func (s SegmentSize) Advance(l LSN, n int) LSN {
	l = s.RecordStart(l)
	room := PageSize - l.PageOffset()
	if n <= room {
		return l + LSN(n)
	}
	n -= room
	l = l.Page() + PageSize
	for {
		h := s.HeaderSize(l)
		if n <= PageSize-h {
			return l + LSN(h+n)
		}
		n -= PageSize - h
		l += PageSize
	}
}
