package walsim

import (
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

const testSegSize = pgformat.MinSegmentSize

// testLog lays records out in memory, independently of the log that this
// package writes: segments of 1 MB from segment 1 on.
type testLog struct {
	size  pgformat.SegmentSize
	base  pgformat.LSN
	at    pgformat.LSN // where the next record goes
	prev  pgformat.LSN
	bytes []byte         // from base on
	lsns  []pgformat.LSN // of the records
	ends  []pgformat.LSN
}

func newTestLog() *testLog { return newSizedLog(testSegSize) }

func newSizedLog(size pgformat.SegmentSize) *testLog {
	base := size.Start(1)
	return &testLog{size: size, base: base, at: base}
}

// page begins the page at LSN at, with rem bytes of a record to be continued.
func (l *testLog) page(at pgformat.LSN, rem int, flags uint16) {
	if l.size.Offset(at) == 0 {
		l.bytes = append(l.bytes, make([]byte, l.size)...)
	}
	h := pgformat.PageHeader{Magic: pgformat.Magic15, Info: flags, TLI: 1, PageAddr: at, RemLen: uint32(rem)}
	if rem > 0 {
		h.Info |= pgformat.FirstIsContRecord
	}
	if l.size.Offset(at) == 0 {
		h.Info |= pgformat.LongHeader
		h.SysID, h.SegSize, h.BlockSize = 77, uint32(l.size), pgformat.PageSize
	}
	h.Encode(l.bytes[at-l.base:])
}

// put adds a record as it is, without touching it, and returns its LSN.
func (l *testLog) put(rec []byte) pgformat.LSN {
	if l.at.PageOffset() == 0 {
		l.page(l.at, 0, 0)
	}
	lsn := l.size.RecordStart(l.at)
	for at := lsn; ; {
		n := copy(l.bytes[at-l.base:][:pgformat.PageSize-at.PageOffset()], rec)
		if rec = rec[n:]; len(rec) == 0 {
			l.at = at + pgformat.LSN(pgformat.Align8(n))
			break
		}
		l.page(at.Page()+pgformat.PageSize, len(rec), 0)
		at = l.size.RecordStart(at.Page() + pgformat.PageSize)
	}
	l.lsns, l.ends, l.prev = append(l.lsns, lsn), append(l.ends, l.at), lsn
	return lsn
}

// add adds a record with link and CRC.
func (l *testLog) add(s pgformat.Spec) pgformat.LSN {
	rec := make([]byte, s.Len())
	s.Encode(rec, 0, &pgformat.Content{Pool: []byte("the quick brown fox jumps over the lazy dog")})
	return l.put(l.seal(rec))
}

func (l *testLog) seal(rec []byte) []byte {
	pgformat.PutPrev(rec, l.prev)
	pgformat.FinishCRC(rec, pgformat.CRC(0, rec[pgformat.RecordHeaderSize:]))
	return rec
}

// mainRecord is a record of total bytes, all main data; a few bytes less where
// no record has that length.
func mainRecord(total int) pgformat.Spec {
	s := pgformat.Spec{RMID: pgformat.RMHeap, Xid: 9, MainLen: max(total-pgformat.RecordHeaderSize, 0)}
	for s.MainLen > 0 && s.Len() > total {
		s.MainLen--
	}
	return s
}

// fillUntil adds records of some sizes until LSN end is reached.
func (l *testLog) fillUntil(end pgformat.LSN) {
	for i := 0; l.at < end; i++ {
		l.add(mainRecord([]int{64, 71, 8100, 167, 20000, 40}[i%6]))
	}
}

// segments cuts the log into files.
func (l *testLog) segments() []segment {
	var segs []segment
	for off := 0; off < len(l.bytes); off += int(l.size) {
		name := l.size.Name(1, l.size.Segno(l.base+pgformat.LSN(off)))
		segs = append(segs, segment{name, l.bytes[off : off+int(l.size)]})
	}
	return segs
}

func (l *testLog) fs(t testing.TB) vfs.FS { return memLog(t, l.segments()...) }

// control adds a control file to the log in the folder "wal".
func (l *testLog) control(t testing.TB, fsys vfs.FS, oldest, durable pgformat.LSN) {
	t.Helper()
	f, err := CreateControl(fsys, "wal", Control{
		SysID: 77, TLI: 1, SegSize: l.size, StartLSN: l.base + pgformat.LongHeaderSize,
		OldestLSN: oldest, DurableLSN: durable, RedoLSN: oldest,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// xorAt is one byte of the test ciphers' keystream.
func xorAt(at pgformat.LSN) byte { return byte(at>>3)*31 ^ byte(at>>11) ^ byte(at)*7 | 1 }

// positionDecoder undoes a toy cipher keyed by position: every byte behind the
// page header, or the header too.
type positionDecoder struct{ headers bool }

func (d positionDecoder) Page(_ uint32, at pgformat.LSN, page []byte) {
	from := testSegSize.HeaderSize(at)
	if d.headers {
		from = 0
	}
	for i := from; i < len(page); i++ {
		page[i] ^= xorAt(at + pgformat.LSN(i))
	}
}

func (positionDecoder) Record(uint32, pgformat.LSN, []byte) (int, error) { return 0, nil }

// encrypt encrypts the log up to where it is filled, as a design does that
// leaves unwritten places zero.
func (d positionDecoder) encrypt(l *testLog) {
	for at := l.base; at < l.at; at += pgformat.PageSize {
		page := l.bytes[at-l.base:][:pgformat.PageSize]
		d.Page(1, at, page)
		if l.at < at+pgformat.PageSize && !d.headers {
			clear(page[l.at-at:])
		}
	}
}

// recordDecoder undoes a toy cipher of record bodies that adds a trailer.
type recordDecoder struct{ trailer int }

func (recordDecoder) Page(uint32, pgformat.LSN, []byte) {}

func (d recordDecoder) Record(_ uint32, _ pgformat.LSN, rec []byte) (int, error) {
	body := rec[pgformat.RecordHeaderSize : len(rec)-d.trailer]
	for i := range body {
		body[i] ^= byte(i) | 1
	}
	return d.trailer, nil
}

// addEncrypted adds a record with a trailer and an encrypted body.
func (d recordDecoder) addEncrypted(l *testLog, s pgformat.Spec) {
	rec := make([]byte, s.LenWith(d.trailer))
	s.Encode(rec, d.trailer, nil)
	for i := range d.trailer {
		rec[len(rec)-1-i] = 0xC0
	}
	if _, err := d.Record(1, 0, rec); err != nil {
		panic(err) // the toy cipher has none
	}
	l.put(l.seal(rec))
}
