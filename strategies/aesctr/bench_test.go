package aesctr

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchSizes are in bytes: short records, pages, and what a flush writes.
var benchSizes = []int{32, 64, 100, 256, 1024, 4096, 8192, 65536, 81920}

// benchEach runs a benchmark of every implementation that can run here, with
// both keys.
func benchEach(b *testing.B, bench func(b *testing.B, c *Cipher)) {
	b.Helper()
	for _, i := range Supported() {
		for _, size := range keySizes {
			b.Run(fmt.Sprintf("%s/%d", i.Name, 8*size), func(b *testing.B) { bench(b, mustNew(b, i, testKey(size))) })
		}
	}
}

// benchBuffers are two buffers of n bytes, touched, with room behind them: a
// masked access whose 64 bytes reach a page never touched is slow.
func benchBuffers(n int) (dst, src []byte) {
	r := rand.New(rand.NewPCG(100, 0))
	return noise(r, n+64)[:n], noise(r, n+64)[:n]
}

func BenchmarkXOR(b *testing.B) {
	benchEach(b, func(b *testing.B, c *Cipher) {
		for _, n := range benchSizes {
			b.Run(fmt.Sprint(n), func(b *testing.B) {
				dst, src := benchBuffers(n)
				from := Counter{1, 0}
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					c.XORKeyStream(dst, src, from, 0)
					from.Hi++
				}
			})
		}
	})
}

// benchRecords are adjacent records of about 128 kB together, of n bytes each or,
// if n is 0, of 30 to 100: enough of them that no branch predictor learns them.
func benchRecords(n int, inPlace bool) (recs []Record, total int) {
	const size = 128 << 10
	dst, src := benchBuffers(size + 100)
	if inPlace {
		dst = src
	}
	r := rand.New(rand.NewPCG(101, 0))
	for total < size {
		m := n
		if m == 0 {
			m = 30 + r.IntN(71)
		}
		if total+m > len(src) {
			break
		}
		recs = append(recs, Record{Dst: dst[total : total+m], Src: src[total : total+m], From: Counter{r.Uint64(), 0}})
		total += m
	}
	return recs, total
}

// perRecord reports the time of one record.
func perRecord(b *testing.B, recs []Record) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(recs)), "ns/record")
}

func BenchmarkRecords(b *testing.B) {
	benchEach(b, func(b *testing.B, c *Cipher) {
		for _, n := range []int{32, 64, 100, 256, 1024, 8192} {
			b.Run(fmt.Sprint(n), func(b *testing.B) { benchXORRecords(b, c, n, false) })
		}
		b.Run("mixed-30-100/out-of-place", func(b *testing.B) { benchXORRecords(b, c, 0, false) })
		b.Run("mixed-30-100/in-place", func(b *testing.B) { benchXORRecords(b, c, 0, true) })
	})
	b.Run("copy/mixed-30-100", func(b *testing.B) {
		recs, total := benchRecords(0, false)
		b.SetBytes(int64(total))
		for b.Loop() {
			for i := range recs {
				copy(recs[i].Dst, recs[i].Src)
			}
		}
		perRecord(b, recs)
	})
}

func benchXORRecords(b *testing.B, c *Cipher, n int, inPlace bool) {
	b.Helper()
	recs, total := benchRecords(n, inPlace)
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		c.XORRecords(recs)
	}
	perRecord(b, recs)
}

func BenchmarkECB(b *testing.B) {
	benchEach(b, func(b *testing.B, c *Cipher) {
		for _, n := range []int{16, 64, 1024, 8192, 65536} {
			benchBlocks(b, "encrypt", n, c.EncryptBlocks)
			benchBlocks(b, "decrypt", n, c.DecryptBlocks)
		}
	})
}

func benchBlocks(b *testing.B, way string, n int, call func(dst, src []byte)) {
	b.Helper()
	b.Run(fmt.Sprintf("%s/%d", way, n), func(b *testing.B) {
		dst, src := benchBuffers(n)
		b.SetBytes(int64(n))
		b.ReportAllocs()
		for b.Loop() {
			call(dst, src)
		}
	})
}

func BenchmarkXTS(b *testing.B) {
	for _, i := range Supported() {
		for _, size := range []int{32, 64} {
			x := mustXTS(b, i, testKey(size))
			for _, n := range []int{16, 100, 512, 4096, 8192, 65536} {
				prefix, unit := fmt.Sprintf("%s/%d/", i.Name, 4*size), uint64(0)
				benchBlocks(b, prefix+"encrypt", n, func(dst, src []byte) { unit++; x.Encrypt(dst, src, unit) })
				benchBlocks(b, prefix+"decrypt", n, func(dst, src []byte) { unit++; x.Decrypt(dst, src, unit) })
			}
		}
	}
}

func BenchmarkNewCipher(b *testing.B) {
	for _, i := range Supported() {
		for _, size := range keySizes {
			b.Run(fmt.Sprintf("%s/%d", i.Name, 8*size), func(b *testing.B) {
				key := testKey(size)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := i.New(key); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkUnit is the bound of the kernels: ns/block is what a block of AES
// rounds of a 128-bit key costs on registers alone.
func BenchmarkUnit(b *testing.B) {
	for _, i := range Supported() {
		if i == stdlib {
			continue
		}
		b.Run(i.Name, func(b *testing.B) {
			rounds := 0
			for b.Loop() {
				rounds += i.UnitRounds(1000)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())*float64(Rounds(16))/float64(rounds), "ns/block")
		})
	}
}
