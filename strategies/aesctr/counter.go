package aesctr

import (
	"encoding/binary"
	"math/bits"
)

// BlockSize is the size of an AES block in bytes.
const BlockSize = 16

// Counter is the 128-bit counter block that counter mode encrypts to get one
// block of keystream: a big-endian integer (NIST SP 800-38A, appendix B.1, with
// the whole block as the counter). It is kept as two numbers because that is
// how it is made and how the kernels want it: a block written byte by byte and
// loaded as a whole right after waits for the stores.
type Counter struct{ Hi, Lo uint64 }

// CounterOf reads a counter block as it is written down: 16 bytes, big endian.
func CounterOf(b [BlockSize]byte) Counter {
	return Counter{Hi: binary.BigEndian.Uint64(b[:8]), Lo: binary.BigEndian.Uint64(b[8:])}
}

// Block is the counter block as it goes into the cipher.
func (c Counter) Block() (b [BlockSize]byte) {
	binary.BigEndian.PutUint64(b[:8], c.Hi)
	binary.BigEndian.PutUint64(b[8:], c.Lo)
	return b
}

// Add returns the counter blocks later, and whether that is past the last one,
// 2^128 - 1.
func (c Counter) Add(blocks uint64) (sum Counter, past bool) {
	lo, carry := bits.Add64(c.Lo, blocks, 0)
	hi, over := bits.Add64(c.Hi, 0, carry)
	return Counter{hi, lo}, over != 0
}

// blocksOf is the number of blocks that n bytes touch when they begin skip bytes
// into the first.
func blocksOf(n, skip int) uint64 { return (uint64(n) + uint64(skip) + BlockSize - 1) / BlockSize }
