package ciphers

import (
	"crypto/aes"
	"crypto/cipher"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// ctrSubjects are counter mode in all implementations and calls.
func ctrSubjects(keySize int) (list []*subject) {
	for _, i := range aesctr.Supported() {
		for _, call := range Calls() {
			s := &subject{
				suite: suiteName(keySize, "ctr"), implementation: i.Name, call: call, keySize: keySize, kernel: i,
				setup: func(key []byte) error { _, err := i.New(key[:keySize]); return err },
			}
			s.open = func(w *workset, key []byte) (func(), error) {
				c, err := i.New(key[:keySize])
				if err != nil {
					return nil, err
				}
				if i.Name == "stdlib" && call == Stream {
					return stdlibStream(w, key[:keySize])
				}
				return ctrPass(w, c, call), nil
			}
			list = append(list, s)
		}
	}
	return list
}

func ctrPass(w *workset, c *aesctr.Cipher, call Call) func() {
	switch call {
	case Batch:
		return batchPass(w, c)
	case Stream:
		return streamPass(w, c)
	}
	return recordPass(w, c)
}

// recordPass counts nonces up from zero, as the rival does.
func recordPass(w *workset, c strategies.CTR) func() {
	var nonce uint64
	return func() {
		hi := nonce // in a register
		for i, src := range w.src {
			c.XORKeyStream(w.dst[i], src, aesctr.Counter{Hi: hi}, 0)
			hi++
		}
		nonce = hi
	}
}

// batchRecords is how many records one call of a batch takes at most: about a
// transaction of the worst case.
const batchRecords = 128

// batchPass keeps its list of records from pass to pass, as copying keeps its own,
// and draws a nonce for each.
func batchPass(w *workset, c strategies.CTR) func() {
	var nonce uint64
	recs := make([]aesctr.Record, len(w.src))
	for i, src := range w.src {
		recs[i] = aesctr.Record{Dst: w.dst[i], Src: src}
	}
	return func() {
		hi := nonce // in a register
		for from := 0; from < len(recs); from += batchRecords {
			some := recs[from:min(from+batchRecords, len(recs))]
			for i := range some {
				some[i].From = aesctr.Counter{Hi: hi}
				hi++
			}
			c.XORRecords(some)
		}
		nonce = hi
	}
}

func streamPass(w *workset, c *aesctr.Cipher) func() {
	var at uint64
	return func() {
		for i, src := range w.src {
			c.XORKeyStream(w.dst[i], src, aesctr.Counter{Lo: at / aesctr.BlockSize}, int(at%aesctr.BlockSize))
			at += uint64(len(src))
		}
	}
}

// stdlibStream keeps one cipher.Stream, the standard library's fast way.
func stdlibStream(w *workset, key []byte) (func(), error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	var iv [aes.BlockSize]byte
	stream := cipher.NewCTR(block, iv[:])
	return func() {
		for i, src := range w.src {
			stream.XORKeyStream(w.dst[i], src)
		}
	}, nil
}

// ecbSubjects are pg_tde's constructions, as the log's designs use them.
func ecbSubjects() (list []*subject) {
	for _, name := range []string{"ctr-ecb-scalar", "ctr-ecb-vector"} {
		suite, err := strategies.LookupSuite(name)
		if err != nil {
			panic("ciphers: " + err.Error()) // strategies always has both
		}
		list = append(list, &subject{
			suite: name, implementation: suite.Implementation.Name, call: PerRecord, keySize: suite.KeySize,
			setup: func(key []byte) error { _, err := suite.NewCTR(key[:suite.KeySize]); return err },
			open: func(w *workset, key []byte) (func(), error) {
				c, err := suite.NewCTR(key[:suite.KeySize])
				if err != nil {
					return nil, err
				}
				return recordPass(w, c), nil
			},
		})
	}
	return list
}
