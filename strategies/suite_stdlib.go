package strategies

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
)

func init() {
	registerSuite(&Suite{
		Name: "aes-128-ctr", Mode: ModeCTR, KeySize: 16, newCTR: newStdlibCTR, oneShot: oneShotStdlib,
		Summary: "AES-128 in counter mode, Go's standard library",
	})
	registerSuite(&Suite{
		Name: "aes-256-ctr", Mode: ModeCTR, KeySize: 32, newCTR: newStdlibCTR, oneShot: oneShotStdlib,
		Summary: "AES-256 in counter mode, Go's standard library",
	})
}

// shortBlocks is the length up to which block-by-block encryption is cheaper
// than cipher.NewCTR, which allocates 512 bytes and copies the key schedule.
const shortBlocks = 8

// stdlibCTR is AES-CTR from the standard library with the key schedule kept.
// A new nonce needs a new stream there, so short pieces are done block by block
// on the kept schedule instead, without allocation.
type stdlibCTR struct {
	block   cipher.Block
	counter CounterBlock
	stream  [aes.BlockSize]byte
}

func newStdlibCTR(key []byte) (CTR, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return &stdlibCTR{block: block}, nil
}

func (c *stdlibCTR) XORKeyStream(dst, src []byte, iv CounterBlock, skip int) (setup bool) {
	if skip+len(src) <= shortBlocks*aes.BlockSize {
		c.xorShort(dst, src, iv, skip)
		return false
	}
	c.counter = iv
	stream := cipher.NewCTR(c.block, c.counter[:])
	if skip > 0 {
		stream.XORKeyStream(c.stream[:skip], c.stream[:skip])
	}
	stream.XORKeyStream(dst[:len(src)], src)
	return true
}

func (c *stdlibCTR) xorShort(dst, src []byte, iv CounterBlock, skip int) {
	c.counter = iv
	for len(src) > 0 {
		c.block.Encrypt(c.stream[:], c.counter[:])
		n := subtle.XORBytes(dst, src, c.stream[skip:])
		dst, src, skip = dst[n:], src[n:], 0
		c.counter.increment()
	}
}

// oneShotStdlib is the naive call: key schedule and stream for one record.
func oneShotStdlib(key, dst, src []byte, iv CounterBlock) {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("strategies: " + err.Error()) // the key has the suite's size
	}
	cipher.NewCTR(block, iv[:]).XORKeyStream(dst, src)
}

// increment adds one to the counter block, a 128-bit big-endian integer.
func (b *CounterBlock) increment() {
	lo := binary.BigEndian.Uint64(b[8:]) + 1
	binary.BigEndian.PutUint64(b[8:], lo)
	if lo == 0 {
		binary.BigEndian.PutUint64(b[:], binary.BigEndian.Uint64(b[:])+1)
	}
}
