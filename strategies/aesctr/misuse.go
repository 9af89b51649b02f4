package aesctr

import "unsafe"

// CheckXOR panics on what no caller of XORKeyStream may ask for, as crypto/cipher
// and x/crypto do for the same mistakes. Other ways to the same keystream call it
// too.
func CheckXOR(dst, src []byte, from Counter, skip int) {
	checkBuffers(dst, src)
	if uint(skip) >= BlockSize {
		panic("aesctr: skip is not inside a block")
	}
	if n := blocksOf(len(src), skip); n > 0 {
		if _, past := from.Add(n - 1); past {
			panic("aesctr: counter past its end")
		}
	}
}

func checkBuffers(dst, src []byte) {
	if len(dst) < len(src) {
		panic("aesctr: output smaller than input")
	}
	if inexactOverlap(dst[:len(src)], src) {
		panic("aesctr: invalid buffer overlap")
	}
}

// inexactOverlap says whether a and b, of one length, share memory without being
// the same.
func inexactOverlap(a, b []byte) bool {
	if len(a) == 0 {
		return false
	}
	pa, pb := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return pa != pb && pa < pb+uintptr(len(b)) && pb < pa+uintptr(len(a))
}
