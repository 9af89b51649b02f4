package ciphers

import (
	"slices"

	"github.com/walbench/walbench/strategies/aesctr"
)

// The calls: how a suite is asked to encrypt records.
const (
	// CallPerRecord is one call a record, each with a new nonce, on a context
	// that is kept.
	CallPerRecord = "per-record"
	// CallBatch is one call for all records of a ring, each with its nonce.
	CallBatch = "batch"
	// CallStream is one long keystream, cut in pieces as long as the records.
	CallStream = "stream"
)

// Calls lists them.
func Calls() []string { return []string{CallPerRecord, CallBatch, CallStream} }

// subject is what is measured: a suite in one implementation, called in one way.
type subject struct {
	suite, implementation, call string

	keyBytes int // of the whole key; 0 without one
	open     func([]byte) (worker, error)
	units    *aesctr.Implementation // whose AES units bound it; nil if none do
	aesKey   int                    // bytes of the AES key, for the number of rounds
	minBytes int                    // of a record
	whole    bool                   // takes whole blocks only
}

// worker does the work of a subject on a ring.
type worker interface {
	// work encrypts the next n records, beginning with the ring's first, and
	// allocates nothing of its own.
	work(r *ring, n int)
}

// takes says whether the subject can encrypt records of a size.
func (s *subject) takes(size Size) bool {
	switch {
	case size.Min < s.minBytes:
		return false
	case s.whole:
		return !size.Mixed() && size.Min%aesctr.BlockSize == 0
	}
	return !size.Mixed() || s.call != CallStream
}

// testKey is the key of all subjects, the same in the rival's program. No two
// parts of it are equal, which XTS demands.
func testKey(n int) []byte {
	key := make([]byte, n)
	for i := range key {
		key[i] = byte(7*i + 1)
	}
	return key
}

// names lists what is different in a list of subjects, in order.
func names(list []*subject, name func(*subject) string) []string {
	var all []string
	for _, s := range list {
		if n := name(s); !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}
