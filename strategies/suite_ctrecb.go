package strategies

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
)

// The two suites here build counter mode as pg_tde does (enc_aes.c): a batch of
// counter blocks is written to a buffer, encrypted in place as in ECB, and
// XORed with the data: byte by byte before its July 2026 fix, with wide
// operations after it (percona/pg_tde pull request 633). The batch is 200 blocks
// of 16 bytes.
//
// What they are not: pg_tde encrypts the batch with one OpenSSL call, eight
// blocks at a time in the AES units. Go's standard library encrypts one block a
// call, so here the encryption itself is several times slower, in both suites
// alike, and the XOR's share is smaller than in pg_tde.
func init() {
	const notOpenSSL = "portable Go encrypts one block a call where pg_tde's OpenSSL encrypts eight at once: " +
		"slower than what it stands for"
	registerSuite(&Suite{
		Name: "ctr-ecb-scalar", Mode: ModeCTR, KeySize: 16, Warning: notOpenSSL,
		Summary: "AES-128 counter mode as pg_tde built it before July 2026: ECB batches of 3200 B, XOR byte by byte",
		newCTR:  func(key []byte) (CTR, error) { return newECBCTR(key, xorBytewise) },
		oneShot: func(key, dst, src []byte, iv CounterBlock) { oneShotECB(key, dst, src, iv, xorBytewise) },
	})
	registerSuite(&Suite{
		Name: "ctr-ecb-vector", Mode: ModeCTR, KeySize: 16, Warning: notOpenSSL,
		Summary: "the same with a wide XOR, as pg_tde builds it since",
		newCTR:  func(key []byte) (CTR, error) { return newECBCTR(key, xorWide) },
		oneShot: func(key, dst, src []byte, iv CounterBlock) { oneShotECB(key, dst, src, iv, xorWide) },
	})
}

// ecbBatch is pg_tde's NUM_AES_BLOCKS_IN_BATCH, 200 blocks, in bytes.
const ecbBatch = 200 * aes.BlockSize

// ecbCTR is counter mode out of batches of encrypted counter blocks.
type ecbCTR struct {
	block   cipher.Block
	xor     func(dst, src, stream []byte)
	counter CounterBlock
	stream  [ecbBatch]byte
}

func newECBCTR(key []byte, xor func(dst, src, stream []byte)) (CTR, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return &ecbCTR{block: block, xor: xor}, nil
}

func oneShotECB(key, dst, src []byte, iv CounterBlock, xor func(dst, src, stream []byte)) {
	c, err := newECBCTR(key, xor)
	if err != nil {
		panic("strategies: " + err.Error()) // the key has the suite's size
	}
	c.XORKeyStream(dst, src, iv, 0)
}

func (c *ecbCTR) XORKeyStream(dst, src []byte, iv CounterBlock, skip int) (setup bool) {
	c.counter = iv
	for len(src) > 0 {
		n := min(len(src), ecbBatch-skip)
		c.batch(skip + n)
		c.xor(dst[:n], src[:n], c.stream[skip:skip+n])
		dst, src, skip = dst[n:], src[n:], 0
	}
	return false
}

// batch makes the keystream of the next n bytes, rounded up to whole blocks.
func (c *ecbCTR) batch(n int) {
	blocks := c.stream[:(n+aes.BlockSize-1)/aes.BlockSize*aes.BlockSize]
	for off := 0; off < len(blocks); off += aes.BlockSize {
		copy(blocks[off:], c.counter[:])
		c.counter.increment()
	}
	for off := 0; off < len(blocks); off += aes.BlockSize {
		b := blocks[off : off+aes.BlockSize]
		c.block.Encrypt(b, b)
	}
}

// xorBytewise is the loop that pg_tde's compiler could not vectorise, since it
// may be called in place; Go's compiler does not vectorise either.
func xorBytewise(dst, src, stream []byte) {
	for i := range src {
		dst[i] = src[i] ^ stream[i]
	}
}

func xorWide(dst, src, stream []byte) { subtle.XORBytes(dst, src, stream) }
