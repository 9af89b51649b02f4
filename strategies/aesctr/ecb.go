package aesctr

// EncryptBlocks encrypts whole blocks, each on its own (ECB): what counter mode
// is built from where a program makes its counter blocks itself. src is a
// multiple of 16 bytes, dst at least as long and either the same memory or none
// of it.
func (c *Cipher) EncryptBlocks(dst, src []byte) {
	checkBlocks(dst, src)
	if c.kind == kindStdlib {
		c.std.encryptBlocks(dst, src)
		return
	}
	for n := 0; len(src) > 0; dst, src = dst[n:], src[n:] {
		n = min(len(src), maxCall)
		c.encryptPiece(dst[:n], src[:n])
	}
}

// DecryptBlocks undoes EncryptBlocks.
func (c *Cipher) DecryptBlocks(dst, src []byte) {
	checkBlocks(dst, src)
	if c.kind == kindStdlib {
		c.std.decryptBlocks(dst, src)
		return
	}
	for n := 0; len(src) > 0; dst, src = dst[n:], src[n:] {
		n = min(len(src), maxCall)
		c.decryptPiece(dst[:n], src[:n])
	}
}

func checkBlocks(dst, src []byte) {
	if len(src)%BlockSize != 0 {
		panic("aesctr: input not full blocks")
	}
	checkBuffers(dst, src)
}
