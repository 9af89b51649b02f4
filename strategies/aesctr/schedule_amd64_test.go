//go:build amd64 && !purego

package aesctr

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// times multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, 4.2).
func times(a, b byte) (product byte) {
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		over := a >> 7
		a = a<<1 ^ over*0x1b
	}
	return product
}

// sbox computes the substitution of one byte (FIPS 197, 5.1.1): the inverse,
// which is the power 254, and then an affine map.
func sbox(b byte) byte {
	inverse := byte(1)
	for range 254 {
		inverse = times(inverse, b)
	}
	out := byte(0x63)
	for turn := range 5 {
		out ^= inverse<<turn | inverse>>(8-turn)
	}
	return out
}

// referenceSchedule is KeyExpansion by the book (FIPS 197, 5.2), in words.
func referenceSchedule(key []byte) []uint32 {
	sub := func(w uint32) (out uint32) {
		for shift := 0; shift < 32; shift += 8 {
			out |= uint32(sbox(byte(w>>shift))) << shift
		}
		return out
	}
	nk := len(key) / 4
	words := make([]uint32, 4*(Rounds(len(key))+1))
	constant := byte(1)
	for i := range words {
		if i < nk {
			words[i] = binary.BigEndian.Uint32(key[4*i:])
			continue
		}
		t := words[i-1]
		switch {
		case i%nk == 0:
			t = sub(t<<8|t>>24) ^ uint32(constant)<<24
			constant = times(constant, 2)
		case nk > 6 && i%nk == 4:
			t = sub(t)
		}
		words[i] = words[i-nk] ^ t
	}
	return words
}

// referenceRound is round key i of the schedule.
func referenceRound(words []uint32, i int) (key [BlockSize]byte) {
	for j := range 4 {
		binary.BigEndian.PutUint32(key[4*j:], words[4*i+j])
	}
	return key
}

// inverseMix is InvMixColumns (FIPS 197, 5.3.3), which the round keys of the
// equivalent inverse cipher have behind them.
func inverseMix(in [BlockSize]byte) (out [BlockSize]byte) {
	for i := range out {
		for row, factor := range []byte{14, 11, 13, 9} {
			out[i] ^= times(in[i&^3|(i+row)&3], factor)
		}
	}
	return out
}

// FIPS 197, appendices A.1 and A.3: the first and the last expanded words.
func TestReferenceSchedule(t *testing.T) {
	for _, tc := range []struct {
		key  string
		at   int
		want []uint32
	}{
		{nistKey128, 4, []uint32{0xa0fafe17, 0x88542cb1, 0x23a33939, 0x2a6c7605}},
		{nistKey128, 40, []uint32{0xd014f9a8, 0xc9ee2589, 0xe13f0cc8, 0xb6630ca6}},
		{nistKey256, 8, []uint32{0x9ba35411, 0x8e6925af, 0xa51a8b5f, 0x2067fcde}},
		{nistKey256, 56, []uint32{0xfe4890d1, 0xe6188d0b, 0x046df344, 0x706c631e}},
	} {
		words := referenceSchedule(unhex(t, tc.key))
		for i, want := range tc.want {
			if got := words[tc.at+i]; got != want {
				t.Errorf("key %s, word %d is %08x, want %08x", tc.key, tc.at+i, got, want)
			}
		}
	}
}

// The kernels' schedules, both ways, of the keys of FIPS 197 and of random ones.
func TestSchedule(t *testing.T) {
	if len(Supported()) == 1 {
		t.Log("no kernel can run here, so none expands a key")
		return
	}
	keys := [][]byte{unhex(t, nistKey128), unhex(t, nistKey256), make([]byte, 16), make([]byte, 32), bytes.Repeat([]byte{255}, 32)}
	r := rand.New(rand.NewPCG(71, 0))
	for range 30 {
		keys = append(keys, noise(r, 16), noise(r, 32))
	}
	for _, key := range keys {
		words, rounds := referenceSchedule(key), Rounds(len(key))
		c := mustNew(t, Supported()[0], key)
		if c.keys.rounds != uint64(rounds) {
			t.Fatalf("%d rounds, want %d", c.keys.rounds, rounds)
		}
		for i := range rounds + 1 {
			want := referenceRound(words, i)
			if got := c.keys.enc[i]; got != want {
				t.Errorf("key %x, round key %d is %x, want %x", key, i, got, want)
			}
			if i > 0 && i < rounds {
				want = inverseMix(want)
			}
			if got := c.keys.dec[rounds-i]; got != want {
				t.Errorf("key %x, decryption key %d is %x, want %x", key, rounds-i, got, want)
			}
		}
	}
}
