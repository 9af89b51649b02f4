package ciphers

import (
	"crypto/aes"
	"crypto/cipher"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/xts"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// Names that more than one place uses.
const (
	suiteCopy = "memcpy" // the baseline: copying the record
	suiteRead = "read"   // reading the record
	stdlib    = "stdlib"
	xcrypto   = "x-crypto"
)

// catalog is every subject that can run here.
func catalog() []*subject {
	list := []*subject{
		{suite: suiteCopy, implementation: stdlib, call: CallPerRecord, open: openCopy},
		{suite: suiteRead, implementation: stdlib, call: CallPerRecord, open: openRead},
	}
	for _, key := range []aesKey{{16, "aes-128"}, {32, "aes-256"}} {
		list = append(list, key.ctr()...)
	}
	for _, key := range []aesKey{{16, "aes-128"}, {32, "aes-256"}} {
		list = append(list, key.xts()...)
	}
	for _, key := range []aesKey{{16, "aes-128"}, {32, "aes-256"}} {
		list = append(list, key.gcm())
	}
	list = append(append(list, ecb("ctr-ecb-scalar")...), ecb("ctr-ecb-vector")...)
	return append(list, &subject{
		suite: "chacha20-poly1305", implementation: xcrypto, call: CallPerRecord, keyBytes: chacha20poly1305.KeySize,
		open: func(key []byte) (worker, error) { return newSealer(chacha20poly1305.New(key)) },
	})
}

// aesKey is AES with one key size.
type aesKey struct {
	bytes int
	name  string
}

func (k aesKey) ctr() (list []*subject) {
	for _, i := range aesctr.Supported() {
		opens := map[string]func([]byte) (worker, error){
			CallPerRecord: func(key []byte) (worker, error) { c, err := i.New(key); return kernelCalls{c}, err },
			CallBatch:     func(key []byte) (worker, error) { c, err := i.New(key); return ctrBatch{c}, err },
			CallStream:    func(key []byte) (worker, error) { c, err := i.New(key); return &kernelStream{cipher: c}, err },
		}
		if i.Name == stdlib {
			opens[CallStream] = openKeptStream
		}
		for _, call := range Calls() {
			list = append(list, &subject{
				suite: k.name + "-ctr", implementation: i.Name, call: call, keyBytes: k.bytes, open: opens[call],
				units: unitsOf(i), aesKey: k.bytes,
			})
		}
	}
	return list
}

func (k aesKey) xts() (list []*subject) {
	for _, i := range aesctr.Supported() {
		list = append(list, &subject{
			suite: k.name + "-xts", implementation: i.Name, call: CallPerRecord, keyBytes: 2 * k.bytes,
			open:  func(key []byte) (worker, error) { x, err := i.NewXTS(key); return unitCalls{x}, err },
			units: unitsOf(i), aesKey: k.bytes, minBytes: aesctr.BlockSize,
		})
	}
	return append(list, &subject{
		suite: k.name + "-xts", implementation: xcrypto, call: CallPerRecord, keyBytes: 2 * k.bytes,
		open: func(key []byte) (worker, error) {
			x, err := xts.NewCipher(aes.NewCipher, key)
			return unitCalls{x}, err
		},
		minBytes: aesctr.BlockSize, whole: true,
	})
}

func (k aesKey) gcm() *subject {
	return &subject{suite: k.name + "-gcm", implementation: stdlib, call: CallPerRecord, keyBytes: k.bytes, open: openGCM}
}

func openGCM(key []byte) (worker, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return newSealer(cipher.NewGCM(block))
}

// ecb is a suite of package strategies that makes counter mode from ECB.
func ecb(name string) []*subject {
	s, err := strategies.LookupSuite(name)
	if err != nil {
		panic("ciphers: " + err.Error()) // the name is one of strategies'
	}
	one := subject{
		suite: name, implementation: s.Implementation.Name, keyBytes: s.KeySize, units: unitsOf(s.Implementation), aesKey: s.KeySize,
	}
	calls, batch := one, one
	calls.call, calls.open = CallPerRecord, func(key []byte) (worker, error) { c, err := s.NewCTR(key); return ctrCalls{c}, err }
	batch.call, batch.open = CallBatch, func(key []byte) (worker, error) { c, err := s.NewCTR(key); return ctrBatch{c}, err }
	return []*subject{&calls, &batch}
}

// unitsOf is i if its AES rounds can be timed, else nil.
func unitsOf(i *aesctr.Implementation) *aesctr.Implementation {
	if i.UnitRounds(1) == 0 {
		return nil
	}
	return i
}
