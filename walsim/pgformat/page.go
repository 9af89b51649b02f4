package pgformat

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Sizes that are part of the format.
const (
	PageSize         = 8192 // XLOG_BLCKSZ
	ShortHeaderSize  = 24   // SizeOfXLogShortPHD
	LongHeaderSize   = 40   // SizeOfXLogLongPHD: first page of a segment
	RecordHeaderSize = 24   // SizeOfXLogRecord
	MaxRecordSize    = 1020 << 20
)

// Page magics by PostgreSQL major version (XLOG_PAGE_MAGIC).
const (
	Magic15 = 0xD110
	Magic16 = 0xD113
	Magic17 = 0xD116
	Magic18 = 0xD118
)

// Page header flags (xlp_info).
const (
	FirstIsContRecord          = 0x0001 // the page begins with the rest of a record
	LongHeader                 = 0x0002 // the header is LongHeaderSize bytes
	BackupBlocksRemovable      = 0x0004
	FirstIsOverwriteContRecord = 0x0008 // the record cut before this page was given up
	allPageFlags               = 0x000F
)

// Errors of DecodePageHeader. ErrPageMagic means an unknown version, the
// others a page that is no WAL page.
var (
	ErrPageMagic  = errors.New("unknown WAL page magic")
	ErrPageHeader = errors.New("invalid WAL page header")
)

// PageHeader is the header at the start of every 8192-byte page
// (XLogPageHeaderData, and XLogLongPageHeaderData when Info has LongHeader).
//
//	0     2     4        8                16        20       24
//	+-----+-----+--------+----------------+---------+--------+
//	|magic|info |timeline| page address   | rem_len | unused |
//	+-----+-----+--------+----------------+---------+--------+
//	24               32         36         40     (long header only)
//	+----------------+----------+----------+
//	| system id      | seg size | blocksize|
//	+----------------+----------+----------+
type PageHeader struct {
	Magic    uint16
	Info     uint16
	TLI      uint32
	PageAddr LSN
	RemLen   uint32 // bytes of the continued record still to come, 0 if none

	SysID     uint64
	SegSize   uint32
	BlockSize uint32
}

// Size is the header's length in bytes, 24 or 40.
func (h *PageHeader) Size() int {
	if h.Info&LongHeader != 0 {
		return LongHeaderSize
	}
	return ShortHeaderSize
}

// Encode writes the header to the start of dst and returns its length.
func (h *PageHeader) Encode(dst []byte) int {
	le := binary.LittleEndian
	le.PutUint16(dst[0:], h.Magic)
	le.PutUint16(dst[2:], h.Info)
	le.PutUint32(dst[4:], h.TLI)
	le.PutUint64(dst[8:], uint64(h.PageAddr))
	le.PutUint32(dst[16:], h.RemLen)
	le.PutUint32(dst[20:], 0)
	if h.Info&LongHeader == 0 {
		return ShortHeaderSize
	}
	le.PutUint64(dst[24:], h.SysID)
	le.PutUint32(dst[32:], h.SegSize)
	le.PutUint32(dst[36:], h.BlockSize)
	return LongHeaderSize
}

// DecodePageHeader reads the header at the start of page (at least 40 bytes).
// It checks magic and flags; whether address and timeline are the expected
// ones is the caller's question. A page of another version gives ErrPageMagic
// with the magic's value.
func DecodePageHeader(page []byte) (PageHeader, error) {
	le := binary.LittleEndian
	if len(page) < LongHeaderSize {
		return PageHeader{}, fmt.Errorf("%d bytes: %w", len(page), ErrPageHeader)
	}
	h := PageHeader{
		Magic: le.Uint16(page[0:]), Info: le.Uint16(page[2:]), TLI: le.Uint32(page[4:]),
		PageAddr: LSN(le.Uint64(page[8:])), RemLen: le.Uint32(page[16:]),
	}
	if MajorVersion(h.Magic) == 0 {
		return h, fmt.Errorf("magic %#04x: %w", h.Magic, ErrPageMagic)
	}
	if h.Info&^allPageFlags != 0 {
		return h, fmt.Errorf("flags %#04x: %w", h.Info, ErrPageHeader)
	}
	if h.Info&LongHeader != 0 {
		h.SysID, h.SegSize, h.BlockSize = le.Uint64(page[24:]), le.Uint32(page[32:]), le.Uint32(page[36:])
		if h.BlockSize != PageSize {
			return h, fmt.Errorf("block size %d, want %d: %w", h.BlockSize, PageSize, ErrPageHeader)
		}
	}
	return h, nil
}

// MajorVersion is the PostgreSQL major version that writes pages with this
// magic, or 0 if it is not one this package reads.
func MajorVersion(magic uint16) int {
	switch magic {
	case Magic15:
		return 15
	case Magic16:
		return 16
	case Magic17:
		return 17
	case Magic18:
		return 18
	}
	return 0
}
