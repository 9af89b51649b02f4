package walsim

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// wantRecords wants the log to give back l's first n records.
func wantRecords(t *testing.T, o ReaderOptions, l *testLog, n int) Summary {
	t.Helper()
	i := 0
	sum, err := Recover(o, func(r RecoveredRecord) error {
		if i < n && (r.LSN != l.lsns[i] || r.EndLSN != l.ends[i]) {
			t.Errorf("record %d at %v to %v, want %v to %v", i, r.LSN, r.EndLSN, l.lsns[i], l.ends[i])
		}
		i++
		return nil
	})
	if err != nil || i != n {
		t.Errorf("%d records, error %v, want %d (%s)", i, err, n, sum.End.Reason)
	}
	return sum
}

func TestCleanEnds(t *testing.T) {
	exact := func(l *testLog, to pgformat.LSN) { // a record that ends exactly at LSN to
		l.add(mainRecord(64))
		l.add(mainRecord(int(to - l.at)))
	}
	tests := []struct {
		name string
		log  func(l *testLog)
		next pgformat.LSN
	}{
		{"in a page", func(l *testLog) { l.add(mainRecord(100)) }, 0x100000 + 40 + 104},
		{"8 bytes before the page end", func(l *testLog) { exact(l, 0x102000-8) }, 0x102000 - 8},
		{"page filled, next is zero", func(l *testLog) { exact(l, 0x102000) }, 0x102000},
		{"page filled, next has a header", func(l *testLog) {
			exact(l, 0x102000)
			l.page(0x102000, 0, 0)
		}, 0x102000 + 24},
		{"switch", func(l *testLog) {
			l.add(pgformat.Spec{RMID: pgformat.RMXLog, Info: pgformat.InfoXLogSwitch})
		}, 0x200000},
		{"page of an earlier use", func(l *testLog) {
			exact(l, 0x102000)
			l.page(0x102000, 0, 0)
			l.bytes[0x2000+10] = 0 // page address 0/00002000: segment 0
		}, 0x102000},
	}
	for _, tt := range tests {
		l := newTestLog()
		tt.log(l)
		sum := wantRecords(t, ReaderOptions{FS: l.fs(t), Dir: "wal"}, l, len(l.lsns))
		if sum.End.Kind != EndClean || sum.End.LSN != l.ends[len(l.ends)-1] || sum.End.Next != tt.next || sum.End.Reason != "" {
			t.Errorf("%s: %s, next %v (%s), want clean, %v", tt.name, endText(sum.End), sum.End.Next, sum.End.Reason, tt.next)
		}
	}
}

func TestRecordsOfAllSizesAndPlaces(t *testing.T) {
	l := newTestLog()
	for n := 24; n < 400; n++ {
		l.add(mainRecord(n))
	}
	for n := 8000; n < 8300; n += 3 {
		l.add(mainRecord(n))
	}
	l.add(mainRecord(1500000)) // over a whole segment and its borders
	l.fillUntil(0x300000 + 50000)
	sum := wantRecords(t, ReaderOptions{FS: l.fs(t), Dir: "wal"}, l, len(l.lsns))
	if sum.Segments != 3 || sum.End.Kind != EndClean {
		t.Errorf("%d segments, %s (%s)", sum.Segments, endText(sum.End), sum.End.Reason)
	}
}

func TestGoesOnBehindASwitch(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x120000)
	l.add(pgformat.Spec{RMID: pgformat.RMXLog, Info: pgformat.InfoXLogSwitch})
	l.at = 0x200000
	l.fillUntil(0x201000)
	sum := wantRecords(t, ReaderOptions{FS: l.fs(t), Dir: "wal"}, l, len(l.lsns))
	if sum.End.Kind != EndClean || sum.End.LSN != l.at {
		t.Errorf("%s, want clean at %v", endText(sum.End), l.at)
	}
}

// A record that a crashed server left half done, and overwrote later.
func TestDropsAnOverwrittenRecord(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x101000)
	start, prev := l.at, l.prev
	l.add(mainRecord(30000))
	l.lsns, l.ends, l.prev = l.lsns[:len(l.lsns)-1], l.ends[:len(l.ends)-1], prev
	clear(l.bytes[0x6000:]) // its rest never reached the disk
	l.at = 0x106000
	l.page(l.at, 0, pgformat.FirstIsOverwriteContRecord)
	l.at += pgformat.ShortHeaderSize
	l.add(pgformat.Spec{RMID: pgformat.RMXLog, Info: pgformat.InfoXLogOverwriteContRec, MainLen: 16})
	l.fillUntil(0x10A000)
	sum := wantRecords(t, ReaderOptions{FS: l.fs(t), Dir: "wal"}, l, len(l.lsns))
	lost := int64(0x106000 - start - (0x106000-start.Page()-pgformat.PageSize)/pgformat.PageSize*pgformat.ShortHeaderSize)
	if sum.End.Kind != EndClean || sum.SkippedBytes != lost {
		t.Errorf("%s (%s), skipped %d, want %d", endText(sum.End), sum.End.Reason, sum.SkippedBytes, lost)
	}
}

func TestDecryptingReader(t *testing.T) {
	tests := []struct {
		name string
		dec  strategies.Decoder
		log  func(l *testLog)
		kind EndKind
	}{
		{"position", positionDecoder{}, func(l *testLog) {
			l.fillUntil(0x208000)
			positionDecoder{}.encrypt(l)
		}, EndClean},
		{"position, page headers too", positionDecoder{headers: true}, func(l *testLog) {
			l.fillUntil(0x208000)
			l.add(mainRecord(int(l.at.Page()+pgformat.PageSize-l.at) - 8))
			for l.at.PageOffset() != 0 {
				l.add(mainRecord(24))
			}
			positionDecoder{headers: true}.encrypt(l)
		}, EndClean},
		{"record", recordDecoder{12}, func(l *testLog) {
			for i := range 3000 {
				recordDecoder{12}.addEncrypted(l, mainRecord(100+i))
			}
		}, EndClean},
	}
	for _, tt := range tests {
		l := newTestLog()
		tt.log(l)
		sum := wantRecords(t, ReaderOptions{FS: l.fs(t), Dir: "wal", Decoder: tt.dec}, l, len(l.lsns))
		if sum.End.Kind != tt.kind || sum.End.LSN != l.at {
			t.Errorf("%s: %s (%s), want %v at %v", tt.name, endText(sum.End), sum.End.Reason, tt.kind, l.at)
		}
	}
}

// With all of a page encrypted, a recycled segment's old pages can be told by
// what they were only.
func TestRecycledSegmentWithEncryptedPageHeaders(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x200000)
	for l.at.PageOffset() != 0 {
		l.add(mainRecord(24))
	}
	d := positionDecoder{headers: true}
	d.encrypt(l)
	segs := l.segments()
	segs = segs[:2]
	old := segment{testSegSize.Name(1, 3), segs[0].data}
	copy(segs[1].data[l.at-0x200000:], segs[0].data[l.at-0x200000:]) // recycled twice
	sum := wantRecords(t, ReaderOptions{FS: memLog(t, append(segs, old)...), Dir: "wal", Decoder: d}, l, len(l.lsns))
	if sum.End.Kind != EndClean {
		t.Errorf("%s (%s), want clean", endText(sum.End), sum.End.Reason)
	}
}

func TestRealBytes(t *testing.T) {
	d, l := recordDecoder{20}, newTestLog()
	real := 0
	for _, n := range []int{30, 100, 260, 280, 300, 9000} { // header growth at 256 among them
		s := mainRecord(n)
		real += s.Len()
		d.addEncrypted(l, s)
	}
	d.addEncrypted(l, pgformat.Spec{RMID: pgformat.RMXLog, Info: pgformat.InfoXLogNoop})
	sum, err := Recover(ReaderOptions{FS: l.fs(t), Dir: "wal", Decoder: d}, nil)
	if err != nil || sum.RealBytes != int64(real) || sum.AddedRecords != 1 || sum.Records != 7 {
		t.Errorf("%v: %+v, want %d real bytes and one added record of 7", err, sum.ReaderStats, real)
	}
}

func TestUnusableInput(t *testing.T) {
	unknown := seg11(t)
	unknown.data[0], unknown.data[1] = 0x20, 0xD1
	other := seg12(t)
	other.name = "000000020000000000000012"
	tests := []struct {
		name string
		fs   vfs.FS
		o    ReaderOptions
		want error
		says string
	}{
		{"empty folder", memLog(t), ReaderOptions{Dir: "wal"}, ErrNoSegments, ""},
		{"no folder", memLog(t), ReaderOptions{Dir: "nowhere"}, fs.ErrNotExist, ""},
		{"no file", memLog(t), ReaderOptions{Files: []string{"wal/000000010000000000000001"}}, fs.ErrNotExist, ""},
		{"no segment name", memLog(t, segment{"x", nil}), ReaderOptions{Files: []string{"wal/x"}}, pgformat.ErrSegmentName, ""},
		{"unknown magic", memLog(t, unknown), ReaderOptions{Dir: "wal"}, pgformat.ErrPageMagic, "0xd120"},
		{"zeros", memLog(t, segment{"000000010000000000000001", make([]byte, 1<<20)}), ReaderOptions{Dir: "wal"}, ErrNoHeader, ""},
		{"empty file", memLog(t, segment{"000000010000000000000001", nil}), ReaderOptions{Dir: "wal"}, ErrNoHeader, ""},
		{"two timelines by name", memLog(t, seg11(t), other),
			ReaderOptions{Files: []string{"wal/" + seg11(t).name, "wal/" + other.name}}, ErrTwoLogs, ""},
		{"same segment twice", memLog(t, seg11(t), segment{"x" + seg11(t).name, seg11(t).data}),
			ReaderOptions{Files: []string{"wal/" + seg11(t).name, "wal/x" + seg11(t).name}}, ErrTwoLogs, ""},
		{"name of another size", memLog(t, seg11(t), segment{"0000000100000000FFFFFFFF", nil}),
			ReaderOptions{Dir: "wal"}, ErrTwoLogs, ""},
		{"damaged control", memLog(t, seg11(t), segment{ControlName, make([]byte, 8192)}),
			ReaderOptions{Dir: "wal"}, ErrControl, ""},
	}
	for _, tt := range tests {
		tt.o.FS = tt.fs
		_, err := OpenReader(tt.o)
		if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line, %v", tt.name, err, tt.want)
		}
	}
}

// A folder may hold other things; other timelines are counted.
func TestFolderWithOtherFiles(t *testing.T) {
	other := seg12(t)
	other.name = "000000020000000000000012"
	fsys := memLog(t, seg11(t), seg12(t), other, segment{"000000010000000000000013.partial", []byte("x")},
		segment{"00000002.history", []byte("x")}, segment{"000000010000000000000013.tmp", nil})
	sum := readAll(t, fsys)
	if sum.Records != 652 || sum.OtherSegments != 1 || sum.Segments != 2 {
		t.Errorf("%+v", sum)
	}
}

func TestReadErrorIsReturned(t *testing.T) {
	for n := 1; n < 20; n += 3 {
		rule := vfs.Rule{Op: vfs.OpRead, Nth: n}
		fsys := vfs.NewFault(memLog(t, seg11(t), seg12(t)), rule)
		sum, err := Recover(ReaderOptions{FS: fsys, Dir: "wal"}, nil)
		if fsys.Count(vfs.OpRead) >= int64(n) && err == nil {
			t.Errorf("read %d failed: no error, %s", n, endText(sum.End))
		}
	}
}

func TestErrorOfCallbackStops(t *testing.T) {
	stop := errors.New("stop")
	n := 0
	_, err := Recover(ReaderOptions{FS: memLog(t, seg11(t)), Dir: "wal"}, func(RecoveredRecord) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 3 {
		t.Errorf("%v after %d records", err, n)
	}
}

func benchLog(t testing.TB, size int) vfs.FS {
	l := newSizedLog(16 << 20)
	image := pgformat.Spec{RMID: pgformat.RMHeap, Info: pgformat.InfoHeapHotUpdate, MainLen: 14, Blocks: []pgformat.Block{{
		Rel: pgformat.Rel{Spc: 1663, DB: 5, Node: 16384}, HasImage: true, ImageLen: 8000,
		ImageInfo: pgformat.ImageHasHole | pgformat.ImageApply, HoleOffset: 300, HoleLen: 192}}}
	for i := 0; l.at < l.base+pgformat.LSN(size); i++ {
		if i%100 == 0 {
			l.add(image)
		}
		l.add(mainRecord(100))
	}
	return l.fs(t)
}

func TestReadingAllocatesNothingPerRecord(t *testing.T) {
	r, err := OpenReader(ReaderOptions{FS: benchLog(t, 4<<20), Dir: "wal"})
	if err != nil {
		t.Fatal(err)
	}
	next := func() {
		if _, _, ok, err := r.Next(); !ok || err != nil {
			t.Fatalf("%t, %v", ok, err)
		}
	}
	for range 200 {
		next()
	}
	if n := testing.AllocsPerRun(10000, next); n != 0 {
		t.Errorf("%v allocations a record, want none", n)
	}
}

func BenchmarkReader(b *testing.B) {
	fsys := benchLog(b, 12<<20)
	sum := readAll(b, fsys)
	b.SetBytes(sum.StoredBytes)
	b.ReportAllocs()
	for b.Loop() {
		readAll(b, fsys)
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
