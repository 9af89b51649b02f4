package loadgen

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// traceFacts are facts of the traces in testdata, counted in the files by other
// means (zcat and awk).
var traceFacts = []struct {
	name                               string
	records, transactions              int
	realBytes, imageBytes              int64
	images, blocks, first, last, units int
	notes                              []string
}{
	{"embedded", 2647, 14, 1539086, 1366900, 172, 2648, 201, 200, 0, nil},
	{"testdata/copy.csv.gz", 1679, 1, 10299330, 7988, 1, 1678, 1679, 1679, 0, nil},
	{"testdata/ctas_cut.csv.gz", 1050, 11, 492866, 345024, 50, 1044, 100, 50, 1, []string{"no commit in it: every 100 records are one unit"}},
	{"testdata/oltp_tpcb_ckpt_8c_cut.csv.gz", 2000, 271, 3855481, 3707916, 479, 1971, 8, 21, 0, []string{"21 records of transactions that do not end in it form one transaction"}},
	{"testdata/small_insert_1c.csv.gz", 2956, 1478, 155190, 0, 0, 1478, 2, 2, 0, nil},
	{"testdata/vacuum_full.csv.gz", 1696, 1, 12651309, 12557048, 1562, 1689, 1696, 1696, 0, nil},
	{"testdata/worst_hot_ff50_1c_cut.csv.gz", 2000, 20, 7888036, 7758660, 1885, 1981, 101, 37, 0, []string{"37 records of transactions that do not end in it form one transaction"}},
}

func TestTraceFacts(t *testing.T) {
	for _, c := range traceFacts {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, "trace:"+c.name).(*Trace)
			if w.Records() != c.records || w.RealBytes() != c.realBytes || w.Transactions() != c.transactions {
				t.Errorf("%d records, %d bytes, %d transactions, want %d, %d, %d",
					w.Records(), w.RealBytes(), w.Transactions(), c.records, c.realBytes, c.transactions)
			}
			if len(w.deals.at(0)) != c.first || len(w.deals.at(c.transactions-1)) != c.last {
				t.Errorf("first and last transaction have %d and %d records, want %d and %d",
					len(w.deals.at(0)), len(w.deals.at(c.transactions-1)), c.first, c.last)
			}
			if w.UnitsWithoutCommit() != (c.units > 0) || !slices.Equal(w.notes, c.notes) {
				t.Errorf("units without commit %t, notes %q, want %t, %q", w.UnitsWithoutCommit(), w.notes, c.units > 0, c.notes)
			}
			checkReplay(t, w, c.images, c.blocks, c.imageBytes)
		})
	}
}

// checkReplay builds every transaction once and checks each record as it comes
// out against its row.
func checkReplay(t *testing.T, w *Trace, images, blocks int, imageBytes int64) {
	t.Helper()
	if err := coversOnce(&w.deals, w.Records()); err != nil {
		t.Error(err)
	}
	s := source(w, 0, 1, 1)
	for i := range w.Transactions() {
		got := transactionsOf(s, 1)
		rows := w.deals.at(i)
		if len(got.records) != len(rows) {
			t.Fatalf("transaction %d: %d records, want %d", i, len(got.records), len(rows))
		}
		for j, rec := range got.records {
			row := &w.table.rows[rows[j]]
			p := parse(t, rec)
			if len(rec) != int(row.length) || p.ImageBytes != int(row.imageBytes) || p.Images != int(row.images) ||
				len(p.Blocks) != int(row.blocks) || p.Header.RMID != row.rmid || p.Header.Info != row.info {
				t.Fatalf("row %d became a record of %d bytes, %d image bytes, %d images, %d blocks, kind %d/%#x, want %+v",
					rows[j], len(rec), p.ImageBytes, p.Images, len(p.Blocks), p.Header.RMID, p.Header.Info, row)
			}
			images, blocks, imageBytes = images-p.Images, blocks-len(p.Blocks), imageBytes-int64(p.ImageBytes)
		}
	}
	if images != 0 || blocks != 0 || imageBytes != 0 {
		t.Errorf("%d images, %d blocks, %d image bytes are missing", images, blocks, imageBytes)
	}
}

// A folder of more traces may be named in the environment: all of its trace
// files must replay to their recorded lengths and LSNs.
func TestMoreTraces(t *testing.T) {
	dir := os.Getenv("WALBENCH_TRACES")
	if dir == "" {
		t.Skip("WALBENCH_TRACES names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.csv.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces in %s (%v)", dir, err)
	}
	records := 0
	for _, file := range files {
		w := open(t, "trace:"+file).(*Trace)
		images, blocks, imageBytes := 0, len(w.table.blocks), int64(0)
		for i := range w.table.rows {
			images += int(w.table.rows[i].images)
			imageBytes += int64(w.table.rows[i].imageBytes)
		}
		checkReplay(t, w, images, blocks, imageBytes)
		e, err := w.Exact(1)
		if err != nil {
			t.Error(err)
			continue
		}
		records += w.Records()
		t.Logf("%s: %d records, %d transactions, segments of %d bytes, notes %q",
			filepath.Base(file), w.Records(), w.Transactions(), e.SegmentSize(), w.Notes())
	}
	t.Logf("%d records in all", records)
}

func TestTraceDealsWholeTransactions(t *testing.T) {
	w := open(t, "trace:embedded").(*Trace)
	var alone [][32]byte
	one := source(w, 0, 1, 1)
	sizes := func(r *recorder) (n int) {
		for _, rec := range r.records {
			n += len(rec)
		}
		return n
	}
	lengths := make([]int, w.Transactions())
	for i := range lengths {
		r := transactionsOf(one, 1)
		lengths[i] = sizes(r)
		alone = append(alone, r.hash())
	}
	for u := range 3 {
		s := source(w, u, 3, 1)
		for k := range 10 { // beyond the end: it starts again
			r := transactionsOf(s, 1)
			if want := (u + 3*k) % w.Transactions(); sizes(r) != lengths[want] {
				t.Errorf("updater %d, transaction %d: %d bytes, want the %d of transaction %d", u, k, sizes(r), lengths[want], want)
			}
		}
	}
	// Starting again repeats the shape, not the content.
	if again := transactionsOf(one, 1); sizes(again) != lengths[0] || again.hash() == alone[0] {
		t.Errorf("the trace started again with %d bytes, want %d and other content", sizes(again), lengths[0])
	}
}

func TestTraceFileProblems(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(file, []byte(header+goodRow), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := vfs.NewFault(vfs.OS(), vfs.Rule{Op: vfs.OpRead})
	for _, c := range []struct {
		name  string
		open  string
		fsys  vfs.FS
		want  string
		input bool
	}{
		{"missing", "trace:" + file + "x", vfs.OS(), file + "x: no such file or directory", true},
		{"folder", "trace:" + dir, vfs.OS(), dir + ": want a trace file, not a folder", true},
		{"no name", "trace:", vfs.OS(), "trace:: want the name of a trace file behind the colon", true},
		{"failing disk", "trace:" + file, broken, "read " + file + ": ", false},
	} {
		_, err := Open(c.open, Options{FS: c.fsys})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || errors.Is(err, ErrInput) != c.input {
			t.Errorf("%s: %v (unusable input: %t), want %s (%t)", c.name, err, errors.Is(err, ErrInput), c.want, c.input)
		}
	}
	if _, err := Open("trace:"+file, Options{FS: vfs.OS()}); err != nil {
		t.Errorf("a good trace: %v", err)
	}
}

func TestTraceNotesGapsAndSwitches(t *testing.T) {
	rows := header +
		"0/28,0/70,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n" +
		"0/78,0/A0,3,Transaction,COMMIT,34,8,0,0,\n" + // gap
		"0/A0,0/100000,0,XLOG,SWITCH,24,0,0,0,\n" +
		"0/100028,0/100070,4,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n"
	w, err := loadTrace("trace:t", "t", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"trace:t: 1 records of transactions that do not end in it form one transaction",
		"trace:t: 1 XLOG/SWITCH records left out", "trace:t: 1 gaps between its records: not the whole log",
	}
	if !slices.Equal(w.Notes(), want) {
		t.Errorf("notes %q, want %q", w.Notes(), want)
	}
	r := transactionsOf(source(w, 0, 1, 1), 2)
	if len(r.records) != 3 || w.Transactions() != 2 {
		t.Errorf("%d records in %d transactions, want 3 in 2", len(r.records), w.Transactions())
	}
}

// Any row that PostgreSQL could have written becomes a record of its length.
func TestTraceRowsEncodeExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t)
		row := rowOf(spec)
		table, err := parseTrace("t", strings.NewReader(header+row))
		if err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		rec := table.record(0)
		var p pgformat.Record
		if err := pgformat.ParseRecord(rec, &p); err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		if len(rec) != spec.Len() {
			t.Fatalf("%s became %d bytes, want %d", row, len(rec), spec.Len())
		}
		if p.ImageBytes != imageBytes(spec) || p.MainLen != spec.MainLen || len(p.Blocks) != len(spec.Blocks) {
			t.Fatalf("%s became %d image bytes, %d main data, %d blocks", row, p.ImageBytes, p.MainLen, len(p.Blocks))
		}
		for i := range p.Blocks {
			a, b := &p.Blocks[i], &spec.Blocks[i]
			if a.Number != b.Number || a.Fork != b.Fork || a.HasImage != b.HasImage || a.Rel.Node != b.Rel.Node {
				t.Fatalf("%s: block %d became %+v", row, i, a)
			}
		}
	})
}
