package ciphers

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/xts"
)

// oracle says what the records of a ring have to look like after one pass, from
// packages that no subject of this project shares code with.
type oracle struct{ suite, call string }

func (o oracle) key(t *testing.T) []byte {
	t.Helper()
	switch {
	case o.suite == "chacha20-poly1305", o.suite == "aes-128-xts", strings.HasPrefix(o.suite, "aes-256") && o.suite != "aes-256-xts":
		return testKey(32)
	case o.suite == "aes-256-xts":
		return testKey(64)
	}
	return testKey(16)
}

// want is the records one behind the other.
func (o oracle) want(t *testing.T, r *ring) []byte {
	t.Helper()
	switch {
	case o.suite == suiteCopy:
		return o.plain(r)
	case strings.HasSuffix(o.suite, "-xts"):
		return o.xts(t, r)
	case strings.HasSuffix(o.suite, "-gcm"), o.suite == "chacha20-poly1305":
		return o.sealed(t, r)
	}
	return o.ctr(t, r)
}

func (o oracle) plain(r *ring) (all []byte) {
	for i := range r.recs {
		all = append(all, r.recs[i].Src...)
	}
	return all
}

func (o oracle) block(t *testing.T) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(o.key(t))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (o oracle) ctr(t *testing.T, r *ring) []byte {
	t.Helper()
	all := o.plain(r)
	iv := nonceBlock(0)
	if o.call == CallStream {
		cipher.NewCTR(o.block(t), iv[:]).XORKeyStream(all, all)
		return all
	}
	at := all
	for i := range r.recs {
		n := len(r.recs[i].Src)
		iv = nonceBlock(i)
		cipher.NewCTR(o.block(t), iv[:]).XORKeyStream(at[:n], at[:n])
		at = at[n:]
	}
	return all
}

// nonceBlock writes the counter block of record i out in bytes.
func nonceBlock(i int) (b [16]byte) {
	copy(b[:], []byte{1, 2, 3, 4, 5, 6, 7, 8})
	binary.BigEndian.PutUint32(b[8:], uint32(i))
	return b
}

func (o oracle) sealed(t *testing.T, r *ring) (all []byte) {
	t.Helper()
	var aead cipher.AEAD
	var err error
	if strings.HasSuffix(o.suite, "-gcm") {
		aead, err = cipher.NewGCM(o.block(t))
	} else {
		aead, err = chacha20poly1305.New(o.key(t))
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.recs {
		iv := nonceBlock(i)
		out := aead.Seal(nil, iv[:12], r.recs[i].Src, nil)
		all = append(all, out[:len(r.recs[i].Src)]...)
	}
	return all
}

// xts takes x/crypto for whole blocks; it has no ciphertext stealing, and the
// last one or two blocks come from IEEE 1619's description of it.
func (o oracle) xts(t *testing.T, r *ring) (all []byte) {
	t.Helper()
	x, err := xts.NewCipher(aes.NewCipher, o.key(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.recs {
		src := r.recs[i].Src
		whole, rest := len(src)/16*16, len(src)%16
		out := make([]byte, aligned(len(src), 16))
		x.Encrypt(out[:whole], src[:whole], uint64(i))
		if rest > 0 {
			// The block before the last lends its end to the last, which is
			// encrypted in its place, with the next tweak: that of the block behind.
			stolen := bytes.Clone(out[whole-16 : whole])
			longer := append(bytes.Clone(src[:whole]), append(bytes.Clone(src[whole:]), stolen[rest:]...)...)
			x.Encrypt(longer, longer, uint64(i))
			copy(out[whole-16:], longer[whole:])
			copy(out[whole:], stolen[:rest])
		}
		all = append(all, out[:len(src)]...)
	}
	return all
}

// got is the destinations of a ring one behind the other.
func got(r *ring) (all []byte) {
	for i := range r.recs {
		all = append(all, r.recs[i].Dst[:len(r.recs[i].Src)]...)
	}
	return all
}

var oracleSizes = []Size{{32, 32}, {64, 64}, {100, 100}, {4096, 4096}, {81920, 81920}, {30, 100}, {1000, 9000}}

// Every subject encrypts what its name says.
func TestSubjects(t *testing.T) {
	for _, s := range catalog() {
		if s.suite == suiteRead {
			continue
		}
		for _, size := range oracleSizes {
			if !s.takes(size) {
				continue
			}
			t.Run(s.suite+"/"+s.implementation+"/"+s.call+"/"+size.String(), func(t *testing.T) {
				r := newRing(size)
				w, err := s.open(testKey(s.keyBytes))
				if err != nil {
					t.Fatal(err)
				}
				w.work(r, len(r.recs))
				if !bytes.Equal(got(r), (oracle{s.suite, s.call}).want(t, r)) {
					t.Error("the records are not what the oracle makes of them")
				}
			})
		}
	}
}

// A worker goes round the ring: what is done again is done from its first record
// on, with new nonces.
func TestSubjectsGoOn(t *testing.T) {
	for _, s := range catalog() {
		if s.suite != "aes-128-ctr" || s.call != CallPerRecord {
			continue
		}
		r := newRing(Size{100, 100})
		w, err := s.open(testKey(16))
		if err != nil {
			t.Fatal(err)
		}
		w.work(r, len(r.recs)+1)
		want, iv := make([]byte, 100), nonceBlock(len(r.recs))
		cipher.NewCTR(oracle{"aes-128-ctr", ""}.block(t), iv[:]).XORKeyStream(want, r.recs[0].Src)
		if !bytes.Equal(r.recs[0].Dst[:100], want) {
			t.Errorf("%s: first record after a round trip is not under the next nonce", s.implementation)
		}
	}
}

func TestReaderReads(t *testing.T) {
	r := newRing(Size{100, 100})
	w := &reader{}
	w.work(r, len(r.recs))
	want := 0
	for i := range r.recs {
		want += bytes.Count(r.recs[i].Src, zero)
	}
	if w.zeros != want || want == 0 {
		t.Errorf("counted %d bytes of zero, want %d, more than none", w.zeros, want)
	}
}

// Kernels allocate nothing, whatever the call; the standard library's streams do.
func TestSubjectsAllocate(t *testing.T) {
	for _, s := range catalog() {
		for _, size := range []Size{{64, 64}, {256, 256}} {
			if !s.takes(size) {
				continue
			}
			l, err := newLocal(s)
			if err != nil {
				t.Fatal(err)
			}
			r := newRing(size)
			want := 0.0
			if s.suite == "aes-128-ctr" || s.suite == "aes-256-ctr" {
				if s.implementation == stdlib && s.call != CallStream && size.Min > 128 {
					want = 1
				}
			}
			if s.implementation == xcrypto && s.suite != "chacha20-poly1305" {
				continue // it takes its scratch memory from a pool, which the collector empties
			}
			if got := *l.allocs(r, 4*len(r.recs)); got != want {
				t.Errorf("%s by %s, %s, %v B: %v allocations a record, want %v", s.suite, s.implementation, s.call, size, got, want)
			}
		}
	}
}

func BenchmarkSubjects(b *testing.B) {
	for _, s := range catalog() {
		for _, size := range []Size{{64, 64}, {8192, 8192}} {
			b.Run(s.suite+"/"+s.implementation+"/"+s.call+"/"+size.String(), func(b *testing.B) {
				r := newRing(size)
				w, err := s.open(testKey(s.keyBytes))
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(r.bytes))
				b.ReportAllocs()
				for b.Loop() {
					w.work(r, len(r.recs))
				}
			})
		}
	}
}
