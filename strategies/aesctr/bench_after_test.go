package aesctr

import (
	"crypto/sha256"
	"testing"
)

// BenchmarkAfter shows whether the kernels slow down the SSE code that runs
// after them, which dirty upper halves of registers do, SHA-256 by a factor of
// 89: "kernel then sha" has to take what "kernel alone" and "sha alone" take
// together.
func BenchmarkAfter(b *testing.B) {
	message := testKey(1024)
	b.Run("sha alone", func(b *testing.B) {
		for b.Loop() {
			sha256.Sum256(message)
		}
	})
	for _, i := range Supported() {
		c, x := mustNew(b, i, testKey(16)), mustXTS(b, i, testKey(32))
		dst, src := benchBuffers(1024)
		recs := []Record{{Dst: dst[:100], Src: src[:100]}, {Dst: dst[100:200], Src: src[100:200]}, {Dst: dst[200:], Src: src[200:]}}
		for _, call := range []struct {
			name string
			do   func()
		}{
			{"xor", func() { c.XORKeyStream(dst, src, Counter{}, 0) }},
			{"xor-tail", func() { c.XORKeyStream(dst[:77], src[:77], Counter{}, 5) }},
			{"records", func() { c.XORRecords(recs) }},
			{"ecb", func() { c.EncryptBlocks(dst, src) }},
			{"ecb-decrypt", func() { c.DecryptBlocks(dst, src) }},
			{"xts", func() { x.Encrypt(dst, src, 1) }},
			{"xts-decrypt", func() { x.Decrypt(dst, src, 1) }},
			{"unit", func() { i.UnitRounds(10) }},
		} {
			b.Run(i.Name+"/"+call.name+"/kernel alone", func(b *testing.B) {
				for b.Loop() {
					call.do()
				}
			})
			b.Run(i.Name+"/"+call.name+"/kernel then sha", func(b *testing.B) {
				for b.Loop() {
					call.do()
					sha256.Sum256(message)
				}
			})
		}
	}
}
