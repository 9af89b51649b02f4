package strategies

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim/pgformat"
)

// transaction lays records of the given xl_tot_len out as a log's arena does: one
// behind the other, each at a multiple of 8.
func transaction(d *Design, lengths []int) []Record {
	size := 0
	for _, n := range lengths {
		size += pgformat.Align8(n + d.TrailerBytes(n))
	}
	arena, recs := make([]byte, size), make([]Record, len(lengths))
	for i := range arena {
		arena[i] = byte(i * 7)
	}
	for i, n := range lengths {
		trailer := d.TrailerBytes(n)
		recs[i] = Record{Buf: arena[: n+trailer : n+trailer], Trailer: trailer, RealLen: n}
		arena = arena[pgformat.Align8(n+trailer):]
	}
	return recs
}

// transactions are those that Prepare is measured and tested with.
var transactions = map[string][]int{
	"100x100B":     slices.Repeat([]int{100}, 100),
	"100x30-100B":  spread(100, 30, 100),
	"10xImage+34B": append(slices.Repeat([]int{8192 + 51}, 10), 34),
	"1x71B":        {71},
}

// spread is n lengths from low to high, in no order.
func spread(n, low, high int) (list []int) {
	for i := range n {
		list = append(list, low+i*37%(high-low+1))
	}
	return list
}

// eachStart opens every design with every suite that fits it, all under one key.
func eachStart(tb testing.TB, f func(name string, s Start, d *Design)) {
	tb.Helper()
	key := newStartKey()
	for _, d := range All() {
		for _, s := range Suites() {
			if s.Mode == d.Mode {
				start := Start{Key: key, KeyID: 1, Suite: s, TLI: 1, SegmentSize: pgformat.DefaultSegmentSize}
				f(d.Name+"/"+s.Name, start, d)
			}
		}
	}
}

func open(tb testing.TB, d *Design, s Start, m *simtime.Meter) Phases {
	tb.Helper()
	inst, err := d.New(s)
	if err != nil {
		tb.Fatal(err)
	}
	return inst.Updater(3, m)
}

// Whatever implementation of a cipher does the work, the bytes are the same.
func TestImplementationsWriteTheSameBytes(t *testing.T) {
	type of struct{ design, cipher string }
	first := map[of][]byte{}
	checked := 0
	eachStart(t, func(name string, s Start, d *Design) {
		stored := prepared(open(t, d, s, simtime.NewMeter()), d)
		stored = append(stored, flushed(open(t, d, s, simtime.NewMeter()))...)
		k := of{d.Name, s.Suite.Cipher}
		if first[k] == nil {
			first[k] = stored
			return
		}
		checked++
		if !bytes.Equal(first[k], stored) {
			t.Errorf("%s: not the bytes of another implementation of %s", name, s.Suite.Cipher)
		}
	})
	// On a machine without kernels there is one implementation of each cipher.
	if want := 5 * len(aesCiphers) * (len(aesctr.Supported()) - 1); checked != want {
		t.Errorf("%d pairs compared, want %d", checked, want)
	}
	t.Logf("implementations that ran here: %s", implementationNames())
}

func implementationNames() (list []string) {
	for _, i := range aesctr.Supported() {
		list = append(list, i.Name)
	}
	return list
}

// prepared is what Prepare makes of all transactions, if the design has it.
func prepared(p Phases, d *Design) (stored []byte) {
	if p.Prepare == nil {
		return nil
	}
	for _, name := range []string{"100x100B", "100x30-100B", "10xImage+34B", "1x71B"} {
		for _, r := range p.Prepare(transaction(d, transactions[name])) {
			stored = append(stored, r.Buf...)
		}
	}
	return stored
}

// flushed is what Flush makes of three pages that are not all filled, if the
// design has it.
func flushed(p Phases) []byte {
	if p.Flush == nil {
		return nil
	}
	f := flushOf(3, 2*pgformat.PageSize+777)
	p.Flush(f)
	return f.Out
}

// flushOf is a flush of so many pages that hold records up to byte end.
func flushOf(pages, end int) *Flush {
	const at = pgformat.LSN(0x1000000)
	f := &Flush{
		Meter: simtime.NewMeter(), TLI: 1, At: at, End: at + pgformat.LSN(end), SegmentSize: pgformat.DefaultSegmentSize,
		In: make([]byte, pages*pgformat.PageSize), Out: make([]byte, pages*pgformat.PageSize),
	}
	for i := range end {
		f.In[i] = byte(i)
	}
	return f
}

// A record can be read whatever wrote it: the decoder takes the selected
// implementation, and what it gives is what went in.
func TestRecordsDecodeWhateverWroteThem(t *testing.T) {
	eachStart(t, func(name string, s Start, d *Design) {
		if d.NewRecordDecoder == nil {
			return
		}
		dec, err := d.NewRecordDecoder(s)
		if err != nil {
			t.Fatal(err)
		}
		p := open(t, d, s, simtime.NewMeter())
		for _, lengths := range transactions {
			plain := transaction(d, lengths)
			for i, r := range p.Prepare(transaction(d, lengths)) {
				n, err := dec.Decode(r.Buf)
				want := plain[i].Buf[:len(r.Buf)-RecordNonceSize]
				if err != nil || n != RecordNonceSize || !bytes.Equal(r.Buf[:len(r.Buf)-n], want) {
					t.Fatalf("%s: record %d of %v: trailer %d, error %v, or other bytes", name, i, lengths, n, err)
				}
			}
		}
	})
}

// A transaction of batched-ctr is one call, and with a kernel that sets nothing
// up; so is a flush of the designs that encrypt there.
func TestDesignsCallOnce(t *testing.T) {
	eachStart(t, func(name string, s Start, d *Design) {
		m := simtime.NewMeter()
		p := open(t, d, s, m)
		var want simtime.Counts
		switch {
		case p.Flush != nil:
			f := flushOf(3, 2*pgformat.PageSize+777)
			f.Meter = m
			p.Flush(f)
			want.CipherCalls = 1
		case d.Name == "batched-ctr":
			p.Prepare(transaction(d, transactions["10xImage+34B"]))
			want.CipherCalls = 1
		case d.Name == "before-lock":
			p.Prepare(transaction(d, transactions["10xImage+34B"]))
			want.CipherCalls, want.CipherSetups = 11, 11
		}
		got := simtime.Counts{CipherCalls: m.CipherCalls, CipherSetups: m.CipherSetups}
		if s.Suite.Name == s.Suite.Cipher && d.Name != "before-lock" {
			got.CipherSetups = 0 // streams of crypto/cipher, one for each long piece
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	})
}

// batched-ctr allocates nothing with a kernel, once its list has grown.
func TestBatchedCTRAllocatesNothing(t *testing.T) {
	eachStart(t, func(name string, s Start, d *Design) {
		if d.Name != "batched-ctr" || s.Suite.Implementation.Name == stdlibName {
			return
		}
		p := open(t, d, s, simtime.NewMeter())
		for tx, lengths := range transactions {
			recs := transaction(d, lengths)
			if n := testing.AllocsPerRun(20, func() { p.Prepare(recs) }); n != 0 {
				t.Errorf("%s, %s: %v allocations a transaction", name, tx, n)
			}
		}
	})
}

// Nor does a flush.
func TestFlushAllocatesNothing(t *testing.T) {
	eachStart(t, func(name string, s Start, d *Design) {
		p := open(t, d, s, simtime.NewMeter())
		if p.Flush == nil || s.Suite.Implementation.Name == stdlibName {
			return
		}
		f := flushOf(3, 2*pgformat.PageSize+777)
		if n := testing.AllocsPerRun(20, func() { p.Flush(f) }); n != 0 {
			t.Errorf("%s: %v allocations a flush", name, n)
		}
	})
}

// BenchmarkPrepare is what a transaction costs before the lock, and beside it a
// copy of the same records.
func BenchmarkPrepare(b *testing.B) {
	for tx, lengths := range transactions {
		eachStart(b, func(name string, s Start, d *Design) {
			p := open(b, d, s, simtime.NewMeter())
			if p.Prepare == nil {
				return
			}
			b.Run(fmt.Sprintf("%s/%s", tx, name), func(b *testing.B) {
				recs := transaction(d, lengths)
				b.SetBytes(bytesOf(recs))
				b.ReportAllocs()
				for b.Loop() {
					p.Prepare(recs)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(recs)), "ns/record")
			})
		})
		b.Run(tx+"/copy", func(b *testing.B) { benchmarkCopy(b, lengths) })
	}
}

func benchmarkCopy(b *testing.B, lengths []int) {
	d, err := Lookup("batched-ctr")
	if err != nil {
		b.Fatal(err)
	}
	from, to := transaction(d, lengths), transaction(d, lengths)
	b.SetBytes(bytesOf(from))
	for b.Loop() {
		for i := range from {
			copy(to[i].Buf, from[i].Buf)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(from)), "ns/record")
}

func bytesOf(recs []Record) (n int64) {
	for i := range recs {
		n += int64(len(recs[i].Buf))
	}
	return n
}

// BenchmarkFlush is what a flush of ten pages costs under the lock.
func BenchmarkFlush(b *testing.B) {
	eachStart(b, func(name string, s Start, d *Design) {
		p := open(b, d, s, simtime.NewMeter())
		if p.Flush == nil {
			return
		}
		b.Run(name, func(b *testing.B) {
			f := flushOf(10, 9*pgformat.PageSize+4000)
			b.SetBytes(int64(len(f.In)))
			b.ReportAllocs()
			for b.Loop() {
				p.Flush(f)
			}
		})
	})
}
