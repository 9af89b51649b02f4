package aesctr

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"sync"
)

// testKey is a key of the length in bytes, always the same.
func testKey(size int) []byte { return noise(rand.New(rand.NewPCG(1, uint64(size))), size) }

// pool is where noise comes from: drawing it anew takes most of a test's time
// under the race detector.
var pool = sync.OnceValue(func() []byte {
	b := make([]byte, 4<<20)
	block, err := aes.NewCipher([]byte("aesctr test pool"))
	if err != nil {
		panic(err)
	}
	cipher.NewCTR(block, make([]byte, BlockSize)).XORKeyStream(b, b)
	return b
})

// noise is n bytes that no kernel can get right by chance.
func noise(r *rand.Rand, n int) []byte {
	at := r.IntN(len(pool()) - n + 1)
	return bytes.Clone(pool()[at:][:n])
}

// tester is what *testing.T, *testing.B, *testing.F and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func mustNew(t tester, impl *Implementation, key []byte) *Cipher {
	t.Helper()
	c, err := impl.New(key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustXTS(t tester, impl *Implementation, key []byte) *XTS {
	t.Helper()
	x, err := impl.NewXTS(key)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func mustBlock(t tester, key []byte) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// oracleXOR is what crypto/cipher makes of src.
func oracleXOR(block cipher.Block, src []byte, from Counter, skip int) []byte {
	iv := from.Block()
	out := make([]byte, skip+len(src))
	copy(out[skip:], src)
	cipher.NewCTR(block, iv[:]).XORKeyStream(out, out)
	return out[skip:]
}

// oracleECB is what crypto/aes makes of src, block by block.
func oracleECB(block cipher.Block, src []byte) []byte {
	out := make([]byte, len(src))
	for i := 0; i < len(src); i += BlockSize {
		block.Encrypt(out[i:], src[i:])
	}
	return out
}

// margin is how far around an output a test looks for bytes that changed.
const margin = 64

// field is memory full of noise with a buffer at an offset in it. What is around
// the buffer has to stay as it is.
type field struct {
	mem    []byte
	before []byte
	at, n  int
}

// newField puts a buffer of n bytes at byte at of the margin before it.
func newField(r *rand.Rand, at, n int) *field {
	f := &field{mem: noise(r, at+n+2*margin), at: at + margin, n: n}
	f.before = bytes.Clone(f.mem)
	return f
}

// buffer is the memory to use, with capacity beyond its length: whoever ignores
// the length is caught by check.
func (f *field) buffer() []byte { return f.mem[f.at : f.at+f.n] }

// check wants the buffer to hold want, and everything around it to be untouched.
func (f *field) check(want []byte) error {
	if got := f.buffer(); !bytes.Equal(got, want) {
		i := differ(got, want)
		return fmt.Errorf("byte %d of %d is %#02x, want %#02x", i, len(want), got[i], want[i])
	}
	end := f.at + f.n
	if !bytes.Equal(f.mem[:f.at], f.before[:f.at]) {
		return fmt.Errorf("byte %d before the output changed", f.at-differ(f.mem[:f.at], f.before[:f.at]))
	}
	if !bytes.Equal(f.mem[end:], f.before[end:]) {
		return fmt.Errorf("byte %d behind the output changed", differ(f.mem[end:], f.before[end:]))
	}
	return nil
}

// differ is the first index where a and b, of one length, differ.
func differ(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// must ends the test on the first error, with where it happened.
func must(t tester, err error, format string, args ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// same wants two buffers of one length to be equal.
func same(t tester, got, want []byte, format string, args ...any) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Fatalf(format+": byte %d is wrong", append(args, differ(got, want))...)
	}
}
