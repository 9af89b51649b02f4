package ciphers

import (
	"crypto/aes"
	"crypto/cipher"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// kernelCalls is ctrCalls for a kernel: a call through an interface costs half a
// nanosecond, of eight.
type kernelCalls struct{ cipher *aesctr.Cipher }

func (k kernelCalls) work(r *ring, n int) {
	at := 0
	for i := range n {
		rec := &r.recs[at]
		k.cipher.XORKeyStream(rec.Dst, rec.Src, nonce(i), 0)
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}

// ctrCalls is a call a record, with a counter that is made for it.
type ctrCalls struct{ ctr strategies.CTR }

func (k ctrCalls) work(r *ring, n int) {
	at := 0
	for i := range n {
		rec := &r.recs[at]
		k.ctr.XORKeyStream(rec.Dst, rec.Src, nonce(i), 0)
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}

// ctrBatch is one call for all records. Their descriptors, counters included,
// are given, as they are to the rival.
type ctrBatch struct{ ctr strategies.CTR }

func (k ctrBatch) work(r *ring, n int) {
	for ; n > 0; n -= len(r.recs) {
		k.ctr.XORRecords(r.recs)
	}
}

// kernelStream is one keystream that goes on from record to record.
type kernelStream struct {
	cipher *aesctr.Cipher
	pos    uint64 // bytes of keystream used
}

func (k *kernelStream) work(r *ring, n int) {
	at := 0
	for range n {
		rec := &r.recs[at]
		from := aesctr.Counter{Hi: nonceHi, Lo: k.pos / aesctr.BlockSize}
		k.cipher.XORKeyStream(rec.Dst, rec.Src, from, int(k.pos%aesctr.BlockSize))
		k.pos += uint64(len(rec.Src))
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}

// keptStream is the same through a stream of the standard library.
type keptStream struct{ stream cipher.Stream }

func openKeptStream(key []byte) (worker, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	iv := nonce(0).Block()
	return keptStream{cipher.NewCTR(block, iv[:])}, nil
}

func (k keptStream) work(r *ring, n int) {
	at := 0
	for range n {
		rec := &r.recs[at]
		k.stream.XORKeyStream(rec.Dst, rec.Src)
		if at++; at == len(r.recs) {
			at = 0
		}
	}
}
