package aesctr

import (
	"bytes"
	"crypto/aes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/crypto/xts"
	"pgregory.net/rapid"
)

// oracleXTS is what x/crypto makes of src, a multiple of 16 bytes long.
func oracleXTS(t tester, key, src []byte, unit uint64) []byte {
	t.Helper()
	c, err := xts.NewCipher(aes.NewCipher, key)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, len(src))
	c.Encrypt(out, src, unit)
	return out
}

// checkXTS encrypts and decrypts n bytes in and out of place, and compares with
// secret, what another program made of clear.
func checkXTS(t tester, x *XTS, clear, secret []byte, unit uint64, r *rand.Rand) {
	t.Helper()
	n := len(clear)
	src, dst := newField(r, r.IntN(65), n), newField(r, r.IntN(65), n)
	copy(src.buffer(), clear)
	x.Encrypt(dst.buffer(), src.buffer(), unit)
	must(t, dst.check(secret), "encrypt %d bytes", n)
	must(t, src.check(clear), "source of encrypt, %d bytes", n)
	x.Decrypt(src.buffer(), dst.buffer(), unit)
	must(t, src.check(clear), "decrypt %d bytes", n)
	must(t, dst.check(secret), "source of decrypt, %d bytes", n)
	x.Encrypt(src.buffer(), src.buffer(), unit)
	must(t, src.check(secret), "encrypt %d bytes in place", n)
	x.Decrypt(src.buffer(), src.buffer(), unit)
	must(t, src.check(clear), "decrypt %d bytes in place", n)
}

func TestXTSAgainstXCrypto(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			key := noise(r, rapid.SampledFrom([]int{32, 64}).Draw(t, "key"))
			clear := noise(r, BlockSize*rapid.IntRange(1, 70).Draw(t, "blocks"))
			unit := rapid.Uint64().Draw(t, "unit")
			checkXTS(t, mustXTS(t, impl, key), clear, oracleXTS(t, key, clear, unit), unit, r)
		})
	})
}

// Every number of blocks, for the ends of the loops.
func TestXTSLengths(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		for _, size := range []int{32, 64} {
			key, r := testKey(size), rand.New(rand.NewPCG(50, 0))
			x := mustXTS(t, impl, key)
			for n := BlockSize; n <= 1100; n += BlockSize {
				clear, unit := noise(r, n), r.Uint64()
				checkXTS(t, x, clear, oracleXTS(t, key, clear, unit), unit, r)
			}
		}
	})
}

// oracleStealing is ciphertext stealing by the book (IEEE Std 1619, section
// 5.3.2), out of whole blocks by x/crypto: the last block, filled up with the end
// of the one before, is encrypted as the block behind all the others, and then
// the two change places.
func oracleStealing(t tester, key, src []byte, unit uint64) []byte {
	t.Helper()
	whole := len(src) / BlockSize * BlockSize
	rest := len(src) - whole
	if rest == 0 {
		return oracleXTS(t, key, src, unit)
	}
	out := oracleXTS(t, key, src[:whole], unit)
	stolen := bytes.Clone(out[whole-BlockSize:])
	end := append(bytes.Clone(src[whole:]), stolen[rest:]...)
	longer := oracleXTS(t, key, append(bytes.Clone(src[:whole]), end...), unit)
	copy(out[whole-BlockSize:], longer[whole:])
	return append(out, stolen[:rest]...)
}

func TestXTSStealing(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		for _, size := range []int{32, 64} {
			key, r := testKey(size), rand.New(rand.NewPCG(51, 0))
			x := mustXTS(t, impl, key)
			for n := BlockSize; n <= 300; n++ {
				clear, unit := noise(r, n), r.Uint64()
				checkXTS(t, x, clear, oracleStealing(t, key, clear, unit), unit, r)
			}
		}
	})
}

// More than one call into assembly may do.
func TestXTSLong(t *testing.T) {
	key, r, secrets := testKey(64), rand.New(rand.NewPCG(53, 0)), map[int][]byte{}
	clear := noise(r, maxCall+17)
	for _, n := range []int{maxCall, maxCall + 1, maxCall + 16, maxCall + 17} {
		secrets[n] = oracleStealing(t, key, clear[:n], 9) // slow: once for all
	}
	forEach(t, func(t *testing.T, impl *Implementation) {
		for n, secret := range secrets {
			checkXTS(t, mustXTS(t, impl, key), clear[:n], secret, 9, r)
		}
	})
}

// Dst may be longer than src: what lies behind belongs to someone else.
func TestXTSLongDst(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		key, r := testKey(32), rand.New(rand.NewPCG(52, 0))
		x := mustXTS(t, impl, key)
		for n := BlockSize; n < 100; n++ {
			clear, dst := noise(r, n), newField(r, 0, n+40)
			want := bytes.Clone(dst.buffer())
			secret := oracleStealing(t, key, clear, 3)
			copy(want, secret)
			x.Encrypt(dst.buffer(), clear, 3)
			must(t, dst.check(want), "encrypt %d bytes", n)
			copy(want, clear)
			x.Decrypt(dst.buffer(), secret, 3)
			must(t, dst.check(want), "decrypt %d bytes", n)
		}
	})
}

func checkKeyError(t *testing.T, err error, n int, fits bool) {
	t.Helper()
	var size aes.KeySizeError
	switch {
	case fits && err != nil:
		t.Errorf("key of %d bytes: %v", n, err)
	case !fits && (!errors.As(err, &size) || int(size) != n || !strings.Contains(err.Error(), "want")):
		t.Errorf("key of %d bytes: error %v, want one that wraps KeySizeError(%d)", n, err, n)
	}
}
