package loadgen

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

func TestExactLandsOnItsLSNs(t *testing.T) {
	names, err := filepath.Glob("testdata/*.csv.gz")
	if err != nil || len(names) < 5 {
		t.Fatalf("%d traces (%v)", len(names), err)
	}
	for _, name := range append(names, "embedded") {
		w := open(t, "trace:"+name).(*Trace)
		e, err := w.Exact(1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at, n := w.First(), 0
		for ; e.Next(); n++ {
			var r recorder
			e.build(&r)
			start := e.SegmentSize().RecordStart(at)
			at = e.SegmentSize().Advance(start, pgformat.Align8(len(r.records[0])))
			if e.Start() != start || e.End() != at || len(r.records) != 1 {
				t.Fatalf("%s: record %d at %v to %v, want %v to %v", name, n, e.Start(), e.End(), start, at)
			}
		}
		if n != w.Records() || e.Next() {
			t.Errorf("%s: %d records, want %d and then no more", name, n, w.Records())
		}
	}
}

// The log itself puts every record where PostgreSQL put it.
func TestExactThroughTheLog(t *testing.T) {
	w := open(t, "trace:testdata/vacuum_full.csv.gz").(*Trace)
	e, err := w.Exact(1)
	if err != nil {
		t.Fatal(err)
	}
	o := walsim.Options{FS: vfs.NewMem(), Dir: "log", Discard: true, Start: w.First()}
	withLog(t, o, func(p simtime.Proc, l *walsim.Log) error {
		u := l.Updater(p, 0)
		for e.Next() {
			end, err := u.Commit(e)
			if err != nil {
				return err
			}
			// 1 MB segments here, 16 MB there: a long page header is 16 bytes more.
			if segments := pgformat.MinSegmentSize; segments.Segno(w.First()) != segments.Segno(e.End()) {
				return nil
			}
			if end != e.End() {
				t.Fatalf("record at %v ends at %v, want %v", e.Start(), end, e.End())
			}
		}
		return nil
	})
}

func TestExactSegmentSize(t *testing.T) {
	// A record that runs over the border at 0/1100000 pays for a 40-byte header
	// with segments of 1 MB only.
	const start, length = 0x10FFFF0, 100
	for _, size := range []pgformat.SegmentSize{pgformat.MinSegmentSize, pgformat.DefaultSegmentSize} {
		row := traceRow{start: start, end: size.Advance(start, pgformat.Align8(length)), length: length}
		w := &Trace{file: "t", table: table{rows: []traceRow{row}}}
		if e, err := w.Exact(1); err != nil || e.SegmentSize() != size {
			t.Errorf("segments of %d bytes: found %+v, %v", size, e, err)
		}
	}
}

func TestExactProblems(t *testing.T) {
	for _, c := range []struct{ name, rows, want string }{
		{"gap", "0/28,0/70,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n0/78,0/C0,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n",
			"t:3: record at 0/00000078 to 0/000000C0, want 0/00000070 to 0/000000B8 (exact order"},
		{"wrong end", "0/28,0/78,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n",
			"t:2: record at 0/00000028 to 0/00000078, want 0/00000028 to 0/00000070 (exact order"},
		{"not aligned", "0/28,0/6F,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n",
			"t:2: record at 0/00000028 to 0/0000006F, want 0/00000028 to 0/00000070 (exact order"},
		{"inside a page header", "0/2000,0/2048,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n",
			"t:2: record at 0/00002000 to 0/00002048, want 0/00002018 to 0/00002060 (exact order"},
	} {
		w, err := loadTrace("trace:t", "t", strings.NewReader(header+c.rows))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, err = w.Exact(1)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestExactSwitch(t *testing.T) {
	w, err := loadTrace("trace:t", "t", strings.NewReader(header+goodRow+
		"0/70,0/1000000,0,XLOG,SWITCH,24,0,0,0,\n0/1000028,0/1000070,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := w.Exact(1)
	if err != nil || e.SegmentSize() != 16<<20 {
		t.Fatalf("%+v, %v", e, err)
	}
	var switches []bool
	for e.Next() {
		switches = append(switches, e.Switch())
	}
	if len(switches) != 3 || switches[0] || !switches[1] || switches[2] {
		t.Errorf("switch records %v, want the second of three", switches)
	}
}
