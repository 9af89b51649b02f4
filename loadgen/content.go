package loadgen

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/walbench/walbench/walsim/pgformat"
)

// poolBytes is the size of an updater's content pool: larger than a core's
// second-level cache share of the log path, as PostgreSQL's shared buffers are,
// and small enough that 64 updaters fit into memory easily.
const poolBytes = 1 << 20

// content gives the records of one updater their bytes: a pool drawn from the
// seed once, and for every record a place in it to read from. The place comes
// from one draw a transaction and the record's number in it, so building a
// transaction again gives the same bytes. The bytes are as random as the
// generator makes them; compressible content will change fillPool only.
type content struct {
	pool   []byte
	places *rand.PCG
	place  uint64 // of the current transaction
	record pgformat.Content
}

func newContent(o SourceOptions) content {
	c := content{pool: blankPool[:], places: NewPCG(o.Seed, "content place", o.Updater)}
	if !o.Blank {
		c.pool = make([]byte, poolBytes)
		fillPool(c.pool, NewPCG(o.Seed, "content pool", o.Updater))
	}
	return c
}

// blankPool is the pool of sources whose content nobody looks at. Nobody writes it.
var blankPool [poolBytes]byte

func fillPool(pool []byte, draw *rand.PCG) {
	for i := 0; i < len(pool); i += 8 {
		binary.LittleEndian.PutUint64(pool[i:], draw.Uint64())
	}
}

// next moves on to the next transaction.
func (c *content) next() { c.place = c.places.Uint64() }

// of is the content of record number i of the current transaction, until the
// next call.
func (c *content) of(i int) *pgformat.Content {
	off, _ := bits.Mul64(scramble(c.place+uint64(i)), uint64(len(c.pool)))
	c.record = pgformat.Content{Pool: c.pool, Off: int(off)}
	return &c.record
}

// scramble is the output function of SplitMix64 (Steele, Lea, Flood: Fast
// Splittable Pseudorandom Number Generators, 2014): neighbouring numbers give
// unrelated ones.
func scramble(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
