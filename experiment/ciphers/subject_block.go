package ciphers

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"

	"golang.org/x/crypto/xts"

	"github.com/walbench/walbench/strategies/aesctr"
)

// xCrypto names golang.org/x/crypto as an implementation.
const xCrypto = "x-crypto"

// xtsSubjects are XTS in all implementations; a record is one data unit.
func xtsSubjects(keySize int) (list []*subject) {
	for _, i := range aesctr.Supported() {
		s := &subject{
			suite: suiteName(keySize, "xts"), implementation: i.Name, call: PerRecord, keySize: keySize, kernel: i,
			fits:  func(s Size) bool { return s.Min >= aes.BlockSize },
			setup: func(key []byte) error { _, err := i.NewXTS(key[:2*keySize]); return err },
		}
		s.open = func(w *workset, key []byte) (func(), error) {
			x, err := i.NewXTS(key[:2*keySize])
			return unitPass(w, func(dst, src []byte, unit uint64) { x.Encrypt(dst, src, unit) }), err
		}
		list = append(list, s)
	}
	return append(list, xCryptoXTS(keySize))
}

// xCryptoXTS takes whole blocks only.
func xCryptoXTS(keySize int) *subject {
	return &subject{
		suite: suiteName(keySize, "xts"), implementation: xCrypto, call: PerRecord, keySize: keySize,
		fits:  func(s Size) bool { return !s.Mixed() && s.Min%aes.BlockSize == 0 },
		setup: func(key []byte) error { _, err := xts.NewCipher(aes.NewCipher, key[:2*keySize]); return err },
		open: func(w *workset, key []byte) (func(), error) {
			x, err := xts.NewCipher(aes.NewCipher, key[:2*keySize])
			return unitPass(w, func(dst, src []byte, unit uint64) { x.Encrypt(dst, src, unit) }), err
		},
	}
}

func unitPass(w *workset, encrypt func(dst, src []byte, unit uint64)) func() {
	var unit uint64
	return func() {
		for i, src := range w.src {
			encrypt(w.dst[i], src, unit)
			unit++
		}
	}
}

// gcmSubject is the standard library's GCM with a tag for each record.
func gcmSubject(keySize int) *subject {
	return &subject{
		suite: suiteName(keySize, "gcm"), implementation: "stdlib", call: PerRecord, keySize: keySize,
		setup: func(key []byte) error { _, err := newGCM(key[:keySize]); return err },
		open: func(w *workset, key []byte) (func(), error) {
			aead, err := newGCM(key[:keySize])
			if err != nil {
				return nil, err
			}
			out := make([]byte, 0, w.size.Max+aead.Overhead()+roomBehind)
			nonce, unit := make([]byte, aead.NonceSize()), uint64(0)
			return func() {
				for _, src := range w.src {
					binary.BigEndian.PutUint64(nonce, unit)
					unit++
					aead.Seal(out, nonce, src, nil)
				}
			}, nil
		},
	}
}

func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
