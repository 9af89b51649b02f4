package walsim

import (
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// oneRecord builds transactions of one record of a given length.
type oneRecord struct {
	spec    pgformat.Spec
	content pgformat.Content
	times   int
}

func newOneRecord(length int) *oneRecord {
	main := length - pgformat.RecordHeaderSize
	main -= pgformat.MainHeaderLen(main)
	return &oneRecord{
		spec:    pgformat.Spec{RMID: pgformat.RMXact, MainLen: main},
		content: pgformat.Content{Pool: make([]byte, 4096)},
	}
}

func (o *oneRecord) Build(tx *Tx, redo pgformat.LSN) {
	for range o.times {
		tx.Add(&o.spec, &o.content)
	}
}

// BenchmarkInsert is the insertion of a 100-byte record into the memory device,
// with all accounting: build, digest, prepare, lock, place, flush, acknowledge.
// "single" is a record that is its own commit, and so writes a whole page;
// "batch" is the cost per record of a transaction of 100.
func BenchmarkInsert(b *testing.B) {
	for _, name := range strategies.Canonical() {
		b.Run(name+"/single", func(b *testing.B) { benchmarkInsert(b, name, 1) })
		b.Run(name+"/batch", func(b *testing.B) { benchmarkInsert(b, name, 100) })
	}
}

func benchmarkInsert(b *testing.B, name string, records int) {
	o := testOptions(b, name)
	simtime.NewReal().Run("bench", func(p simtime.Proc) {
		l, err := Create(p, o)
		if err != nil {
			b.Error(err)
			return
		}
		defer l.Close(p)
		u, rec := l.Updater(p, 0), newOneRecord(100)
		rec.times = records
		b.ReportAllocs()
		for i := 1; b.Loop(); i++ {
			end, err := u.Commit(rec)
			if err == nil && i%(100000/records) == 0 {
				err = l.Recycle(p, end)
			}
			if err != nil {
				b.Error(err)
				return
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*records), "ns/record")
	})
}

// testOptions are the options of a small log in memory.
func testOptions(tb testing.TB, strategy string) Options {
	tb.Helper()
	d, err := strategies.Lookup(strategy)
	if err != nil {
		tb.Fatal(err)
	}
	o := Options{FS: vfs.NewMem(), Dir: "log", Design: d, Master: strategies.NewMasterKey(), SysID: 1}
	if d.DefaultSuite != "" {
		if o.Suite, err = strategies.LookupSuite(d.DefaultSuite); err != nil {
			tb.Fatal(err)
		}
	}
	return o
}
