package loadgen

import (
	"crypto/sha256"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// recorder keeps the records a source adds, as plain bytes with xid, xl_prev
// and CRC as the source left them.
type recorder struct{ records [][]byte }

func (r *recorder) Add(s *pgformat.Spec, content *pgformat.Content) {
	rec := make([]byte, s.Len())
	s.Encode(rec, 0, content)
	r.records = append(r.records, rec)
}

func (r *recorder) AddRaw(rec []byte) { r.records = append(r.records, append([]byte(nil), rec...)) }

// hash is over all records and their borders.
func (r *recorder) hash() [32]byte {
	h := sha256.New()
	for _, rec := range r.records {
		h.Write([]byte{byte(len(rec)), byte(len(rec) >> 8), byte(len(rec) >> 16)})
		h.Write(rec)
	}
	return [32]byte(h.Sum(nil))
}

// counter counts what a source adds and allocates nothing.
type counter struct{ records, bytes int }

func (c *counter) Add(s *pgformat.Spec, content *pgformat.Content) {
	c.records++
	c.bytes += s.Len() + content.Off&1
}

func (c *counter) AddRaw(rec []byte) {
	c.records++
	c.bytes += len(rec)
}

// buildable is what every source of this package is.
type buildable interface {
	Source
	build(to sink)
}

// open opens a workload that must be there.
func open(t testing.TB, name string) Workload {
	t.Helper()
	w, err := Open(name, Options{FS: vfs.OS()})
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	return w
}

func source(w Workload, updater, updaters int, seed uint64) buildable {
	return w.Source(SourceOptions{Updater: updater, Updaters: updaters, Seed: seed}).(buildable)
}

// transactionsOf builds the next n transactions of a source.
func transactionsOf(s buildable, n int) *recorder {
	var r recorder
	for range n {
		s.Next()
		s.build(&r)
	}
	return &r
}

// parse takes a record apart that must be valid.
func parse(t testing.TB, rec []byte) *pgformat.Record {
	t.Helper()
	var parsed pgformat.Record
	if err := pgformat.ParseRecord(rec, &parsed); err != nil {
		t.Fatalf("record does not parse: %v", err)
	}
	return &parsed
}

// exampleWorkloads is one workload of each kind.
var exampleWorkloads = []string{
	"worst-case", "oltp", "bulk", "small", "insert", "trace:embedded", "trace:testdata/ctas_cut.csv.gz",
	"trace:testdata/oltp_tpcb_ckpt_8c_cut.csv.gz",
	"wal:testdata/seg1mb_mix_000000010000000000000019.gz",
}
