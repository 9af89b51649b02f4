package loadgen

import (
	"errors"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim"
)

func TestOpenUnknown(t *testing.T) {
	for _, name := range []string{"", "smal", "small:", "Small", "trace", "wal", "trace;x", "insert x"} {
		_, err := Open(name, Options{FS: vfs.OS()})
		var unknown *UnknownError
		if !errors.As(err, &unknown) || unknown.Name != name || !errors.Is(err, ErrInput) {
			t.Errorf("%q: %v, want an UnknownError", name, err)
			continue
		}
		for _, known := range []string{"small", "insert", "trace:embedded", "trace:FILE", "wal:DIR|FILE"} {
			if !strings.Contains(err.Error(), known) {
				t.Errorf("%q: %q does not name %s", name, err, known)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if k.Name == "" || k.Meaning == "" || strings.ContainsAny(k.Name+k.Meaning, "\n\t") || seen[k.Name] {
			t.Errorf("%+v is no line of a listing, or stands twice", k)
		}
		seen[k.Name] = true
	}
	if w := open(t, Default); w.Name() != Default || !seen[Default] {
		t.Errorf("the default workload calls itself %q", w.Name())
	}
	for _, name := range exampleWorkloads {
		if w := open(t, name); w.Name() != name {
			t.Errorf("%s calls itself %q", name, w.Name())
		}
	}
}

// A file named as the built-in trace can still be reached.
func TestOpenFileCalledEmbedded(t *testing.T) {
	_, err := Open("trace:./embedded", Options{FS: vfs.OS()})
	if err == nil || !strings.HasPrefix(err.Error(), "./embedded: ") {
		t.Errorf("%v, want the error of a missing file", err)
	}
}

// Making transactions allocates nothing, neither in the source nor on the way
// through the log.
func TestNoAllocations(t *testing.T) {
	for _, name := range exampleWorkloads {
		s := source(open(t, name), 0, 1, 1)
		var c counter
		if n := testing.AllocsPerRun(50, func() { s.Next(); s.build(&c) }); n != 0 {
			t.Errorf("%s: %v allocations in a transaction", name, n)
		}
		if c.records == 0 {
			t.Errorf("%s: no records", name)
		}
	}
}

func TestNoAllocationsThroughTx(t *testing.T) {
	for _, name := range exampleWorkloads {
		s := open(t, name).Source(SourceOptions{Updaters: 1, Seed: 1})
		withLog(t, walsim.Options{FS: vfs.NewMem(), Dir: "log", Discard: true}, func(p simtime.Proc, l *walsim.Log) error {
			u := l.Updater(p, 0)
			var err error
			commit := func() {
				s.Next()
				if _, e := u.Commit(s); e != nil {
					err = e
				}
			}
			for range 20 { // until the transaction's memory is large enough for the largest
				commit()
			}
			if n := testing.AllocsPerRun(40, commit); n != 0 && err == nil {
				t.Errorf("%s: %v allocations in a transaction", name, n)
			}
			return err
		})
	}
}

// BenchmarkBuild is what making a transaction costs without the log: a source's
// own work, encoding excluded.
func BenchmarkBuild(b *testing.B) {
	for _, name := range exampleWorkloads {
		b.Run(strings.ReplaceAll(name, "/", "_"), func(b *testing.B) {
			s := source(open(b, name), 0, 1, 1)
			var c counter
			b.ReportAllocs()
			for b.Loop() {
				s.Next()
				s.build(&c)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(c.records), "ns/record")
		})
	}
}

// BenchmarkCommit is a whole transaction into a log that keeps nothing.
func BenchmarkCommit(b *testing.B) {
	for _, name := range exampleWorkloads {
		b.Run(strings.ReplaceAll(name, "/", "_"), func(b *testing.B) {
			s := open(b, name).Source(SourceOptions{Updaters: 1, Seed: 1})
			withLog(b, walsim.Options{FS: vfs.NewMem(), Dir: "log", Discard: true}, func(p simtime.Proc, l *walsim.Log) error {
				u := l.Updater(p, 0)
				b.ReportAllocs()
				for b.Loop() {
					s.Next()
					if _, err := u.Commit(s); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

// BenchmarkParseTrace is loading a trace of 2,647 rows.
func BenchmarkParseTrace(b *testing.B) {
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		w := open(b, Default).(*Trace)
		rows += w.Records()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}
