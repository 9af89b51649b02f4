package strategies

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ctrSuites are all suites with counter-mode contexts.
func ctrSuites() (list []*Suite) {
	for _, s := range Suites() {
		if s.Mode == ModeCTR {
			list = append(list, s)
		}
	}
	return list
}

func TestCTRAgainstCryptoCipher(t *testing.T) {
	for _, s := range ctrSuites() {
		t.Run(s.Name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				key := rapid.SliceOfN(rapid.Byte(), s.KeySize, s.KeySize).Draw(rt, "key")
				var iv CounterBlock
				binary.BigEndian.PutUint64(iv[:], rapid.Uint64().Draw(rt, "hi"))
				// Near the carries of 32, 64 and 128 bits, and anywhere.
				lo := rapid.SampledFrom([]uint64{0, 1<<32 - 3, 1<<64 - 3, 1 << 63}).Draw(rt, "lo")
				binary.BigEndian.PutUint64(iv[8:], lo+rapid.Uint64Range(0, 3).Draw(rt, "more"))
				n, skip := rapid.IntRange(0, 700).Draw(rt, "n"), rapid.IntRange(0, 15).Draw(rt, "skip")
				checkXOR(rt, s, key, iv, n, skip, rapid.Bool().Draw(rt, "in place"))
			})
		})
	}
}

func checkXOR(t *rapid.T, s *Suite, key []byte, iv CounterBlock, n, skip int, inPlace bool) {
	c, err := s.newCTR(key)
	if err != nil {
		t.Fatal(err)
	}
	src := make([]byte, n)
	for i := range src {
		src[i] = byte(rand.Uint32())
	}
	block, _ := aes.NewCipher(key)
	want := make([]byte, skip+n)
	copy(want[skip:], src)
	cipher.NewCTR(block, iv[:]).XORKeyStream(want, want)
	dst := src
	if !inPlace {
		dst = make([]byte, n+1)[:n]
	}
	c.XORKeyStream(dst, src, iv, skip)
	if !bytes.Equal(dst, want[skip:]) {
		t.Fatalf("%d bytes, skip %d, counter %x: keystream differs", n, skip, iv)
	}
}

// NIST SP 800-38A, F.5.1 and F.5.5: CTR-AES128 and CTR-AES256.
func TestCTRVectors(t *testing.T) {
	const (
		plain = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
		iv    = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
	)
	vectors := map[string][2]string{
		"aes-128-ctr": {"2b7e151628aed2a6abf7158809cf4f3c",
			"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
		"aes-256-ctr": {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
			"601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
	}
	for _, s := range ctrSuites() {
		name := s.Name
		if strings.HasPrefix(name, "ctr-ecb-") {
			name = "aes-128-ctr" // another way to the same keystream
		}
		v, ok := vectors[name]
		if !ok {
			t.Errorf("suite %s has no vector here: add one", s.Name)
			continue
		}
		c, err := s.newCTR(unhex(t, v[0]))
		if err != nil {
			t.Fatal(err)
		}
		got := unhex(t, plain)
		c.XORKeyStream(got, got, CounterBlock(unhex(t, iv)), 0)
		if hex.EncodeToString(got) != v[1] {
			t.Errorf("%s: %x, want %s", s.Name, got, v[1])
		}
	}
}

func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func BenchmarkCTR(b *testing.B) {
	for _, s := range ctrSuites() {
		for _, n := range []int{76, 8192} {
			b.Run(s.Name+"/"+map[int]string{76: "76B", 8192: "8kB"}[n], func(b *testing.B) {
				c, err := s.newCTR(make([]byte, s.KeySize))
				if err != nil {
					b.Fatal(err)
				}
				buf := make([]byte, n)
				b.SetBytes(int64(n))
				b.ReportAllocs()
				for b.Loop() {
					c.XORKeyStream(buf, buf, CounterBlock{1}, 0)
				}
			})
		}
	}
}
