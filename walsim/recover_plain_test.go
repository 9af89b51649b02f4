package walsim

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// A log that is not encrypted comes out byte for byte, up to its end.
func TestPlainCopyOfRealSegments(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		end   pgformat.LSN
		first pgformat.LSN
	}{
		{"worst case", []string{worst11, worst12}, 0x12FF978, 0x1100000},
		{"mixed", []string{mix19}, 0x192B648, 0x1900000},
		{"begins inside a record", []string{pg18C, pg18D}, 0xDFFE18, 0xC00000},
	}
	for _, tt := range tests {
		out := t.TempDir() + "/out"
		sum, err := WritePlain(ReaderOptions{FS: vfs.OS(), Files: tt.files}, out)
		if err != nil || sum.End.LSN != tt.end {
			t.Fatalf("%s: %v, end %v, want %v", tt.name, err, sum.End.LSN, tt.end)
		}
		infos, err := vfs.OS().ReadDir(out)
		if err != nil || len(infos) != len(tt.files) {
			t.Errorf("%s: %d files, %v", tt.name, len(infos), err)
		}
		for i, in := range tt.files {
			want := unzip(t, in)
			start := tt.first + pgformat.LSN(i)<<20
			if end := int64(tt.end) - int64(start); end < int64(len(want)) {
				clear(want[end:])
			}
			name := pgformat.MinSegmentSize.Name(1, pgformat.MinSegmentSize.Segno(start))
			if got := readFile(t, vfs.OS(), out+"/"+name); !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs", tt.name, name)
			}
		}
	}
}

// plainImage is what the log l looks like decrypted, up to LSN end.
func plainImage(l *testLog, end pgformat.LSN) []byte {
	img := bytes.Clone(l.bytes)
	clear(img[end-l.base:])
	return img
}

func TestPlainCopyOfEncryptedLogs(t *testing.T) {
	build := func(l *testLog) { l.fillUntil(0x20A000) }
	plain := newTestLog()
	build(plain)
	for _, d := range []positionDecoder{{}, {headers: true}} {
		l := newTestLog()
		build(l)
		d.encrypt(l)
		sum, got := checkPlain(t, l, d)
		if sum.End.LSN != plain.at {
			t.Errorf("%+v: %s", d, endText(sum.End))
		}
		if !bytes.Equal(got, plainImage(plain, plain.at)) {
			t.Errorf("%+v: plain copy differs from the log written plain", d)
		}
	}
	l, d := newTestLog(), recordDecoder{12}
	for i := range 900 {
		d.addEncrypted(l, mainRecord(24+i*3))
	}
	if _, got := checkPlain(t, l, d); !bytes.Contains(got, bytes.Repeat([]byte{0xC0}, 12)) {
		t.Error("the trailer is not what was stored")
	}
}

// checkPlain writes the plain copy of l and wants to read the same records from
// it, with right CRCs, as from l. It returns all of the copy's bytes.
func checkPlain(t *testing.T, l *testLog, dec strategies.Decoder) (Summary, []byte) {
	t.Helper()
	fsys := l.fs(t)
	l.control(t, fsys, l.lsns[0], l.ends[3])
	var want, got []string
	collect := func(to *[]string) func(RecoveredRecord) error {
		return func(r RecoveredRecord) error {
			*to = append(*to, fmt.Sprintf("%v %v %x", r.LSN, r.EndLSN, r.Rec[pgformat.RecordHeaderSize:]))
			return nil
		}
	}
	if _, err := Recover(ReaderOptions{FS: fsys, Dir: "wal", Decoder: dec}, collect(&want)); err != nil {
		t.Fatal(err)
	}
	sum, err := WritePlain(ReaderOptions{FS: fsys, Dir: "wal", Decoder: dec}, "out")
	if err != nil {
		t.Fatal(err)
	}
	again, err := Recover(ReaderOptions{FS: fsys, Dir: "out"}, collect(&got))
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") || again.End.LSN != sum.End.LSN {
		t.Errorf("%v: the copy has %d records up to %v, want %d up to %v (%s)",
			err, len(got), again.End.LSN, len(want), sum.End.LSN, again.End.Reason)
	}
	if _, err := LoadControl(fsys, "out"); err != nil {
		t.Error(err)
	}
	var all []byte
	for _, s := range l.segments() {
		all = append(all, readFile(t, fsys, "out/"+s.name)...)
	}
	return sum, all
}

// Of a torn record and of what was skipped behind a switch nothing is left.
func TestPlainCopyLeavesOutWhatIsNoRecord(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x120000)
	l.add(pgformat.Spec{RMID: pgformat.RMXLog, Info: pgformat.InfoXLogSwitch})
	switched := l.at
	for i := switched; i < 0x200000; i++ {
		l.bytes[i-l.base] = 0xAB // PostgreSQL leaves zeros; whatever stands there goes
	}
	l.at = 0x200000
	l.fillUntil(0x209000)
	end := l.at
	l.add(mainRecord(50000))
	l.bytes[l.at-l.base-20] ^= 1
	l.lsns, l.ends = l.lsns[:len(l.lsns)-1], l.ends[:len(l.ends)-1]
	l.bytes = l.bytes[:2<<20]
	want := plainImage(l, end)
	clear(want[switched-l.base : 0x100000])
	sum, got := checkPlain(t, l, nil)
	if sum.End.Kind != EndTorn || sum.End.LSN != end {
		t.Errorf("%s, want torn at %v", endText(sum.End), end)
	}
	if !bytes.Equal(got, want) {
		t.Error("plain copy differs")
	}
}

func TestPlainCopyRefusesAFullFolder(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x110000)
	fsys := l.fs(t)
	if _, err := WritePlain(ReaderOptions{FS: fsys, Dir: "wal"}, "wal"); !errors.Is(err, ErrOutput) {
		t.Errorf("%v, want ErrOutput", err)
	}
	if sum := readAll(t, fsys); sum.Records != int64(len(l.lsns)) {
		t.Error("the log has been touched")
	}
}

// Whatever fails while the copy is made: an error, no half a segment under a
// final name, no temporary file.
func TestPlainCopyFailsCleanly(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x208000)
	inner := l.fs(t)
	times := map[vfs.Op]int{ // how often each happens in the output folder
		vfs.OpOpen: 2, vfs.OpWrite: 2, vfs.OpShortWrite: 2, vfs.OpSync: 2, vfs.OpTruncate: 2,
		vfs.OpRename: 2, vfs.OpClose: 2, vfs.OpSyncDir: 2, vfs.OpMkdir: 1, vfs.OpReadDir: 1,
	}
	for op, last := range times {
		for nth := 1; nth <= last; nth++ {
			out := fmt.Sprintf("out-%v-%d", op, nth)
			fsys := vfs.NewFault(inner, vfs.Rule{Op: op, Path: out, Nth: nth})
			if _, err := WritePlain(ReaderOptions{FS: fsys, Dir: "wal"}, out); err == nil {
				t.Errorf("%s: no error", out)
			}
			infos, _ := inner.ReadDir(out)
			for _, info := range infos {
				if strings.HasSuffix(info.Name, ".tmp") || info.Size != int64(testSegSize) {
					t.Errorf("%s: %s of %d bytes left", out, info.Name, info.Size)
				}
			}
		}
	}
}

// A plain copy's segments are synced before they get their names, and the
// folder after.
func TestPlainCopyIsDurable(t *testing.T) {
	l := newTestLog()
	l.fillUntil(0x208000)
	fsys := vfs.NewFault(l.fs(t))
	var ops []string
	fsys.Observe(func(op vfs.Op, name string) {
		if op == vfs.OpSync || op == vfs.OpRename || op == vfs.OpSyncDir {
			ops = append(ops, op.String())
		}
	})
	if _, err := WritePlain(ReaderOptions{FS: fsys, Dir: "wal"}, "out"); err != nil {
		t.Fatal(err)
	}
	one := fmt.Sprintf("%v %v %v ", vfs.OpSync, vfs.OpRename, vfs.OpSyncDir)
	if got := strings.Join(ops, " ") + " "; got != one+one {
		t.Errorf("%q, want %q twice", got, one)
	}
}
