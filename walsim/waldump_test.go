package walsim

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// testdata/postgres holds WAL segments of real servers (PostgreSQL 15.18 and
// 18.6, 1 MB segments, generated rows) and what `pg_waldump -b` said about them.
const (
	worst11 = "testdata/postgres/seg1mb_worst_000000010000000000000011.gz"
	worst12 = "testdata/postgres/seg1mb_worst_000000010000000000000012.gz"
	mix19   = "testdata/postgres/seg1mb_mix_000000010000000000000019.gz"
	pg18C   = "testdata/postgres/pg18_seg1mb_00000001000000000000000C.gz"
	pg18D   = "testdata/postgres/pg18_seg1mb_00000001000000000000000D.gz"
)

// dumpRow is one record as pg_waldump prints it.
type dumpRow struct {
	RMGR, Type string
	Rec, Tot   int // bytes without and with images
	Xid        uint32
	LSN, Prev  pgformat.LSN
	Blocks     int // block references
	Images     int // of these with an image
}

var dumpLine = regexp.MustCompile(`^rmgr: (\S+)\s+len \(rec/tot\):\s*(\d+)/\s*(\d+), tx:\s*(\d+), ` +
	`lsn: (\S+), prev (\S+), desc: (\S+)`)

// readDump parses the compressed output of pg_waldump -b.
func readDump(t testing.TB, name string) []dumpRow {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var rows []dumpRow
	in := bufio.NewScanner(zip)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if m := dumpLine.FindStringSubmatch(in.Text()); m != nil {
			rows = append(rows, parseRow(t, m))
		} else if strings.HasPrefix(in.Text(), "\tblkref #") {
			row := &rows[len(rows)-1]
			row.Blocks++
			row.Images += strings.Count(in.Text(), " (FPW)")
		} else if strings.HasPrefix(in.Text(), "rmgr:") {
			t.Fatalf("cannot parse %q", in.Text())
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func parseRow(t testing.TB, m []string) dumpRow {
	t.Helper()
	var row dumpRow
	var err [5]error
	var xid uint64
	row.RMGR, row.Type = m[1], m[7]
	row.Rec, err[0] = strconv.Atoi(m[2])
	row.Tot, err[1] = strconv.Atoi(m[3])
	xid, err[2] = strconv.ParseUint(m[4], 10, 32)
	row.LSN, err[3] = pgformat.ParseLSN(m[5])
	row.Prev, err[4] = pgformat.ParseLSN(m[6])
	row.Xid = uint32(xid)
	for _, e := range err {
		if e != nil {
			t.Fatal(e)
		}
	}
	return row
}

// rowOf is the same row made from a record read back.
func rowOf(major int, r RecoveredRecord) dumpRow {
	h := r.Parsed.Header
	return dumpRow{
		RMGR: pgformat.RMName(h.RMID), Type: pgformat.RecordType(major, h.RMID, h.Info),
		Rec: int(h.TotLen) - r.Parsed.ImageBytes, Tot: int(h.TotLen), Xid: h.Xid,
		LSN: r.LSN, Prev: h.Prev, Blocks: len(r.Parsed.Blocks), Images: r.Parsed.Images,
	}
}

// unzipped keeps what unzip has unpacked once: slow under the race detector.
var unzipped = map[string][]byte{}

// unzip returns a compressed segment's bytes, for the caller to change.
func unzip(t testing.TB, name string) []byte {
	t.Helper()
	if data, ok := unzipped[name]; ok {
		return bytes.Clone(data)
	}
	var s segmentStream
	if err := s.open(vfs.OS(), name); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	buf := make([]byte, 1<<20)
	if n, err := s.read(buf, 0); n != len(buf) || err != nil {
		t.Fatalf("%s: %d bytes, %v", name, n, err)
	}
	unzipped[name] = buf
	return bytes.Clone(buf)
}

// segment is a segment file in memory.
type segment struct {
	name string
	data []byte
}

func seg11(t testing.TB) segment { return segment{"000000010000000000000011", unzip(t, worst11)} }
func seg12(t testing.TB) segment { return segment{"000000010000000000000012", unzip(t, worst12)} }

// memLog puts segments into a folder "wal" in memory.
func memLog(t testing.TB, segs ...segment) vfs.FS {
	t.Helper()
	fsys := vfs.NewMem()
	if err := fsys.MkdirAll("wal", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range segs {
		if err := vfs.WriteFileAtomic(fsys, "wal/"+s.name, s.data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return fsys
}

// readAll reads the log in the folder "wal".
func readAll(t testing.TB, fsys vfs.FS) Summary {
	t.Helper()
	sum, err := Recover(ReaderOptions{FS: fsys, Dir: "wal"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func endText(e End) string {
	s := fmt.Sprintf("%v at %v", e.Kind, e.LSN)
	if e.Damage != nil {
		s += fmt.Sprintf(" [%s %#x]", e.Damage.Segment, e.Damage.Offset)
	}
	return s
}
