package walsim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

const seg11Start, seg12Start = pgformat.LSN(0x1100000), pgformat.LSN(0x1200000)

// covered says whether a change of the byte at LSN at must be noticed: it
// belongs to a record, or to the checked part of a page header.
func covered(rows []dumpRow, at pgformat.LSN) (row int, ok bool) {
	size := pgformat.MinSegmentSize
	if off := at.PageOffset(); off < size.HeaderSize(at) {
		return rowAt(rows, at.Page()), off < 20 || off >= 24
	}
	row = rowAt(rows, at)
	return row, row == len(rows) || at < size.Advance(rows[row].LSN, rows[row].Tot)
}

// rowAt is the record that covers LSN at; len(rows) for the one cut at the end.
func rowAt(rows []dumpRow, at pgformat.LSN) int {
	size := pgformat.MinSegmentSize
	for i := range rows {
		if at < size.Advance(rows[i].LSN, pgformat.Align8(rows[i].Tot)) {
			return i
		}
	}
	return len(rows)
}

// A flipped byte: what comes before is read, and it is damage if a later segment
// shows that the log went on, a torn end otherwise.
func TestFlippedByte(t *testing.T) {
	rows := readDump(t, "testdata/postgres/seg1mb_worst_waldump.txt.gz")
	segs := []segment{seg11(t), seg12(t)}
	for off := 40; off < 2<<20; off += 10007 {
		at := seg11Start + pgformat.LSN(off)
		row, ok := covered(rows, at)
		if !ok {
			continue
		}
		data := segs[off>>20].data
		data[off&(1<<20-1)] ^= 0xFF
		sum := readAll(t, memLog(t, segs...))
		data[off&(1<<20-1)] ^= 0xFF
		want := EndTorn
		if row < len(rows) && rows[row].LSN < seg12Start {
			want = EndDamaged
		}
		if sum.Records != int64(row) || sum.End.Kind != want {
			t.Errorf("byte %v: %d records, %s (%s), want %d, %v",
				at, sum.Records, endText(sum.End), sum.End.Reason, row, want)
		}
		checkDamage(t, sum.End, at)
	}
}

// checkDamage wants the damage to be at or before the changed byte, in the same
// record.
func checkDamage(t *testing.T, e End, at pgformat.LSN) {
	t.Helper()
	if e.Kind != EndDamaged {
		if e.Reason == "" || e.Damage != nil {
			t.Errorf("byte %v: no reason for %s", at, endText(e))
		}
		return
	}
	size := pgformat.MinSegmentSize
	tli, segno, err := size.ParseName(e.Damage.Segment)
	place := size.Start(segno) + pgformat.LSN(e.Damage.Offset)
	if err != nil || tli != 1 || place < e.LSN || place > at || e.Damage.Reason == "" {
		t.Errorf("byte %v: damage %+v (%v, %v)", at, e.Damage, place, err)
	}
}

func TestFlippedByteOfOneRecord(t *testing.T) {
	s11 := seg11(t)
	s11.data[0x6758+60] ^= 1 // in the UPDATE at 0/1106758, the 6th record
	sum := readAll(t, memLog(t, s11, seg12(t)))
	want := "damaged at 0/01106758 [000000010000000000000011 0x6758]"
	if sum.Records != 6 || endText(sum.End) != want || !strings.Contains(sum.End.Damage.Reason, "wrong CRC") {
		t.Errorf("%d records, %s (%s), want 6, %s", sum.Records, endText(sum.End), sum.End.Reason, want)
	}
	sum = readAll(t, memLog(t, s11))
	if sum.Records != 6 || sum.End.Kind != EndTorn || sum.End.Next != 0x1106758 {
		t.Errorf("alone: %d records, %s, want 6, torn", sum.Records, endText(sum.End))
	}
}

// A part of a middle segment that reads as zeros is damage too.
func TestZeroedPart(t *testing.T) {
	s11 := seg11(t)
	clear(s11.data[0x40000:0x41000])
	sum := readAll(t, memLog(t, s11, seg12(t)))
	if sum.End.Kind != EndDamaged || sum.End.Damage.Segment != s11.name || sum.End.Damage.Offset > 0x40000 {
		t.Errorf("%s (%s)", endText(sum.End), sum.End.Reason)
	}
}

func TestMissingSegment(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x420000)
	segs := l.segments()
	inSegment := func(n int) (records int) {
		for _, end := range l.ends {
			if end <= pgformat.LSN(n+1)<<20 {
				records++
			}
		}
		return records
	}
	tests := []struct {
		name   string
		segs   []segment
		last   int // records that can be read
		end    EndKind
		damage string
	}{
		{"middle", []segment{segs[0], segs[2], segs[3]}, inSegment(1), EndDamaged, "000000010000000000000002"},
		{"last but one", []segment{segs[0], segs[1], segs[3]}, inSegment(2), EndDamaged, "000000010000000000000003"},
		{"last", segs[:3], inSegment(3), EndTorn, ""},
		{"middle, and what follows is recycled", []segment{segs[0],
			{"000000010000000000000003", segs[0].data}}, inSegment(1), EndTorn, ""},
	}
	for _, tt := range tests {
		sum := readAll(t, memLog(t, tt.segs...))
		if sum.Records != int64(tt.last) || sum.End.Kind != tt.end || sum.End.LSN != l.ends[tt.last-1] ||
			tt.end == EndDamaged && (sum.End.Damage.Segment != tt.damage || sum.End.Damage.Offset != 0) {
			t.Errorf("%s: %d records, %s (%s), want %d, %v", tt.name, sum.Records, endText(sum.End), sum.End.Reason, tt.last, tt.end)
		}
	}
	files := []string{worst11, mix19}
	sum, err := Recover(ReaderOptions{FS: vfs.OS(), Files: files}, nil)
	if err != nil || sum.End.Kind != EndDamaged || sum.End.Damage.Segment != "000000010000000000000012" {
		t.Errorf("real segments: %v, %s", err, endText(sum.End))
	}
}

// A rotten length field costs no memory, wherever it stands.
func TestLyingLength(t *testing.T) {
	rows := readDump(t, "testdata/postgres/seg1mb_worst_waldump.txt.gz")
	last := len(rows) - 1
	for _, n := range []uint32{0, 1, 23, 0x3FBFFFFF, 0x3FFFFFFF, 0x7FFFFFFF, 0xFFFFFFFF} {
		for _, row := range []int{0, 100, last} {
			segs := []segment{seg11(t), seg12(t)}
			off := rows[row].LSN - seg11Start
			binary.LittleEndian.PutUint32(segs[off>>20].data[off&(1<<20-1):], n)
			fsys := memLog(t, segs...)
			var sum Summary
			used := allocated(func() { sum = readAll(t, fsys) })
			want := EndDamaged
			if row == last {
				want = EndTorn
			}
			if sum.Records != int64(row) || sum.End.Kind != want || used > 2<<20 {
				t.Errorf("length %#x in record %d: %d records, %s (%s), %d bytes allocated",
					n, row, sum.Records, endText(sum.End), sum.End.Reason, used)
			}
		}
	}
}

func TestTruncatedFiles(t *testing.T) {
	rows := readDump(t, "testdata/postgres/seg1mb_worst_waldump.txt.gz")
	sizes := []int{0, 1, 23, 24, 39, 40, 41, 100, 8191, 8192, 8193, 8215, 8216, 8217, 123456, 500001, 1<<20 - 1}
	whole := func(end pgformat.LSN) (n int64) {
		for _, r := range rows {
			if pgformat.MinSegmentSize.Advance(r.LSN, r.Tot) <= end {
				n++
			}
		}
		return n
	}
	for _, size := range sizes {
		s := seg12(t)
		s.data = s.data[:size]
		sum := readAll(t, memLog(t, seg11(t), s))
		if want := whole(seg12Start + pgformat.LSN(size)); sum.Records != want || sum.End.Kind != EndTorn {
			t.Errorf("last cut to %d: %d records, %s (%s), want %d, torn",
				size, sum.Records, endText(sum.End), sum.End.Reason, want)
		}
		s = seg11(t)
		s.data = s.data[:size]
		sum = readAll(t, memLog(t, s, seg12(t)))
		if want := whole(seg11Start + pgformat.LSN(size)); sum.Records != want || sum.End.Kind != EndDamaged ||
			sum.End.Damage.Segment != s.name || sum.End.Damage.Offset > int64(size) {
			t.Errorf("middle cut to %d: %d records, %s (%s), want %d, damaged",
				size, sum.Records, endText(sum.End), sum.End.Reason, want)
		}
	}
}

// A compressed file that is cut or damaged ends where its last good byte is.
func TestDamagedCompression(t *testing.T) {
	zipped, err := vfs.ReadFile(vfs.OS(), worst12, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	name := seg12(t).name + ".gz"
	for _, n := range []int{0, 3, 4, 9, 10, 500, 60000, len(zipped) - 5, len(zipped)} {
		sum := readAll(t, memLog(t, seg11(t), segment{name, zipped[:n]}))
		if sum.Records < 256 || sum.End.Kind != EndTorn || n == len(zipped) && sum.Records != 652 {
			t.Errorf("%d bytes: %d records, %s (%s)", n, sum.Records, endText(sum.End), sum.End.Reason)
		}
	}
	broken := bytes.Clone(zipped)
	broken[60000] ^= 0x55
	sum := readAll(t, memLog(t, seg11(t), segment{name, broken}))
	if sum.Records == 652 || sum.End.Kind != EndTorn {
		t.Errorf("flipped bit: %d records, %s", sum.Records, endText(sum.End))
	}
}

// With a control file the durable point decides, and nothing else.
func TestEndsByControlFile(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x380000)
	n := len(l.lsns)
	tests := []struct {
		name    string
		oldest  pgformat.LSN
		durable pgformat.LSN
		change  func(segs []segment) []segment
		records int
		end     EndKind
		damage  string
	}{
		{name: "whole", durable: l.at, records: n, end: EndClean},
		{name: "unwritten below durable", durable: l.at + 8, records: n, end: EndDamaged, damage: "000000010000000000000003"},
		{name: "flip below durable", durable: l.ends[50], records: 50, end: EndDamaged, damage: "000000010000000000000001",
			change: flipAt(l.lsns[50] + 30)},
		{name: "flip at durable", durable: l.ends[49], records: 50, end: EndTorn, change: flipAt(l.lsns[50] + 30)},
		{name: "segment missing at durable", durable: l.ends[recordAt(l, 0x200000)-1],
			records: recordAt(l, 0x200000), end: EndTorn, change: without(1)},
		{name: "segment missing below durable", durable: 0x210000,
			records: recordAt(l, 0x200000), end: EndDamaged, damage: "000000010000000000000002", change: without(1)},
		{name: "oldest segment missing", durable: 0x210000, end: EndDamaged, damage: "000000010000000000000001", change: without(0)},
		{name: "earlier segment not needed", oldest: 0x200000, durable: 0x210000, change: without(0),
			records: n - recordAt(l, 0x200000) - 1, end: EndClean},
		{name: "broken below oldest", oldest: l.lsns[60], durable: l.at, change: flipAt(l.lsns[50] + 30),
			records: n - 10, end: EndClean},
		{name: "nothing there", durable: l.lsns[0], change: without(0, 0, 0), end: EndClean},
		{name: "nothing there but should", durable: l.ends[0], change: without(0, 0, 0), end: EndDamaged,
			damage: "000000010000000000000001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			segs := l.segments()
			for i := range segs {
				segs[i].data = bytes.Clone(segs[i].data)
			}
			if tt.change != nil {
				segs = tt.change(segs)
			}
			fsys := memLog(t, segs...)
			if tt.oldest == 0 {
				tt.oldest = l.lsns[0]
			}
			l.control(t, fsys, tt.oldest, tt.durable)
			sum := readAll(t, fsys)
			if sum.Records != int64(tt.records) || sum.End.Kind != tt.end ||
				tt.damage != "" && sum.End.Damage.Segment != tt.damage {
				t.Errorf("%d records, %s (%s), want %d, %v %s",
					sum.Records, endText(sum.End), sum.End.Reason, tt.records, tt.end, tt.damage)
			}
		})
	}
}

// recordAt is how many records end at or below LSN at.
func recordAt(l *testLog, at pgformat.LSN) (n int) {
	for n < len(l.ends) && l.ends[n] <= at {
		n++
	}
	return n
}

func flipAt(at pgformat.LSN) func([]segment) []segment {
	return func(segs []segment) []segment {
		segs[at>>20-1].data[at&(1<<20-1)] ^= 1
		return segs
	}
}

// without removes segments one after the other, by index.
func without(index ...int) func([]segment) []segment {
	return func(segs []segment) []segment {
		for _, i := range index {
			segs = append(segs[:i:i], segs[i+1:]...)
		}
		return segs
	}
}

// A log that starts inside a segment has filler before its start; nothing has
// been written behind it yet.
func TestEmptyLogInsideASegment(t *testing.T) {
	l := newTestLog()
	start := pgformat.LSN(0x105100)
	l.page(0x100000, int(pgformat.PageSize-40+0x3000-24*2+0x1100-24), 0)
	l.page(0x102000, 0x2000-24+0x1100-24, 0)
	for _, withPage := range []bool{false, true} {
		if withPage {
			l.page(0x104000, 0x1100-24, 0)
		}
		fsys := l.fs(t)
		l.control(t, fsys, start, start)
		sum := readAll(t, fsys)
		if sum.Records != 0 || endText(sum.End) != "clean at 0/00105100" {
			t.Errorf("%t: %s (%s)", withPage, endText(sum.End), sum.End.Reason)
		}
	}
}

// Wrong page headers behind the first record are noticed, each kind of them.
func TestPageHeaderChecks(t *testing.T) {
	tests := []struct {
		name  string
		page  int
		apply func(page []byte)
		says  string
	}{
		{"magic", 3, func(p []byte) { p[0] = 0x13 }, "magic"},
		{"flags", 3, func(p []byte) { p[2] |= 0x40 }, "flags"},
		{"long header inside", 3, func(p []byte) { p[2] |= 2; copy(p[36:], []byte{0, 32, 0, 0}) }, "long page header"},
		{"timeline", 3, func(p []byte) { p[4] = 2 }, "timeline"},
		{"address", 3, func(p []byte) { p[13] = 1 }, "page address"},
		{"rest length", 3, func(p []byte) { p[16]++ }, "want"},
		{"no rest", 3, func(p []byte) { p[2] &^= 1 }, "does not continue"},
		{"rest of nothing", 3, func(p []byte) { clear(p[16:20]) }, "0 bytes"},
		{"system id", 128, func(p []byte) { p[24]++ }, "system id"},
		{"segment size", 128, func(p []byte) { p[34] = 0x20 }, "segment size"},
		{"page size", 128, func(p []byte) { p[37] = 0x40 }, "block size"},
		{"short header at a segment's start", 128, func(p []byte) { p[2] &^= 2 }, "long page header"},
	}
	for _, tt := range tests {
		l := newTestLog()
		for l.at < 0x210000 {
			l.add(mainRecord(5000))
		}
		tt.apply(l.bytes[tt.page*pgformat.PageSize:])
		sum := readAll(t, l.fs(t))
		want := recordAt(l, l.base+pgformat.LSN(tt.page*pgformat.PageSize))
		if sum.End.Kind == EndClean || sum.Records != int64(want) || !strings.Contains(sum.End.Reason, tt.says) {
			t.Errorf("%s: %d records, %s (%s), want %d", tt.name, sum.Records, endText(sum.End), sum.End.Reason, want)
		}
	}
}

// badDecoder fails to decrypt, or reports nonsense, for one record.
type badDecoder struct {
	at      pgformat.LSN
	trailer int
	err     error
}

func (badDecoder) Page(uint32, pgformat.LSN, []byte) {}

func (d badDecoder) Record(_ uint32, at pgformat.LSN, _ []byte) (int, error) {
	if at == d.at {
		return d.trailer, d.err
	}
	return 0, nil
}

func TestRecordsThatCannotBeDecrypted(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x120000)
	for _, d := range []badDecoder{
		{at: l.lsns[7], err: fmt.Errorf("no such key")}, {at: l.lsns[7], trailer: 90000}, {at: l.lsns[7], trailer: -1},
	} {
		sum := wantRecords(t, ReaderOptions{FS: l.fs(t), Dir: "wal", Decoder: d}, l, 7)
		if sum.End.Kind != EndTorn || sum.End.Next != l.lsns[7] {
			t.Errorf("%+v: %s (%s)", d, endText(sum.End), sum.End.Reason)
		}
	}
}
