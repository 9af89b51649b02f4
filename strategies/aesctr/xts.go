package aesctr

import (
	"crypto/aes"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
)

// XTS is AES-XTS (IEEE Std 1619, NIST SP 800-38E) under one pair of keys: what
// disk encryption uses. It keeps scratch memory and so serves one process at a
// time.
type XTS struct {
	data, tweak *Cipher
	t           tweak           // of the next block
	last        [BlockSize]byte // scratch of the last, partial block
}

// tweak is what a block is masked with: a little-endian 128-bit polynomial.
type tweak [BlockSize]byte

// NewXTS expands key, the data key and the tweak key one behind the other: 32
// bytes for AES-128, 64 for AES-256, for the selected implementation.
func NewXTS(key []byte) (*XTS, error) { return selected.NewXTS(key) }

// NewXTS expands key, the data key and the tweak key one behind the other: 32
// bytes for AES-128, 64 for AES-256. It panics if i cannot run here.
func (i *Implementation) NewXTS(key []byte) (*XTS, error) {
	if len(key) != 32 && len(key) != 64 {
		return nil, fmt.Errorf("XTS key of %d bytes, want 32 or 64: %w", len(key), aes.KeySizeError(len(key)))
	}
	data, err := i.New(key[:len(key)/2])
	if err != nil {
		return nil, err
	}
	tweak, err := i.New(key[len(key)/2:])
	if err != nil {
		return nil, err
	}
	return &XTS{data: data, tweak: tweak}, nil
}

// Encrypt encrypts one data unit, src, into dst, which is at least as long and
// either the same memory or none of it. unit is its number (of the sector). A
// unit has at least 16 bytes; one that is no multiple of 16 long ends with
// ciphertext stealing. It panics if src is shorter, or dst is, or they overlap.
func (x *XTS) Encrypt(dst, src []byte, unit uint64) {
	x.begin(dst, src, unit)
	whole := len(src) / BlockSize * BlockSize
	rest := copy(x.last[:], src[whole:]) // dst may be src
	x.encrypt(dst[:whole], src[:whole])
	if rest == 0 {
		return
	}
	// The last whole block lends its end to the partial one and moves behind it.
	end := dst[whole-BlockSize : whole]
	copy(x.last[rest:], end[rest:])
	copy(dst[whole:], end[:rest])
	x.encrypt(end, x.last[:])
}

// Decrypt undoes Encrypt.
func (x *XTS) Decrypt(dst, src []byte, unit uint64) {
	x.begin(dst, src, unit)
	whole, rest := len(src)/BlockSize*BlockSize, len(src)%BlockSize
	if rest == 0 {
		x.decrypt(dst[:whole], src)
		return
	}
	whole -= BlockSize
	x.decrypt(dst[:whole], src[:whole])
	// The last two were encrypted in the order whole block, partial block with
	// the second's tweak one further.
	before := x.t
	x.t.double()
	x.decrypt(x.last[:], src[whole:whole+BlockSize])
	var end [BlockSize]byte
	copy(end[:], src[whole+BlockSize:])
	copy(end[rest:], x.last[rest:])
	copy(dst[whole+BlockSize:len(src)], x.last[:rest])
	copy(x.last[:], end[:])
	x.t = before
	x.decrypt(dst[whole:whole+BlockSize], x.last[:])
}

// begin checks the arguments and makes the tweak of the unit's first block.
func (x *XTS) begin(dst, src []byte, unit uint64) {
	if len(src) < BlockSize {
		panic("aesctr: XTS data unit shorter than a block")
	}
	checkBuffers(dst, src)
	clear(x.t[:])
	binary.LittleEndian.PutUint64(x.t[:], unit)
	x.tweak.EncryptBlocks(x.t[:], x.t[:])
}

// encrypt encrypts whole blocks and moves the tweak on.
func (x *XTS) encrypt(dst, src []byte) {
	if x.data.kind == kindStdlib {
		x.eachBlock(dst, src, false)
		return
	}
	for n := 0; len(src) > 0; dst, src = dst[n:], src[n:] {
		n = min(len(src), maxCall)
		x.data.xtsEncryptPiece(dst[:n], src[:n], &x.t)
	}
}

// decrypt undoes encrypt.
func (x *XTS) decrypt(dst, src []byte) {
	if x.data.kind == kindStdlib {
		x.eachBlock(dst, src, true)
		return
	}
	for n := 0; len(src) > 0; dst, src = dst[n:], src[n:] {
		n = min(len(src), maxCall)
		x.data.xtsDecryptPiece(dst[:n], src[:n], &x.t)
	}
}

// eachBlock is the slow way, block by block through cipher.Block.
func (x *XTS) eachBlock(dst, src []byte, decrypt bool) {
	b := x.data.std.stream[:]
	for ; len(src) > 0; dst, src = dst[BlockSize:], src[BlockSize:] {
		subtle.XORBytes(b, src[:BlockSize], x.t[:])
		if decrypt {
			x.data.std.block.Decrypt(b, b)
		} else {
			x.data.std.block.Encrypt(b, b)
		}
		subtle.XORBytes(dst, b, x.t[:])
		x.t.double()
	}
}

// double multiplies the tweak by x in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1
// (IEEE Std 1619, section 5.2), without a branch on it.
func (t *tweak) double() {
	lo, hi := binary.LittleEndian.Uint64(t[:8]), binary.LittleEndian.Uint64(t[8:])
	binary.LittleEndian.PutUint64(t[:8], lo<<1^0x87*(hi>>63))
	binary.LittleEndian.PutUint64(t[8:], hi<<1|lo>>63)
}
