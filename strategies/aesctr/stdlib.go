package aesctr

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"unsafe"
)

// shortBlocks is the length up to which block-by-block encryption is cheaper
// than cipher.NewCTR, which allocates 512 bytes and copies the key schedule.
const shortBlocks = 8

// stdlibCipher is the fallback on crypto/aes with the key schedule kept. A new
// nonce needs a new stream there, so short pieces are done block by block on the
// kept schedule instead, without allocation. The scratch memory is here because
// whatever goes through cipher.Block escapes.
type stdlibCipher struct {
	block  cipher.Block
	in     [aes.BlockSize]byte
	stream [aes.BlockSize]byte
}

func (c *stdlibCipher) xor(dst, src []byte, from Counter, skip int) (setup bool) {
	if shortEnough(len(src), skip) {
		c.xorShort(dst, src, from, skip)
		return false
	}
	c.in = from.Block()
	stream := cipher.NewCTR(c.block, c.in[:])
	if skip > 0 {
		stream.XORKeyStream(c.stream[:skip], c.stream[:skip])
	}
	stream.XORKeyStream(hide(dst[:len(src)]), hide(src))
	return true
}

func shortEnough(n, skip int) bool { return skip+n <= shortBlocks*aes.BlockSize }

func (c *stdlibCipher) xorShort(dst, src []byte, from Counter, skip int) {
	for len(src) > 0 {
		c.in = from.Block()
		c.block.Encrypt(c.stream[:], c.in[:])
		n := subtle.XORBytes(dst, src, c.stream[skip:])
		dst, src, skip = dst[n:], src[n:], 0
		from, _ = from.Add(1)
	}
}

func (c *stdlibCipher) encryptBlocks(dst, src []byte) {
	for len(src) > 0 {
		c.block.Encrypt(hide(dst), hide(src))
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
}

func (c *stdlibCipher) decryptBlocks(dst, src []byte) {
	for len(src) > 0 {
		c.block.Decrypt(hide(dst), hide(src))
		dst, src = dst[BlockSize:], src[BlockSize:]
	}
}

// hide gives b to crypto/aes behind the back of the compiler, which has to think
// that an interface's method keeps its arguments: without this the buffers of
// every caller, of the kernels too, would have to be on the heap.
func hide(b []byte) []byte {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), len(b))
}
