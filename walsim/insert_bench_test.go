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
}

func newOneRecord(length int) *oneRecord {
	main := length - pgformat.RecordHeaderSize
	main -= pgformat.MainHeaderLen(main)
	return &oneRecord{
		spec:    pgformat.Spec{RMID: pgformat.RMXact, MainLen: main},
		content: pgformat.Content{Pool: make([]byte, 4096)},
	}
}

func (o *oneRecord) Build(tx *Tx, redo pgformat.LSN) { tx.Add(&o.spec, &o.content) }

// BenchmarkInsert is the insertion of one 100-byte record that is its own
// commit into the memory device: build, prepare, lock, place, flush,
// acknowledge, with all accounting.
func BenchmarkInsert(b *testing.B) {
	for _, name := range strategies.Canonical() {
		b.Run(name, func(b *testing.B) { benchmarkInsert(b, name) })
	}
}

func benchmarkInsert(b *testing.B, name string) {
	o := testOptions(b, name)
	simtime.NewReal().Run("bench", func(p simtime.Proc) {
		l, err := Create(p, o)
		if err != nil {
			b.Error(err)
			return
		}
		defer l.Close(p)
		u, rec := l.Updater(p, 0), newOneRecord(100)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			end, err := u.Commit(rec)
			if err == nil && i%100000 == 99999 {
				err = l.Recycle(p, end)
			}
			if err != nil {
				b.Error(err)
				return
			}
		}
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
