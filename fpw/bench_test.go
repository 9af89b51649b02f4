package fpw

import (
	"math/rand/v2"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// writer encodes records one behind the other, as a log's transaction does.
type writer struct {
	buf  []byte
	used int
}

func (w *writer) Add(s *pgformat.Spec, content *pgformat.Content) {
	w.used += pgformat.Align8(s.Encode(w.buf[w.used:], 0, content))
}

// BenchmarkTransaction is a transaction of 100 rows, about ten images among them,
// picked and built, against a copy of as many bytes.
func BenchmarkTransaction(b *testing.B) {
	for _, compression := range []Compression{Off, LZ4, Zstd} {
		c := worstCase(Phase{Images, 10})
		c.Tables, c.Compression = 4, compression
		s := session(mustNew(b, c), 0, 1, 1)
		w := writer{buf: make([]byte, 1<<20)}
		b.Run(compression.String(), func(b *testing.B) {
			bytes := 0
			b.ReportAllocs()
			for b.Loop() {
				w.used = 0
				s.Next()
				s.Build(&w, 1)
				bytes += w.used
			}
			b.SetBytes(int64(bytes / b.N))
		})
	}
	b.Run("copy", func(b *testing.B) {
		from, to := make([]byte, 1<<20), make([]byte, 93_000)
		b.SetBytes(int64(len(to)))
		for i := 0; b.Loop(); i++ {
			copy(to, from[i%128*7000:])
		}
	})
}

// BenchmarkNew is the plan of the default workload.
func BenchmarkNew(b *testing.B) {
	c := worstCase(Phase{Images, 10})
	c.Tables = 4
	b.ReportAllocs()
	for b.Loop() {
		mustNew(b, c)
	}
}

// BenchmarkGallery is what a session costs to make.
func BenchmarkGallery(b *testing.B) {
	c := worstCase(Phase{Kind: Steady})
	b.ReportAllocs()
	for b.Loop() {
		newGallery(&c, rowPrunes, rand.NewPCG(1, 2))
	}
}
