//go:build amd64 && !purego

package aesctr

import "unsafe"

//go:generate go run ../../internal/aesctrgen

// schedule is an expanded key as the kernels read it (internal/aesctrgen/program.go has the
// offsets).
type schedule struct {
	enc    [15][BlockSize]byte // round keys
	dec    [15][BlockSize]byte // of decryption, in its order
	rounds uint64              // 10 or 14
}

// expand makes the schedules of key, of 16 or 32 bytes.
func (s *schedule) expand(key []byte) {
	s.rounds = uint64(Rounds(len(key)))
	if len(key) == 16 {
		expand128(&key[0], s.bytes())
	} else {
		expand256(&key[0], s.bytes())
	}
}

func (s *schedule) bytes() *byte { return &s.enc[0][0] }

// xorPiece is one call of a kernel: src is not empty and as long as dst, the
// counter's low half does not wrap.
func (c *Cipher) xorPiece(dst, src []byte, from Counter, skip int) {
	if c.kind == kindVAES512 {
		xorVAES512(c.keys.bytes(), &dst[0], &src[0], len(src), from.Hi, from.Lo, skip)
		return
	}
	if skip > 0 {
		n := c.xorHead(dst, src, from, skip)
		if dst, src = dst[n:], src[n:]; len(src) == 0 {
			return
		}
		from.Lo++
	}
	if c.kind == kindVAES256 {
		xorVAES256(c.keys.bytes(), &dst[0], &src[0], len(src), from.Hi, from.Lo)
	} else {
		xorAESNI(c.keys.bytes(), &dst[0], &src[0], len(src), from.Hi, from.Lo)
	}
}

// recordsPiece does count records, every stride'th of recs, up to one that is out
// of the ordinary, and returns how many it did.
func (c *Cipher) recordsPiece(recs []Record, count, stride int) (done int) {
	p, step := (*byte)(unsafe.Pointer(&recs[0])), stride*int(unsafe.Sizeof(Record{}))
	switch c.kind {
	case kindVAES512:
		return recordsVAES512(c.keys.bytes(), p, count, step)
	case kindVAES256:
		return recordsVAES256(c.keys.bytes(), p, count, step)
	default:
		return recordsAESNI(c.keys.bytes(), p, count, step)
	}
}

func (c *Cipher) encryptPiece(dst, src []byte) {
	switch n := len(src) / BlockSize; c.kind {
	case kindVAES512:
		encryptVAES512(c.keys.bytes(), &dst[0], &src[0], n)
	case kindVAES256:
		encryptVAES256(c.keys.bytes(), &dst[0], &src[0], n)
	default:
		encryptAESNI(c.keys.bytes(), &dst[0], &src[0], n)
	}
}

func (c *Cipher) decryptPiece(dst, src []byte) {
	switch n := len(src) / BlockSize; c.kind {
	case kindVAES512:
		decryptVAES512(c.keys.bytes(), &dst[0], &src[0], n)
	case kindVAES256:
		decryptVAES256(c.keys.bytes(), &dst[0], &src[0], n)
	default:
		decryptAESNI(c.keys.bytes(), &dst[0], &src[0], n)
	}
}

func (c *Cipher) xtsEncryptPiece(dst, src []byte, t *tweak) {
	switch n := len(src) / BlockSize; c.kind {
	case kindVAES512:
		xtsEncryptVAES512(c.keys.bytes(), &dst[0], &src[0], n, &t[0])
	case kindVAES256:
		xtsEncryptVAES256(c.keys.bytes(), &dst[0], &src[0], n, &t[0])
	default:
		xtsEncryptAESNI(c.keys.bytes(), &dst[0], &src[0], n, &t[0])
	}
}

func (c *Cipher) xtsDecryptPiece(dst, src []byte, t *tweak) {
	switch n := len(src) / BlockSize; c.kind {
	case kindVAES512:
		xtsDecryptVAES512(c.keys.bytes(), &dst[0], &src[0], n, &t[0])
	case kindVAES256:
		xtsDecryptVAES256(c.keys.bytes(), &dst[0], &src[0], n, &t[0])
	default:
		xtsDecryptAESNI(c.keys.bytes(), &dst[0], &src[0], n, &t[0])
	}
}

// unitRegisters is how many registers a unit function works on.
const unitRegisters = 8

func (i *Implementation) unitRounds(n int) (blockRounds int) {
	if n <= 0 {
		return 0
	}
	switch i.kind {
	case kindVAES512:
		unitVAES512(n)
		return n * unitRegisters * 4
	case kindVAES256:
		unitVAES256(n)
		return n * unitRegisters * 2
	case kindAESNI:
		unitAESNI(n)
		return n * unitRegisters
	}
	return 0
}
