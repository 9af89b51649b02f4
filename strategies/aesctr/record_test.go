package aesctr

import (
	"bytes"
	"crypto/cipher"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// batch is a call of XORRecords on records that lie one behind the other in one
// piece of memory, gap bytes apart.
type batch struct {
	lengths []int // bytes
	gap     int   // bytes
	inPlace bool
	nonce   func(n, skip int) Counter
}

// check does the call and compares every record, and what lies between, with
// what crypto/cipher makes of it.
func (b batch) check(c *Cipher, block cipher.Block, r *rand.Rand) error {
	total := 0
	for _, n := range b.lengths {
		total += n + b.gap
	}
	src := newField(r, r.IntN(65), total)
	dst := src
	if !b.inPlace {
		dst = newField(r, r.IntN(65), total)
	}
	want := bytes.Clone(dst.buffer())
	clear := bytes.Clone(src.buffer())
	var recs []Record
	at := 0
	for _, n := range b.lengths {
		skip := r.IntN(BlockSize) * r.IntN(2)
		rec := Record{Dst: dst.buffer()[at : at+n], Src: src.buffer()[at : at+n], Skip: skip, From: b.nonce(n, skip)}
		copy(want[at:], oracleXOR(block, rec.Src, rec.From, skip))
		recs = append(recs, rec)
		at += n + b.gap
	}
	before := slices.Clone(recs)
	c.XORRecords(recs)
	if !slices.EqualFunc(recs, before, sameRecord) {
		panic("the list of records changed")
	}
	if err := dst.check(want); err != nil || b.inPlace {
		return err
	}
	return src.check(clear)
}

func sameRecord(a, b Record) bool {
	return len(a.Dst) == len(b.Dst) && len(a.Src) == len(b.Src) && a.From == b.From && a.Skip == b.Skip &&
		(len(a.Dst) == 0 || &a.Dst[0] == &b.Dst[0] && &a.Src[0] == &b.Src[0])
}

// mixed are lengths of all classes, many of them short and some of them zero.
func mixed(r *rand.Rand, count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = r.IntN([]int{1, 17, 40, 70, 101, 301, 700}[r.IntN(7)])
	}
	return list
}

func randomNonce(r *rand.Rand) func(n, skip int) Counter {
	return func(int, int) Counter { return Counter{r.Uint64N(maxLo), r.Uint64()} }
}

func TestXORRecords(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			key := testKey(rapid.SampledFrom(keySizes).Draw(t, "key"))
			b := batch{
				lengths: rapid.SliceOfN(rapid.IntRange(0, 700), 0, 20).Draw(t, "lengths"),
				gap:     rapid.SampledFrom([]int{0, 1, 12, 36}).Draw(t, "gap"),
				inPlace: rapid.Bool().Draw(t, "in place"),
			}
			b.nonce = func(n, skip int) Counter { return anyCounter(blocksOf(n, skip)).Draw(t, "from") }
			must(t, b.check(mustNew(t, impl, key), mustBlock(t, key), r), "%+v", b)
		})
	})
}

// All sizes of a batch, in and out of place, at all distances.
func TestXORRecordsBatches(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(20, 0))
		for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 100, 101, 5000} {
			gaps := []int{0, 1, 12, 36}
			if count > 1000 {
				gaps = gaps[:1]
			}
			for _, gap := range gaps {
				for _, inPlace := range []bool{false, true} {
					b := batch{lengths: mixed(r, count), gap: gap, inPlace: inPlace, nonce: randomNonce(r)}
					must(t, b.check(c, block, r), "%d records, gap %d, in place %v", count, gap, inPlace)
				}
			}
		}
	})
}

// Batches of one length: every length as every record of three.
func TestXORRecordsLengths(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(21, 0))
		for n := range 701 {
			for _, inPlace := range []bool{false, true} {
				b := batch{lengths: []int{n, n, n, n}, inPlace: inPlace, nonce: randomNonce(r)}
				must(t, b.check(c, block, r), "%d bytes, in place %v", n, inPlace)
			}
		}
	})
}

// More records than one call into assembly does, each of a few bytes.
func TestXORRecordsMany(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		key := testKey(16)
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(22, 0))
		lengths := make([]int, 2*maxRecords+7)
		for i := range lengths {
			lengths[i] = r.IntN(4) // 0 is out of the ordinary
		}
		for _, inPlace := range []bool{false, true} {
			b := batch{lengths: lengths, inPlace: inPlace, nonce: randomNonce(r)}
			must(t, b.check(c, block, r), "in place %v", inPlace)
		}
	})
}

// Records that a kernel leaves to the single call: very long, empty, and with a
// carry, at every place of a batch; and more bytes than one call may do.
func TestXORRecordsOutOfTheOrdinary(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		key := testKey(32)
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(22, 0))
		for at := range 5 {
			for _, odd := range []int{0, maxCall - 16, maxCall + 77} {
				lengths := []int{40, 64, 100, 33, 80}
				lengths[at] = odd
				b := batch{lengths: lengths, inPlace: at%2 == 0, nonce: randomNonce(r)}
				must(t, b.check(c, block, r), "%d bytes at %d", odd, at)
			}
			count := 0
			b := batch{lengths: []int{40, 300, 100, 200, 80}, inPlace: at%2 == 1, nonce: func(int, int) Counter {
				if count++; count-1 != at {
					return Counter{r.Uint64(), 9}
				}
				return Counter{4, maxLo - r.Uint64N(3)}
			}}
			must(t, b.check(c, block, r), "carry at %d", at)
		}
		b := batch{lengths: slices.Repeat([]int{8192, 100, 300}, 250), nonce: randomNonce(r)}
		must(t, b.check(c, block, r), "two calls' worth")
		b.inPlace = true
		must(t, b.check(c, block, r), "two calls' worth in place")
	})
}

// Some records in place and some not: the first one decides only the order.
func TestXORRecordsMixedPlaces(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		key := testKey(16)
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(23, 0))
		for range 300 {
			var recs []Record
			var fields []*field
			var wants [][]byte
			for _, n := range mixed(r, 9) {
				f, src := newField(r, r.IntN(65), n), noise(r, n)
				rec := Record{Dst: f.buffer(), Src: src, From: Counter{r.Uint64N(maxLo), r.Uint64()}, Skip: r.IntN(BlockSize)}
				if r.IntN(2) == 0 {
					rec.Src = rec.Dst
				}
				wants = append(wants, oracleXOR(block, rec.Src, rec.From, rec.Skip))
				recs, fields = append(recs, rec), append(fields, f)
			}
			c.XORRecords(recs)
			for i, f := range fields {
				must(t, f.check(wants[i]), "record %d of %d bytes", i, len(wants[i]))
			}
		}
	})
}

// Dst may be longer than Src: what lies behind belongs to someone else.
func TestXORRecordsLongDst(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(24, 0))
		for n := range 200 {
			src, dst := noise(r, n), newField(r, 0, n+70)
			want := bytes.Clone(dst.buffer())
			copy(want, oracleXOR(block, src, Counter{1, 1}, n%BlockSize))
			rec := Record{Dst: dst.buffer(), Src: src, From: Counter{1, 1}, Skip: n % BlockSize}
			c.XORRecords([]Record{rec, {Dst: make([]byte, 5), Src: make([]byte, 4)}})
			must(t, dst.check(want), "batch, %d bytes", n)
			copy(dst.buffer(), dst.before[dst.at:])
			c.XORKeyStream(dst.buffer(), src, rec.From, rec.Skip)
			must(t, dst.check(want), "single call, %d bytes", n)
		}
	})
}

// Only stdlib sets streams up, one for each record beyond eight blocks.
func TestXORRecordsCountsSetups(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c, buf := mustNew(t, impl, testKey(16)), make([]byte, 1000)
		recs := []Record{{Dst: buf[:100], Src: buf[:100]}, {Dst: buf[100:300], Src: buf[100:300]}, {Dst: buf[300:], Src: buf[300:]}}
		want := 0
		if impl == stdlib {
			want = 2
		}
		if got := c.XORRecords(recs); got != want {
			t.Errorf("%d set-ups, want %d", got, want)
		}
	})
}
