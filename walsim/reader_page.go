package walsim

import (
	"encoding/binary"
	"fmt"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// faultKind says in which way a place of the log cannot be read.
type faultKind uint8

const (
	faultBad       faultKind = iota // something else is there
	faultUnwritten                  // nothing has been written there yet
	faultMissing                    // there is no such segment
)

// readFault is the place where reading had to stop.
type readFault struct {
	kind   faultKind
	at     pgformat.LSN
	reason string
}

// pageCursor reads a log page by page: it fetches the bytes, decrypts what was
// encrypted by position, and checks the page header. Memory is bounded by chunk.
type pageCursor struct {
	src *segmentSource
	dec strategies.Decoder // nil for a plain log

	// What every page header has to agree with; zero until the first one is read.
	magic   uint16
	sysID   uint64
	lastTLI uint32

	stream segmentStream
	open   bool
	segno  uint64 // of stream

	chunk    []byte // stored bytes, decrypted in place page by page
	chunkAt  pgformat.LSN
	chunkLen int

	at     pgformat.LSN // the page loaded, if ok
	ok     bool
	page   []byte // its bytes, decrypted
	raw    []byte // its bytes as stored; page itself for a plain log
	have   int    // how many of them the file really has; the rest is zero
	header pgformat.PageHeader
	rawBuf []byte

	fault readFault // why load returned false

	onPage func(at pgformat.LSN, page []byte) // sees each page once it has been checked
	stats  *ReaderStats
	seen   uint64 // segment counted last in stats, plus one
}

// Bytes read from a file at a time: by a reader, and by a look at one record.
const (
	readChunk  = 256 << 10
	probeChunk = 32 << 10
)

func newPageCursor(src *segmentSource, dec strategies.Decoder, chunk int) pageCursor {
	c := pageCursor{src: src, dec: dec, chunk: make([]byte, chunk)}
	if dec != nil {
		c.rawBuf = make([]byte, pgformat.PageSize)
	}
	return c
}

func (c *pageCursor) close() error {
	c.open, c.ok, c.chunkLen = false, false, 0
	return c.stream.close()
}

// load makes the page that starts at LSN at the current one. It returns false,
// with c.fault set, if the log cannot be read there; err is an I/O error.
func (c *pageCursor) load(at pgformat.LSN) (bool, error) {
	if c.ok && c.at == at {
		return true, nil
	}
	ok, err := c.fetch(at)
	if ok {
		ok = c.check(at)
	}
	c.ok = ok
	if !ok {
		c.chunkLen = 0 // what is in it may be half decrypted
		return false, err
	}
	c.adopt()
	if c.onPage != nil {
		c.onPage(at, c.page)
	}
	return true, nil
}

// adopt takes the current page into account.
func (c *pageCursor) adopt() {
	c.magic, c.lastTLI = c.header.Magic, c.header.TLI
	if c.header.Info&pgformat.LongHeader != 0 {
		c.sysID = c.header.SysID
	}
	if c.stats == nil {
		return
	}
	c.stats.Pages++
	if c.header.Info&pgformat.FirstIsContRecord != 0 {
		c.stats.ContinuedPages++
	}
	if segno := c.src.size.Segno(c.at); c.seen != segno+1 {
		c.seen = segno + 1
		c.stats.Segments++
	}
}

func (c *pageCursor) fail(kind faultKind, at pgformat.LSN, format string, args ...any) bool {
	c.fault = readFault{kind: kind, at: at, reason: fmt.Sprintf(format, args...)}
	return false
}

// fetch makes page and have the bytes stored at LSN at.
func (c *pageCursor) fetch(at pgformat.LSN) (bool, error) {
	ahead := c.chunkLen > 0 && at > c.at && at >= c.chunkAt && at < c.chunkAt+pgformat.LSN(c.chunkLen)
	if !ahead {
		if ok, err := c.fill(at); !ok {
			return false, err
		}
	}
	c.at = at
	off := int(at - c.chunkAt)
	c.have = min(pgformat.PageSize, c.chunkLen-off)
	if c.have <= 0 {
		return c.fail(faultBad, at, "%s", c.fileEnd(0)), nil
	}
	c.page = c.chunk[off : off+pgformat.PageSize]
	clear(c.page[c.have:])
	return true, nil
}

// fill reads the next chunk, which begins with the page at LSN at.
func (c *pageCursor) fill(at pgformat.LSN) (bool, error) {
	size := c.src.size
	if segno := size.Segno(at); !c.open || c.segno != segno {
		if err := c.close(); err != nil {
			return false, err
		}
		f, ok := c.src.find(segno)
		if !ok {
			return c.fail(faultMissing, at, "segment is missing"), nil
		}
		if err := c.stream.open(c.src.fs, f.path); err != nil {
			return false, err
		}
		c.open, c.segno = true, segno
	}
	off := size.Offset(at)
	n, err := c.stream.read(c.chunk[:min(int64(len(c.chunk)), int64(size)-off)], off)
	c.chunkAt, c.chunkLen = at, n
	return err == nil, err
}

// fileEnd says that the file ends off bytes into the page at c.at.
func (c *pageCursor) fileEnd(off int) string {
	if c.stream.cut != "" {
		return c.stream.cut
	}
	return fmt.Sprintf("the file ends at offset %d, want %d bytes", c.src.size.Offset(c.at)+int64(off), c.src.size)
}

// check decrypts the page fetched and checks its header.
func (c *pageCursor) check(at pgformat.LSN) bool {
	c.raw = c.page
	if c.dec != nil {
		copy(c.rawBuf, c.page)
		c.raw = c.rawBuf
		c.dec.Page(c.src.tli, at, c.page)
	}
	if c.have < c.src.size.HeaderSize(at) {
		return c.fail(faultBad, at, "%s", c.fileEnd(c.have))
	}
	if binary.LittleEndian.Uint64(c.raw) == 0 && isZero(c.raw) {
		return c.fail(faultUnwritten, at, "the page is all zeros")
	}
	h, err := pgformat.DecodePageHeader(c.page)
	c.header = h
	if err == nil {
		err = c.headerError(at)
	}
	if err == nil {
		return true
	}
	if c.oldUse(at) {
		return c.fail(faultUnwritten, at, "the page is of an earlier use of the segment (%v)", err)
	}
	return c.fail(faultBad, at, "%v", err)
}

// headerError says what is wrong with the header of the page at LSN at, beyond
// what DecodePageHeader checks (XLogReaderValidatePageHeader,
// access/xlogreader.c). Pages of an older timeline may precede newer ones, since
// a new timeline's first segment begins as a copy.
func (c *pageCursor) headerError(at pgformat.LSN) error {
	h := &c.header
	long := h.Info&pgformat.LongHeader != 0
	switch {
	case h.PageAddr != at:
		return fmt.Errorf("page address %v, want %v", h.PageAddr, at)
	case c.magic != 0 && h.Magic != c.magic:
		return fmt.Errorf("page magic %#04x, want %#04x", h.Magic, c.magic)
	case h.TLI > c.src.tli || h.TLI < c.lastTLI:
		return fmt.Errorf("timeline %d, want %d", h.TLI, c.src.tli)
	case long != (c.src.size.Offset(at) == 0):
		return fmt.Errorf("long page header: %t, want it at the segment's start only", long)
	case long && uint64(h.SegSize) != uint64(c.src.size):
		return fmt.Errorf("segment size %d, want %d", h.SegSize, c.src.size)
	case long && c.sysID != 0 && h.SysID != c.sysID:
		return fmt.Errorf("system id %d, want %d", h.SysID, c.sysID)
	case h.Info&pgformat.FirstIsContRecord != 0 && (h.RemLen == 0 || h.RemLen > pgformat.MaxRecordSize):
		return fmt.Errorf("page begins with the rest of a record of %d bytes", h.RemLen)
	}
	return nil
}

// maxReuse is how many segments back the former address of a recycled segment
// is looked for.
const maxReuse = 1024

// oldUse says whether the page at LSN at still holds what it held when its
// segment file had an earlier name: a page of this log that names an earlier
// address at the same offset. Where page headers are encrypted by position, the
// page names itself only when decrypted as what it was.
func (c *pageCursor) oldUse(at pgformat.LSN) bool {
	size := pgformat.LSN(c.src.size)
	h, err := pgformat.DecodePageHeader(c.raw)
	if err == nil && h.PageAddr < at && (at-h.PageAddr)%size == 0 {
		return true
	}
	if c.dec == nil {
		return false
	}
	page := make([]byte, pgformat.PageSize)
	for i := 0; i < maxReuse && at >= size; i++ {
		at -= size
		copy(page, c.raw)
		c.dec.Page(c.src.tli, at, page)
		if h, err := pgformat.DecodePageHeader(page); err == nil && h.PageAddr == at {
			return true
		}
	}
	return false
}

// unwrittenAt says whether nothing has been stored yet where a record would
// begin, at offset off of the page: its header's place, as far as the page goes,
// is zero, as stored or (a design that encrypts the zero tail) when decrypted.
func (c *pageCursor) unwrittenAt(off int) bool {
	end := min(off+pgformat.RecordHeaderSize, pgformat.PageSize)
	return end <= c.have && (isZero(c.raw[off:end]) || isZero(c.page[off:end]))
}
