package aesctr

import (
	"crypto/subtle"
	"unsafe"
)

// XORKeyStream encrypts (or decrypts) src into dst, which is at least as long
// and either the same memory or none of it: out of place it is the copy as
// well. The keystream begins skip (0 to 15) bytes into the block whose counter
// is from; the counter of byte i of a long stream is from.Add(i / 16), its skip
// i % 16. It reports whether a stream had to be set up for the call, which only
// stdlib does. It panics if dst is too short, overlaps src without being it, or
// the counter would pass 2^128 - 1.
func (c *Cipher) XORKeyStream(dst, src []byte, from Counter, skip int) (setup bool) {
	if c.kind == kindVAES512 && ordinary(dst, src, from, skip) { // one call less
		xorVAES512(c.keys.bytes(), unsafe.SliceData(dst), unsafe.SliceData(src), len(src), from.Hi, from.Lo, skip)
		return false
	}
	return c.xorStream(dst, src, from, skip)
}

// xorStream is XORKeyStream for all implementations and any arguments. It stands
// apart to keep the short way short.
func (c *Cipher) xorStream(dst, src []byte, from Counter, skip int) (setup bool) {
	if c.kind != kindStdlib && ordinary(dst, src, from, skip) {
		c.xorPiece(dst[:len(src)], src, from, skip)
		return false
	}
	CheckXOR(dst, src, from, skip)
	if c.kind == kindStdlib {
		return c.std.xor(dst, src, from, skip)
	}
	c.xorKernel(dst[:len(src)], src, from, skip)
	return false
}

// ordinary says whether a call is one that a kernel does in one go: none of the
// rules broken, not empty, not too long, no carry near.
func ordinary(dst, src []byte, from Counter, skip int) bool {
	n := uintptr(len(src)) - 1
	d := uintptr(unsafe.Pointer(unsafe.SliceData(dst))) - uintptr(unsafe.Pointer(unsafe.SliceData(src)))
	return n < maxCall-BlockSize && len(dst) > int(n) && uint(skip) < BlockSize &&
		d-1 >= n && ^d >= n && from.Lo < 1<<64-maxCall/BlockSize-1
}

// CopyXOR copies src to dst, the first clear bytes as they are and the rest
// encrypted on the way, as XORKeyStream does: a page with its header, a record
// with its header. dst is at least as long as src and either the same memory or
// none of it, and clear not more than that; it panics otherwise.
func (c *Cipher) CopyXOR(dst, src []byte, clear int, from Counter, skip int) (setup bool) {
	checkBuffers(dst, src) // the rest behind the header does not show all mistakes
	dst = dst[:len(src)]
	copy(dst[:clear], src[:clear])
	return c.XORKeyStream(dst[clear:], src[clear:], from, skip)
}

// maxCall is the most that one call into assembly does, which the scheduler
// cannot interrupt: about a tenth of a millisecond.
const maxCall = 1 << 20

// xorKernel brings a checked call into the shape the kernels want: no carry out
// of the counter's low half, and no call too long.
func (c *Cipher) xorKernel(dst, src []byte, from Counter, skip int) {
	for {
		n := min(len(src), maxCall-skip)
		// Blocks until the low half wraps; 0 stands for 2^64.
		if left := -from.Lo; left != 0 && left < maxCall/BlockSize {
			n = min(n, int(left)*BlockSize-skip)
		}
		if n > 0 {
			c.xorPiece(dst[:n], src[:n], from, skip)
		}
		if n == len(src) {
			return
		}
		from, _ = from.Add(blocksOf(n, skip)) // n ends at a block's end
		dst, src, skip = dst[n:], src[n:], 0
	}
}

// xorHead does the bytes before the first block border, for kernels that begin
// at one.
func (c *Cipher) xorHead(dst, src []byte, from Counter, skip int) (n int) {
	var stream [BlockSize]byte
	c.xorPiece(stream[:], stream[:], from, 0)
	return subtle.XORBytes(dst, src[:min(len(src), BlockSize-skip)], stream[skip:])
}
