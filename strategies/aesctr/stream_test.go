package aesctr

import (
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// stream is one call of XORKeyStream and where in memory it happens.
type stream struct {
	n, skip      int // bytes
	from         Counter
	inPlace      bool
	srcAt, dstAt int // offsets in memory, in bytes
}

// check does the call and compares with what crypto/cipher makes of it.
func (s stream) check(c *Cipher, block cipher.Block, r *rand.Rand) error {
	src := newField(r, s.srcAt, s.n)
	want := oracleXOR(block, src.buffer(), s.from, s.skip)
	if s.inPlace {
		c.XORKeyStream(src.buffer(), src.buffer(), s.from, s.skip)
		return src.check(want)
	}
	dst := newField(r, s.dstAt, s.n)
	clear := append([]byte(nil), src.buffer()...)
	c.XORKeyStream(dst.buffer(), src.buffer(), s.from, s.skip)
	if err := src.check(clear); err != nil {
		return err
	}
	return dst.check(want)
}

func TestXORKeyStream(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		rapid.Check(t, func(t *rapid.T) {
			seed := rapid.Uint64().Draw(t, "seed")
			r := rand.New(rand.NewPCG(seed, 0))
			key := noise(r, rapid.SampledFrom(keySizes).Draw(t, "key"))
			c, block := mustNew(t, impl, key), mustBlock(t, key)
			s := stream{
				n: rapid.IntRange(0, 700).Draw(t, "n"), skip: rapid.IntRange(0, 15).Draw(t, "skip"),
				from: anyCounter(50).Draw(t, "from"), inPlace: rapid.Bool().Draw(t, "in place"),
				srcAt: rapid.IntRange(0, 64).Draw(t, "src at"), dstAt: rapid.IntRange(0, 64).Draw(t, "dst at"),
			}
			must(t, s.check(c, block, r), "%+v", s)
		})
	})
}

// Every length with every skip: the ways through a kernel differ by both.
func TestXORKeyStreamLengths(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(2, 0))
		for n := range 701 {
			for skip := range BlockSize {
				s := stream{n: n, skip: skip, from: Counter{r.Uint64(), r.Uint64N(1 << 63)}, inPlace: (n+skip)%2 == 0}
				must(t, s.check(c, block, r), "%+v", s)
			}
		}
	})
}

// Every alignment of source and destination to one another.
func TestXORKeyStreamAlignments(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(3, 0))
		for srcAt := range 65 {
			for dstAt := range 65 {
				s := stream{n: r.IntN(200), skip: r.IntN(BlockSize), from: Counter{1, 2}, srcAt: srcAt, dstAt: dstAt}
				must(t, s.check(c, block, r), "%+v", s)
			}
		}
	})
}

// The counter wraps at every block of a call, and just not.
func TestXORKeyStreamCarries(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(4, 0))
		for _, wrap := range carries {
			for before := range min(wrap.Lo, 45) {
				skip := r.IntN(BlockSize)
				s := stream{n: r.IntN(701), skip: skip, from: back(wrap, before), inPlace: before%2 == 0}
				must(t, s.check(c, block, r), "%+v", s)
			}
		}
	})
}

// Long calls are cut into pieces, and a carry cuts once more.
func TestXORKeyStreamLong(t *testing.T) {
	lengths := []int{maxCall - 17, maxCall - 16, maxCall - 15, maxCall - 1, maxCall, maxCall + 1, maxCall + 16, 2*maxCall - 5, 2*maxCall + 1, 2_500_000}
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(5, 0))
		for i, n := range lengths {
			from := Counter{5, r.Uint64N(1 << 62)}
			if i%2 == 1 {
				from = back(Counter{6, 0}, 1+r.Uint64N(uint64(n)/BlockSize))
			}
			s := stream{n: n, skip: r.IntN(2) * r.IntN(BlockSize), from: from, inPlace: i%3 == 0, srcAt: r.IntN(65), dstAt: r.IntN(65)}
			must(t, s.check(c, block, r), "%+v", s)
		}
	})
}

// The carry at the ends of the pieces of a long call.
func TestXORKeyStreamCarryAtPiece(t *testing.T) {
	const piece = maxCall / BlockSize
	forEach(t, func(t *testing.T, impl *Implementation) {
		key := testKey(16)
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(6, 0))
		for _, left := range []uint64{1, piece - 1, piece, piece + 1} {
			for _, skip := range []int{0, 15} {
				s := stream{n: maxCall + 100, skip: skip, from: back(Counter{1, 0}, left), inPlace: skip == 0}
				must(t, s.check(c, block, r), "%+v", s)
			}
		}
	})
}

// A stream in pieces is the stream: this is what skip and Add are for.
func TestXORKeyStreamSeeks(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(7, 0))
		start := Counter{3, maxLo - 20}
		src := noise(r, 5000)
		want, got := oracleXOR(block, src, start, 0), newField(r, 3, len(src))
		for at := 0; at < len(src); {
			n := min(r.IntN(130), len(src)-at)
			from, past := start.Add(uint64(at / BlockSize))
			if past {
				t.Fatal("past the end")
			}
			c.XORKeyStream(got.buffer()[at:at+n], src[at:at+n], from, at%BlockSize)
			at += n
		}
		must(t, got.check(want), "in pieces")
	})
}

func TestXORKeyStreamReportsSetup(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c, buf := mustNew(t, impl, testKey(16)), make([]byte, 4096)
		for _, tc := range []struct {
			n, skip int
			want    bool // of stdlib
		}{{0, 0, false}, {128, 0, false}, {113, 15, false}, {129, 0, true}, {114, 15, true}, {4096, 0, true}} {
			if got := c.XORKeyStream(buf[:tc.n], buf[:tc.n], Counter{}, tc.skip); got != (tc.want && impl == stdlib) {
				t.Errorf("n %d skip %d: set up %v", tc.n, tc.skip, got)
			}
		}
	})
}

// A page with its header, a record with its header.
func TestCopyXOR(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(8, 0))
		for range 3000 {
			n, skip, from := r.IntN(400), r.IntN(BlockSize), Counter{r.Uint64N(maxLo), r.Uint64()}
			header := r.IntN(n + 1)
			src, dst := newField(r, r.IntN(65), n), newField(r, r.IntN(65), n)
			want := append([]byte(nil), src.buffer()...)
			copy(want[header:], oracleXOR(block, want[header:], from, skip))
			clear := append([]byte(nil), src.buffer()...)
			c.CopyXOR(dst.buffer(), src.buffer(), header, from, skip)
			must(t, dst.check(want), "n %d header %d skip %d", n, header, skip)
			must(t, src.check(clear), "source")
		}
	})
}
