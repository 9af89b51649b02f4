package loadgen

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Derive makes the two words that seed one PCG generator from the run's seed,
// what the generator is for, and its number among its kind (an updater's). They
// are the first 16 bytes of SHA-256 over
//
//	"walbench seed 1" 0 | seed, 8 bytes | index, 8 bytes | purpose
//
// with little-endian numbers, so no two updaters or purposes share a stream,
// and neighbouring seeds are unrelated. Keys and nonces must never come from
// here.
func Derive(seed uint64, purpose string, index int) (hi, lo uint64) {
	b := append(make([]byte, 0, 64), "walbench seed 1\x00"...)
	b = binary.LittleEndian.AppendUint64(b, seed)
	b = binary.LittleEndian.AppendUint64(b, uint64(index))
	sum := sha256.Sum256(append(b, purpose...))
	return binary.LittleEndian.Uint64(sum[0:]), binary.LittleEndian.Uint64(sum[8:])
}

// NewPCG is a generator seeded with [Derive].
func NewPCG(seed uint64, purpose string, index int) *rand.PCG {
	return rand.NewPCG(Derive(seed, purpose, index))
}
