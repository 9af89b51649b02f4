package loadgen

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

const mixSegment = "testdata/seg1mb_mix_000000010000000000000019.gz"

// unpack is the content of a gzip file.
func unpack(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dumped is one record as pg_waldump printed it.
type dumped struct {
	kind   string
	length int
	xid    uint32
}

func waldump(t *testing.T, file string) (all []dumped) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(unpack(t, file)))
	for lines.Scan() {
		line := strings.TrimPrefix(lines.Text(), "rmgr: ")
		if line == lines.Text() {
			continue // a block reference
		}
		rmgr, rest, _ := strings.Cut(line, " ")
		var d dumped
		var rec int
		if _, err := fmt.Sscanf(strings.TrimSpace(rest), "len (rec/tot): %d/ %d, tx: %d,", &rec, &d.length, &d.xid); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		_, desc, _ := strings.Cut(line, "desc: ")
		typ, _, _ := strings.Cut(desc, " ")
		d.kind = rmgr + "/" + strings.TrimSpace(typ)
		all = append(all, d)
	}
	return all
}

// wantTransactions groups the dump by hand: 787 and 788 are subtransactions of
// 786, in every other case an id is a transaction.
func wantTransactions(records []dumped) (want [][]dumped) {
	open, pending := map[uint32][]dumped{}, []dumped(nil)
	for _, d := range records {
		if d.kind == "XLOG/SWITCH" {
			continue
		}
		pending = append(pending, d)
		if d.xid == 0 {
			continue
		}
		top := d.xid
		if top == 787 || top == 788 {
			top = 786
		}
		open[top] = append(open[top], pending...)
		pending = nil
		if d.kind == "Transaction/COMMIT" {
			want = append(want, open[top])
		}
	}
	return want
}

func TestWALAgainstWaldump(t *testing.T) {
	w := open(t, "wal:"+mixSegment).(*WAL)
	want := wantTransactions(waldump(t, "testdata/seg1mb_mix_waldump.txt.gz"))
	if w.Records() != 193-1 || w.RealBytes() != 176348-24 || w.Transactions() != len(want) {
		t.Errorf("%d records, %d bytes, %d transactions, want 192, 176324, %d", w.Records(), w.RealBytes(), w.Transactions(), len(want))
	}
	if notes := []string{"wal:" + mixSegment + ": 1 XLOG/SWITCH records left out"}; !slices.Equal(w.Notes(), notes) || w.UnitsWithoutCommit() {
		t.Errorf("notes %q, units without commit %t, want %q, false", w.Notes(), w.UnitsWithoutCommit(), notes)
	}
	s := source(w, 0, 1, 1)
	for i, transaction := range want {
		var got []dumped
		for _, rec := range transactionsOf(s, 1).records {
			p := parse(t, rec)
			if !pgformat.CheckCRC(rec) {
				t.Errorf("transaction %d: a record has been changed", i)
			}
			// pg_waldump prints INVALIDATION for what its own filters call INVALIDATIONS.
			typ := strings.TrimSuffix(pgformat.RecordType(15, p.Header.RMID, p.Header.Info), "S")
			got = append(got, dumped{pgformat.RMName(p.Header.RMID) + "/" + typ, len(rec), p.Header.Xid})
		}
		for k := range transaction {
			transaction[k].kind = strings.TrimSuffix(transaction[k].kind, "S")
		}
		if diff := cmp.Diff(transaction, got, cmp.AllowUnexported(dumped{})); diff != "" {
			t.Errorf("transaction %d: %s", i, diff)
		}
	}
}

func TestWALFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "000000010000000000000019"), unpack(t, mixSegment), 0o600); err != nil {
		t.Fatal(err)
	}
	a, b := open(t, "wal:"+dir).(*WAL), open(t, "wal:"+mixSegment).(*WAL)
	if transactionsOf(source(a, 0, 1, 1), a.Transactions()).hash() != transactionsOf(source(b, 0, 1, 1), b.Transactions()).hash() {
		t.Error("the same segment as a file and in a folder gives different records")
	}
}

func TestWALProblems(t *testing.T) {
	dir := t.TempDir()
	segment := filepath.Join(dir, "000000010000000000000019")
	noise := filepath.Join(dir, "00000001000000000000001A")
	for file, content := range map[string][]byte{
		segment: unpack(t, mixSegment), noise: bytes.Repeat([]byte("x"), 1<<20),
	} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, open string
		o          Options
		want       []string
		input      bool
	}{
		{"missing", "wal:" + dir + "/no", Options{FS: vfs.OS()}, []string{dir + "/no: no such file or directory"}, true},
		{"no name", "wal:", Options{FS: vfs.OS()}, []string{"wal:: want a segment file or a folder of them behind the colon"}, true},
		{"empty folder", "wal:" + t.TempDir(), Options{FS: vfs.OS()}, []string{"segment"}, true},
		{"not a log", "wal:" + noise, Options{FS: vfs.OS()}, []string{noise}, true},
		{"too much", "wal:" + segment, Options{FS: vfs.OS(), MaxWALBytes: 20_000},
			[]string{segment, "more than 20000 bytes of records up to 0/019", "pass fewer segments"}, true},
		{"failing disk", "wal:" + segment, Options{FS: vfs.NewFault(vfs.OS(), vfs.Rule{Op: vfs.OpRead, Nth: 2, Sticky: true})},
			[]string{"read " + segment}, false},
	} {
		_, err := Open(c.open, c.o)
		if err == nil || errors.Is(err, ErrInput) != c.input {
			t.Errorf("%s: %v, unusable input %t, want %t", c.name, err, errors.Is(err, ErrInput), c.input)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %q, want one line with %q", c.name, err, part)
			}
		}
	}
}

// A log that walbench itself wrote, then cut or damaged.
func TestWALTornAndDamaged(t *testing.T) {
	fsys := vfs.NewMem()
	end := writeLog(t, fsys, "log", 30)
	w, err := Open("wal:log", Options{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.(*WAL); got.Records() != 60 || got.Transactions() != 30 || got.RealBytes() != 30*(71+34) {
		t.Errorf("%d records in %d transactions, want 60 in 30", got.Records(), got.Transactions())
	}
	name := "log/" + pgformat.MinSegmentSize.Name(1, 1)
	flip(t, fsys, name, pgformat.MinSegmentSize.Offset(end)-10) // in front of the padding
	torn, err := Open("wal:log", Options{FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(torn.Notes(), "; ")
	if got := torn.(*WAL); got.Records() != 59 || !strings.Contains(notes, "the log is cut at") {
		t.Errorf("torn: %d records, notes %q, want 59 and one about the cut", got.Records(), notes)
	}
	control, err := walsim.LoadControl(fsys, "log")
	if err != nil {
		t.Fatal(err)
	}
	control.DurableLSN = end
	if err := fsys.Remove("log/" + walsim.ControlName); err != nil {
		t.Fatal(err)
	}
	file, err := walsim.CreateControl(fsys, "log", control)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = Open("wal:log", Options{FS: fsys})
	if err == nil || !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "damaged at") ||
		!strings.Contains(err.Error(), pgformat.MinSegmentSize.Name(1, 1)) {
		t.Errorf("damaged: %v, want an error that names the segment", err)
	}
}

// writeLog writes transactions of the insert workload to a log in dir and
// returns its end.
func writeLog(t *testing.T, fsys vfs.FS, dir string, transactions int) (end pgformat.LSN) {
	t.Helper()
	s := open(t, "insert").Source(SourceOptions{Updaters: 1, Seed: 1})
	withLog(t, walsim.Options{FS: fsys, Dir: dir}, func(p simtime.Proc, l *walsim.Log) error {
		u := l.Updater(p, 0)
		for range transactions {
			s.Next()
			var err error
			if end, err = u.Commit(s); err != nil {
				return err
			}
		}
		return nil
	})
	return end
}

// withLog runs f with a new unencrypted log of 1 MB segments.
func withLog(t testing.TB, o walsim.Options, f func(p simtime.Proc, l *walsim.Log) error) {
	t.Helper()
	design, err := strategies.Lookup("none")
	if err != nil {
		t.Fatal(err)
	}
	o.Design, o.Master = design, strategies.NewMasterKey()
	o.SysID, o.SegmentSize, o.Updaters = 1, pgformat.MinSegmentSize, max(o.Updaters, 1)
	simtime.NewReal().Run("test", func(p simtime.Proc) {
		l, err := walsim.Create(p, o)
		if err != nil {
			t.Error(err)
			return
		}
		if err := errors.Join(f(p, l), l.Close(p)); err != nil {
			t.Error(err)
		}
	})
}

func flip(t *testing.T, fsys vfs.FS, name string, at int64) {
	t.Helper()
	f, err := fsys.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
}
