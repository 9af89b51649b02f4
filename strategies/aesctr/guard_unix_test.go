//go:build unix

package aesctr

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/unix"
)

// guarded is memory between two pages that nobody may touch: a byte too far,
// even if only read, ends the test.
type guarded struct{ mem []byte }

func newGuarded(t *testing.T) guarded {
	t.Helper()
	page := unix.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*page, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	if err := unix.Mprotect(all[page:2*page], unix.PROT_READ|unix.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	return guarded{all[page : 2*page : 2*page]}
}

// at is a buffer of n bytes at one end of the memory, full of noise.
func (g guarded) at(r *rand.Rand, end bool, n int) []byte {
	b := g.mem[:n:n]
	if end {
		b = g.mem[len(g.mem)-n:]
	}
	copy(b, noise(r, n))
	return b
}

// forEachGuarded gives a test source and destination at the ends and at the
// beginnings of such memory, for every length up to 300 bytes.
func forEachGuarded(t *testing.T, test func(t *testing.T, impl *Implementation, key, dst, src []byte, r *rand.Rand)) {
	t.Helper()
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		one, two, r := newGuarded(t), newGuarded(t), rand.New(rand.NewPCG(60, 0))
		for n := range 301 {
			for _, end := range []bool{true, false} {
				test(t, impl, key, one.at(r, end, n), two.at(r, end, n), r)
			}
			test(t, impl, key, one.at(r, true, n), two.at(r, false, n), r)
			test(t, impl, key, one.at(r, false, n), two.at(r, true, n), r)
		}
	})
}

func TestGuardedXORKeyStream(t *testing.T) {
	forEachGuarded(t, func(t *testing.T, impl *Implementation, key, dst, src []byte, r *rand.Rand) {
		c, block := mustNew(t, impl, key), mustBlock(t, key)
		for skip := range BlockSize {
			from := Counter{r.Uint64N(maxLo), r.Uint64()}
			want := oracleXOR(block, src, from, skip)
			c.XORKeyStream(dst, src, from, skip)
			same(t, dst, want, "%d bytes, skip %d", len(src), skip)
			c.XORKeyStream(src, src, from, skip)
			same(t, src, want, "%d bytes, skip %d, in place", len(src), skip)
			header := r.IntN(len(src) + 1)
			copy(want, src)
			copy(want[header:], oracleXOR(block, src[header:], from, skip))
			c.CopyXOR(dst, src, header, from, skip)
			same(t, dst, want, "%d bytes, skip %d, header %d", len(src), skip, header)
		}
	})
}

// Each record lies at the end or the beginning: alone, as the last one and as
// one of several, since a kernel takes another way for each.
func TestGuardedXORRecords(t *testing.T) {
	forEachGuarded(t, func(t *testing.T, impl *Implementation, key, dst, src []byte, r *rand.Rand) {
		c, block := mustNew(t, impl, key), mustBlock(t, key)
		for skip := range BlockSize {
			from := Counter{r.Uint64N(maxLo), r.Uint64()}
			want := oracleXOR(block, src, from, skip)
			rec := Record{Dst: dst, Src: src, From: from, Skip: skip}
			other := Record{Dst: make([]byte, 40), Src: make([]byte, 40), From: from}
			for _, recs := range [][]Record{{rec}, {other, rec}, {rec, other, other}} {
				clear(dst)
				c.XORRecords(recs)
				same(t, dst, want, "%d bytes, skip %d, one of %d records", len(src), skip, len(recs))
			}
			rec.Dst, other.Dst = src, other.Src
			c.XORRecords([]Record{rec, other, other})
			same(t, src, want, "%d bytes, skip %d, in place", len(src), skip)
		}
		guardedSplit(t, c, key, dst, src, r)
	})
}

// guardedSplit fills the memory with two adjacent records.
func guardedSplit(t *testing.T, c *Cipher, key, dst, src []byte, r *rand.Rand) {
	t.Helper()
	at, block := r.IntN(len(src)+1), mustBlock(t, key)
	recs := []Record{
		{Dst: dst[:at:at], Src: src[:at:at], From: Counter{1, r.Uint64()}, Skip: r.IntN(BlockSize)},
		{Dst: dst[at:], Src: src[at:], From: Counter{2, r.Uint64()}, Skip: r.IntN(BlockSize)},
	}
	want := oracleXOR(block, src[:at], recs[0].From, recs[0].Skip)
	want = append(want, oracleXOR(block, src[at:], recs[1].From, recs[1].Skip)...)
	c.XORRecords(recs)
	same(t, dst, want, "%d bytes, split at %d", len(src), at)
	recs[0].Dst, recs[1].Dst = recs[0].Src, recs[1].Src
	c.XORRecords(recs)
	same(t, src, want, "%d bytes, split at %d, in place", len(src), at)
}

func TestGuardedBlocks(t *testing.T) {
	forEachGuarded(t, func(t *testing.T, impl *Implementation, key, dst, src []byte, _ *rand.Rand) {
		if len(src)%BlockSize != 0 {
			return
		}
		c, clear := mustNew(t, impl, key), bytes.Clone(src)
		want := oracleECB(mustBlock(t, key), src)
		c.EncryptBlocks(dst, src)
		same(t, dst, want, "encrypt %d bytes", len(src))
		c.DecryptBlocks(src, dst)
		same(t, src, clear, "decrypt %d bytes", len(src))
		c.EncryptBlocks(src, src)
		same(t, src, want, "encrypt %d bytes in place", len(src))
		c.DecryptBlocks(src, src)
		same(t, src, clear, "decrypt %d bytes in place", len(src))
	})
}

func TestGuardedXTS(t *testing.T) {
	forEachGuarded(t, func(t *testing.T, impl *Implementation, key, dst, src []byte, r *rand.Rand) {
		if len(src) < BlockSize {
			return
		}
		key = append(bytes.Clone(key), testKey(len(key) + 1)[:len(key)]...)
		x, clear, unit := mustXTS(t, impl, key), bytes.Clone(src), r.Uint64()
		want := oracleStealing(t, key, src, unit)
		x.Encrypt(dst, src, unit)
		same(t, dst, want, "encrypt %d bytes", len(src))
		x.Decrypt(src, dst, unit)
		same(t, src, clear, "decrypt %d bytes", len(src))
		x.Encrypt(src, src, unit)
		same(t, src, want, "encrypt %d bytes in place", len(src))
		x.Decrypt(src, src, unit)
		same(t, src, clear, "decrypt %d bytes in place", len(src))
	})
}
