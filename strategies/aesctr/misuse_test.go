package aesctr

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// panics wants f to panic with a text that has want in it.
func panics(t *testing.T, want string, f func(), format string, args ...any) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); got == nil || !strings.Contains(fmt.Sprint(got), want) {
			t.Errorf("%s: panic %q, want %q", fmt.Sprintf(format, args...), fmt.Sprint(got), want)
		}
	}()
	f()
}

// abuse is a call that no caller may make.
type abuse struct {
	name, want string
	dst, src   []byte
	from       Counter
	skip       int
}

// abuses are short outputs, skips outside a block, and counters past their end,
// all of which fail whatever the length.
func abuses() []abuse {
	last := Counter{maxLo, maxLo}
	list := []abuse{
		{"skip of a block", "skip", nil, nil, Counter{}, 16},
		{"skip before", "skip", make([]byte, 9), make([]byte, 9), Counter{}, -1},
		{"skip far", "skip", make([]byte, 9), make([]byte, 9), Counter{}, 1 << 40},
		{"one block past", "past its end", make([]byte, 17), make([]byte, 17), last, 0},
		{"a byte past", "past its end", make([]byte, 2), make([]byte, 2), last, 15},
		{"far past", "past its end", make([]byte, 500), make([]byte, 500), back(last, 30), 0},
		{"long and past", "past its end", make([]byte, 2<<20), make([]byte, 2<<20), back(last, 2<<16-2), 0},
	}
	for _, n := range []int{1, 16, 64, 100, 300, 1 << 20, 1<<20 + 1} {
		short := make([]byte, n) // its capacity would do
		list = append(list, abuse{fmt.Sprintf("%d bytes into one less", n), "smaller", short[:n-1], make([]byte, n), Counter{}, n % 2})
		list = append(list, abuse{fmt.Sprintf("%d bytes into none", n), "smaller", nil, make([]byte, n), Counter{}, 0})
	}
	return list
}

// overlaps are buffers that share memory without being the same.
func overlaps() (list []abuse) {
	mem := make([]byte, 4096)
	for by := 1; by < 64; by++ {
		for _, n := range []int{by + 1, 64, 100, 300, 2000} {
			if n <= by {
				continue
			}
			early, late := mem[100:100+n], mem[100+by:100+by+n]
			list = append(list,
				abuse{fmt.Sprintf("%d bytes, dst %d behind", n, by), "overlap", late, early, Counter{}, by % BlockSize},
				abuse{fmt.Sprintf("%d bytes, dst %d before", n, by), "overlap", early, late, Counter{}, by % BlockSize})
		}
	}
	return list
}

func TestMisuseOfXORKeyStream(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c := mustNew(t, impl, testKey(16))
		for _, a := range append(abuses(), overlaps()...) {
			panics(t, a.want, func() { c.XORKeyStream(a.dst, a.src, a.from, a.skip) }, "%s", a.name)
			if bytes.ContainsFunc(a.dst, func(r rune) bool { return r != 0 }) {
				t.Fatalf("%s: wrote before the panic", a.name)
			}
		}
	})
}

// At every place of a batch, whichever way the records before went.
func TestMisuseOfXORRecords(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c, fine := mustNew(t, impl, testKey(16)), make([]byte, 800)
		for _, a := range append(abuses(), overlaps()...) {
			for _, size := range []int{1, 2, 5} {
				for at := range size {
					for _, inPlace := range []bool{false, true} {
						recs := make([]Record, size)
						for i := range recs {
							recs[i] = Record{Dst: fine[i*50:][:40], Src: fine[400+i*50:][:40]}
							if inPlace {
								recs[i].Src = recs[i].Dst
							}
						}
						recs[at] = Record{Dst: a.dst, Src: a.src, From: a.from, Skip: a.skip}
						panics(t, a.want, func() { c.XORRecords(recs) }, "%s, record %d of %d, in place %v", a.name, at, size, inPlace)
					}
				}
			}
		}
	})
}

func TestMisuseOfCopyXOR(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c := mustNew(t, impl, testKey(16))
		for _, a := range overlaps() {
			if len(a.src) > 64 {
				panics(t, "overlap", func() { c.CopyXOR(a.dst, a.src, 0, a.from, a.skip) }, "%s", a.name)
			}
		}
		buf := make([]byte, 100)
		panics(t, "skip", func() { c.CopyXOR(buf[:40], buf[40:80], 8, Counter{}, 16) }, "skip")
		panics(t, "past its end", func() { c.CopyXOR(buf[:40], buf[40:80], 8, Counter{maxLo, maxLo}, 0) }, "counter")
		panics(t, "out of range", func() { c.CopyXOR(buf[:40], buf[40:80:80], 41, Counter{}, 0) }, "header longer than all")
		panics(t, "out of range", func() { c.CopyXOR(buf[:40], buf[40:80], -1, Counter{}, 0) }, "header before")
	})
}

// The mistakes of XORKeyStream that the part behind the header does not show: a
// dst that is too short and has the capacity, and memory that the header shares.
func TestMisuseOfCopyXORBeforeItCopies(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c, mem := mustNew(t, impl, testKey(16)), make([]byte, 300)
		panics(t, "smaller", func() { c.CopyXOR(mem[:39], mem[100:140], 8, Counter{}, 0) }, "dst short, with capacity")
		panics(t, "smaller", func() { c.CopyXOR(mem[:39:39], mem[100:140], 8, Counter{}, 0) }, "dst short")
		for _, by := range []int{1, 30, 63, 90} {
			panics(t, "overlap", func() { c.CopyXOR(mem[by:by+100], mem[:100], 95, Counter{}, 0) }, "dst %d behind", by)
			panics(t, "overlap", func() { c.CopyXOR(mem[:100], mem[by:by+100], 95, Counter{}, 0) }, "dst %d before", by)
		}
	})
}

func TestMisuseOfBlocks(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		c := mustNew(t, impl, testKey(32))
		for name, call := range map[string]func(dst, src []byte){"encrypt": c.EncryptBlocks, "decrypt": c.DecryptBlocks} {
			for n := range 100 {
				if n%BlockSize != 0 {
					panics(t, "not full blocks", func() { call(make([]byte, 112), make([]byte, n)) }, "%s %d bytes", name, n)
				} else if n > 0 {
					panics(t, "smaller", func() { call(make([]byte, n)[:n-1], make([]byte, n)) }, "%s %d bytes", name, n)
				}
			}
			for _, a := range overlaps() {
				if n := len(a.src) / BlockSize * BlockSize; n >= 64 {
					panics(t, "overlap", func() { call(a.dst[:n], a.src[:n]) }, "%s %s", name, a.name)
				}
			}
		}
	})
}

func TestMisuseOfXTS(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		x := mustXTS(t, impl, testKey(64))
		for name, call := range map[string]func(dst, src []byte, unit uint64){"encrypt": x.Encrypt, "decrypt": x.Decrypt} {
			for n := range BlockSize {
				panics(t, "shorter than a block", func() { call(make([]byte, 16), make([]byte, n), 1) }, "%s %d bytes", name, n)
			}
			for n := BlockSize; n < 100; n++ {
				panics(t, "smaller", func() { call(make([]byte, n)[:n-1], make([]byte, n), 1) }, "%s %d bytes", name, n)
			}
			for _, a := range overlaps() {
				if len(a.src) >= BlockSize {
					panics(t, "overlap", func() { call(a.dst, a.src, 1) }, "%s %s", name, a.name)
				}
			}
		}
	})
}

// The last counter there is works, for every way to arrive at it.
func TestLastCounter(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, block, r := mustNew(t, impl, key), mustBlock(t, key), rand.New(rand.NewPCG(30, 0))
		for n := 1; n <= 700; n++ {
			skip := r.IntN(BlockSize)
			last := back(Counter{maxLo, maxLo}, blocksOf(n, skip)-1)
			s := stream{n: n, skip: skip, from: last, inPlace: n%2 == 0}
			must(t, s.check(c, block, r), "%+v", s)
			b := batch{lengths: []int{50, n, 70}, inPlace: n%2 == 0, nonce: func(n, skip int) Counter {
				return back(Counter{maxLo, maxLo}, blocksOf(n, skip)-1)
			}}
			must(t, b.check(c, block, r), "records of %d bytes", n)
			if past, over := last.Add(1); !over {
				buf := make([]byte, n)
				panics(t, "past its end", func() { c.XORKeyStream(buf, buf, past, skip) }, "%d bytes, skip %d", n, skip)
			}
		}
		c.XORKeyStream(nil, nil, Counter{maxLo, maxLo}, 15) // nothing needs no counter
	})
}

func TestKeyLengths(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		for n := range 80 {
			_, err := impl.New(make([]byte, n))
			checkKeyError(t, err, n, n == 16 || n == 32)
			_, err = impl.NewXTS(make([]byte, n))
			checkKeyError(t, err, n, n == 32 || n == 64)
		}
	})
}
