package ciphers

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
)

// copier copies records: the least that anyone has to do with them.
type copier struct{}

func openCopy([]byte) (worker, error) { return copier{}, nil }

func (copier) work(r *ring, n int) {
	at := 0
	for range n {
		rec := &r.recs[at]
		copy(rec.Dst, rec.Src)
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}

// reader looks at every byte, with the widest loads that the Go runtime has for
// it: counting a byte.
type reader struct{ zeros int }

func openRead([]byte) (worker, error) { return new(reader), nil }

func (w *reader) work(r *ring, n int) {
	at := 0
	for range n {
		w.zeros += bytes.Count(r.recs[at].Src, zero)
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}

var zero = []byte{0}

// unitCalls encrypts each record as an XTS data unit of its own.
type unitCalls struct{ xts unitCipher }

// unitCipher is XTS of package aesctr or of x/crypto.
type unitCipher interface {
	Encrypt(dst, src []byte, unit uint64)
}

func (u unitCalls) work(r *ring, n int) {
	at := 0
	for i := range n {
		rec := &r.recs[at]
		u.xts.Encrypt(rec.Dst, rec.Src, uint64(i))
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}

// sealer encrypts with authentication, on a context that is kept. The tag goes
// behind the record, where the next one is written over it.
type sealer struct {
	aead  cipher.AEAD
	nonce [12]byte // here, since what goes through an interface escapes
}

func newSealer(aead cipher.AEAD, err error) (worker, error) {
	if err != nil {
		return nil, err
	}
	s := &sealer{aead: aead}
	binary.BigEndian.PutUint64(s.nonce[:], nonceHi)
	return s, nil
}

func (s *sealer) work(r *ring, n int) {
	at := 0
	for i := range n {
		rec := &r.recs[at]
		binary.BigEndian.PutUint32(s.nonce[8:], uint32(i))
		s.aead.Seal(rec.Dst[:0], s.nonce[:], rec.Src, nil)
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}
