package aesctr

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

const maxLo = math.MaxUint64

// carries are counters shortly before something inside them wraps: 8, 32 and 64
// bits, all of the high half, and none at all.
var carries = []Counter{
	{0, 0}, {0, 255}, {1, math.MaxUint32}, {7, 1<<32 - 1}, {7, 1<<63 - 1},
	{0, maxLo}, {1<<32 - 1, maxLo}, {math.MaxInt64, maxLo}, {maxLo - 1, maxLo}, {0x0123456789abcdef, 0xfedcba9876543210},
}

// back is the counter blocks earlier, for tests that want to arrive at one.
func back(c Counter, blocks uint64) Counter {
	lo := c.Lo - blocks
	if lo > c.Lo {
		c.Hi--
	}
	return Counter{c.Hi, lo}
}

// anyCounter draws counters of all kinds that have room for the blocks.
func anyCounter(blocks uint64) *rapid.Generator[Counter] {
	return rapid.Custom(func(t *rapid.T) Counter {
		if rapid.Bool().Draw(t, "near a carry") {
			c := rapid.SampledFrom(carries).Draw(t, "carry")
			return back(c, rapid.Uint64Range(0, min(c.Lo, blocks+70)).Draw(t, "before"))
		}
		return Counter{rapid.Uint64Range(0, maxLo-1).Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")}
	})
}

func bigOf(c Counter) *big.Int { b := c.Block(); return new(big.Int).SetBytes(b[:]) }

func TestCounter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Counter{rapid.Uint64().Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")}
		if rapid.Bool().Draw(t, "late") {
			c.Hi = maxLo
		}
		if got := CounterOf(c.Block()); got != c {
			t.Fatalf("%v comes back as %v", c, got)
		}
		if b := c.Block(); binary.BigEndian.Uint64(b[:]) != c.Hi || binary.BigEndian.Uint64(b[8:]) != c.Lo {
			t.Fatalf("%v is the block %x", c, b)
		}
		n := rapid.Uint64().Draw(t, "n")
		sum, past := c.Add(n)
		want := new(big.Int).Add(bigOf(c), new(big.Int).SetUint64(n))
		if over := want.BitLen() > 128; past != over {
			t.Fatalf("%v + %d: past %v, want %v", c, n, past, over)
		}
		if want.SetBit(want, 128, 0); bigOf(sum).Cmp(want) != 0 {
			t.Fatalf("%v + %d = %v, want %x", c, n, sum, want)
		}
	})
}
