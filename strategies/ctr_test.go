package strategies

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/strategies/aesctr"
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
				c, err := s.newCTR(key)
				if err != nil {
					rt.Fatal(err)
				}
				inPlace := rapid.Bool().Draw(rt, "in place")
				recs := rapid.SliceOfN(rapid.Custom(drawPiece), 1, 9).Draw(rt, "records")
				if len(recs) == 1 {
					r := recs[0].record(inPlace)
					c.XORKeyStream(r.Dst, r.Src, r.From, recs[0].skip)
					recs[0].check(rt, key, r)
					return
				}
				work := make([]aesctr.Record, len(recs))
				for i := range recs {
					work[i] = recs[i].record(inPlace)
				}
				c.XORRecords(work)
				for i := range recs {
					recs[i].check(rt, key, work[i])
				}
			})
		})
	}
}

// piece is one piece of work: n bytes of anything, from a place in a keystream on.
type piece struct {
	plain []byte
	from  aesctr.Counter
	skip  int
}

func drawPiece(t *rapid.T) piece {
	plain := make([]byte, rapid.IntRange(0, 700).Draw(t, "n"))
	for i := range plain {
		plain[i] = byte(rand.Uint32())
	}
	// Near the carries of 32 and 64 bits, and anywhere.
	lo := rapid.SampledFrom([]uint64{0, 1<<32 - 3, 1<<64 - 3, 1 << 63}).Draw(t, "lo")
	return piece{
		plain: plain,
		from: aesctr.Counter{
			Hi: rapid.Uint64Max(1<<64-2).Draw(t, "hi"), // the last counter of all must not be passed
			Lo: lo + rapid.Uint64Range(0, 3).Draw(t, "more"),
		},
		skip: rapid.IntRange(0, 15).Draw(t, "skip"),
	}
}

func (p *piece) record(inPlace bool) aesctr.Record {
	r := aesctr.Record{Src: slices.Clone(p.plain), From: p.from, Skip: p.skip}
	r.Dst = r.Src
	if !inPlace {
		r.Dst = make([]byte, len(r.Src)+1) // may be longer
	}
	return r
}

func (p *piece) check(t *rapid.T, key []byte, r aesctr.Record) {
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	iv, want := p.from.Block(), make([]byte, p.skip+len(p.plain))
	copy(want[p.skip:], p.plain)
	cipher.NewCTR(block, iv[:]).XORKeyStream(want, want)
	if !bytes.Equal(r.Dst[:len(p.plain)], want[p.skip:]) {
		t.Fatalf("%d bytes, skip %d, counter %x: keystream differs", len(p.plain), p.skip, p.from)
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
		name := s.Cipher
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
		c.XORKeyStream(got, got, aesctr.CounterOf([16]byte(unhex(t, iv))), 0)
		if hex.EncodeToString(got) != v[1] {
			t.Errorf("%s: %x, want %s", s.Name, got, v[1])
		}
	}
}

// What no caller may ask for panics in every suite, before a byte is written.
func TestCTRMisuse(t *testing.T) {
	for _, s := range ctrSuites() {
		c, err := s.newCTR(make([]byte, s.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		last := aesctr.Counter{Hi: 1<<64 - 1, Lo: 1<<64 - 1}
		for name, call := range map[string]func(b []byte){
			"short destination": func(b []byte) { c.XORKeyStream(b[:50], make([]byte, 100), aesctr.Counter{}, 0) },
			"overlap":           func(b []byte) { c.XORKeyStream(b[1:101], b[:100], aesctr.Counter{}, 0) },
			"skip":              func(b []byte) { c.XORKeyStream(b[:100], make([]byte, 100), aesctr.Counter{}, 16) },
			"counter":           func(b []byte) { c.XORKeyStream(b[:100], make([]byte, 100), last, 0) },
			"in a batch": func(b []byte) {
				c.XORRecords([]aesctr.Record{{Dst: b[:50], Src: make([]byte, 100)}})
			},
		} {
			b := make([]byte, 200)
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s, %s: no panic", s.Name, name)
					}
				}()
				call(b)
			}()
			if !bytes.Equal(b, make([]byte, 200)) {
				t.Errorf("%s, %s: bytes were written", s.Name, name)
			}
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
					c.XORKeyStream(buf, buf, aesctr.Counter{Hi: 1}, 0)
				}
			})
		}
	}
}
