package aesctr

import "testing"

// forEachKernel runs a test of every implementation in assembly: they allocate
// nothing, which stdlib cannot promise.
func forEachKernel(t *testing.T, test func(t *testing.T, c *Cipher, x *XTS)) {
	t.Helper()
	forEach(t, func(t *testing.T, impl *Implementation) {
		if impl != stdlib {
			test(t, mustNew(t, impl, testKey(32)), mustXTS(t, impl, testKey(64)))
		}
	})
}

func noAllocs(t *testing.T, what string, call func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, call); n != 0 {
		t.Errorf("%s allocates %v times", what, n)
	}
}

// Every call in every way through it: with and without skip, cut at a carry, as
// one of the records that a kernel leaves to the single call.
func TestAllocs(t *testing.T) {
	forEachKernel(t, func(t *testing.T, c *Cipher, x *XTS) {
		dst, src, carry := make([]byte, 2<<20), make([]byte, 2<<20), Counter{1, maxLo}
		recs := []Record{
			{Dst: dst[:100], Src: src[:100], Skip: 3}, {}, {Dst: dst[200:300], Src: src[200:300], From: carry},
			{Dst: dst[400:], Src: src[400:], Skip: 1}, {Dst: src[:70], Src: src[:70]},
		}
		inPlace := []Record{{Dst: dst[:64], Src: dst[:64]}, {Dst: dst[64:100], Src: dst[64:100]}, {}, {Dst: dst[100:163], Src: dst[100:163], From: carry}}
		noAllocs(t, "XORKeyStream", func() {
			c.XORKeyStream(dst, src[:100], Counter{}, 0)
			c.XORKeyStream(dst, src[:1], carry, 15)
			c.XORKeyStream(dst, src[:1000], carry, 5)
			c.XORKeyStream(dst, src, carry, 5)
		})
		noAllocs(t, "CopyXOR", func() { c.CopyXOR(dst[:300], src[:300], 24, carry, 7) })
		noAllocs(t, "XORRecords", func() { c.XORRecords(recs); c.XORRecords(inPlace) })
		noAllocs(t, "blocks", func() { c.EncryptBlocks(dst, src[:208]); c.DecryptBlocks(dst, src[:208]) })
		noAllocs(t, "XTS", func() { x.Encrypt(dst, src[:8192], 1); x.Decrypt(dst, src[:8192], 1) })
		noAllocs(t, "XTS with stealing", func() { x.Encrypt(dst, src[:777], 1); x.Decrypt(dst, src[:777], 1) })
	})
}

// Buffers on the caller's stack stay there.
func TestAllocsOnStack(t *testing.T) {
	forEachKernel(t, func(t *testing.T, c *Cipher, x *XTS) {
		var sum byte
		noAllocs(t, "XORKeyStream", func() {
			var dst, src [100]byte
			c.XORKeyStream(dst[:], src[:], Counter{}, 3)
			sum += dst[99]
		})
		noAllocs(t, "CopyXOR", func() {
			var dst, src [100]byte
			c.CopyXOR(dst[:], src[:], 24, Counter{}, 3)
			sum += dst[99]
		})
		noAllocs(t, "XORRecords", func() {
			var dst, src [100]byte
			recs := [...]Record{{Dst: dst[:40], Src: src[:40]}, {Dst: dst[40:], Src: src[40:], Skip: 1}}
			c.XORRecords(recs[:])
			sum += dst[99]
		})
		noAllocs(t, "blocks", func() {
			var dst, src [96]byte
			c.EncryptBlocks(dst[:], src[:])
			c.DecryptBlocks(src[:], dst[:])
			sum += src[95]
		})
		noAllocs(t, "XTS", func() {
			var dst, src [99]byte
			x.Encrypt(dst[:], src[:], 1)
			x.Decrypt(src[:], dst[:], 1)
			sum += src[98]
		})
		if c.XORKeyStream(nil, nil, Counter{}, int(sum)&1) {
			t.Error("a kernel set a stream up")
		}
	})
}
