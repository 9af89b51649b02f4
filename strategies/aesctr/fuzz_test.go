package aesctr

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// fuzzed are the choices that the bytes of a fuzz input make.
type fuzzed struct {
	key     []byte
	from    Counter
	skip    int
	srcAt   int
	dstAt   int
	inPlace bool
	cut     int // bytes between the ends of records
	text    []byte
}

// fuzzHead is the number of bytes that choose; the text is behind them.
const fuzzHead = 32 + 16 + 5

// takeFuzzed reads an input, and puts the counter back where it would pass its
// end: that panics, and other tests want it to.
func takeFuzzed(in []byte) (f fuzzed, ok bool) {
	if len(in) < fuzzHead {
		return f, false
	}
	f.key = in[:16+16*int(in[48]&1)]
	f.from = Counter{binary.BigEndian.Uint64(in[32:]), binary.BigEndian.Uint64(in[40:])}
	f.inPlace, f.skip = in[48]&2 != 0, int(in[49]%BlockSize)
	f.srcAt, f.dstAt, f.cut = int(in[50]%65), int(in[51]%65), int(in[52])
	f.text = in[fuzzHead:]
	if _, past := f.from.Add(max(blocksOf(len(f.text), f.skip), 1) - 1); past {
		f.from.Hi--
	}
	return f, true
}

// fields are source and output, the same one in place.
func (f fuzzed) fields() (src, dst *field) {
	src = copyField(f.srcAt, f.text)
	if f.inPlace {
		return src, src
	}
	return src, copyField(f.dstAt, bytes.Repeat([]byte{0xa5}, len(f.text)))
}

// copyField is a field with the text in its buffer.
func copyField(at int, text []byte) *field {
	f := &field{mem: bytes.Repeat([]byte{0x5a}, at+len(text)+2*margin), at: at + margin, n: len(text)}
	copy(f.buffer(), text)
	f.before = bytes.Clone(f.mem)
	return f
}

// records splits the text: every record's counter continues the last one's, so
// that the whole is what a single call makes.
func (f fuzzed) records(dst, src []byte) (recs []Record) {
	for at := 0; at < len(src) || len(recs) == 0; {
		n := min(f.cut+len(recs)%3, len(src)-at)
		if n == 0 && len(recs) > 1 {
			n = len(src) - at
		}
		from, _ := f.from.Add(uint64(f.skip+at) / BlockSize)
		recs = append(recs, Record{Dst: dst[at : at+n], Src: src[at : at+n], From: from, Skip: (f.skip + at) % BlockSize})
		at += n
	}
	return recs
}

func (f fuzzed) check(t *testing.T, impl *Implementation) {
	t.Helper()
	c, block := mustNew(t, impl, f.key), mustBlock(t, f.key)
	want := oracleXOR(block, f.text, f.from, f.skip)
	src, dst := f.fields()
	c.XORKeyStream(dst.buffer(), src.buffer(), f.from, f.skip)
	must(t, dst.check(want), "%s, one call", impl.Name)
	src, dst = f.fields()
	recs := f.records(dst.buffer(), src.buffer())
	c.XORRecords(recs)
	must(t, dst.check(want), "%s, %d records", impl.Name, len(recs))
	whole := f.text[:len(f.text)/BlockSize*BlockSize]
	src = copyField(f.srcAt, whole)
	c.EncryptBlocks(src.buffer(), src.buffer())
	must(t, src.check(oracleECB(block, whole)), "%s, encrypt blocks", impl.Name)
	c.DecryptBlocks(src.buffer(), src.buffer())
	must(t, src.check(whole), "%s, decrypt blocks", impl.Name)
}

// FuzzXOR lets the input decide on key, counter, places, lengths and the split
// into records. All implementations have to agree with crypto/cipher.
func FuzzXOR(f *testing.F) {
	seed := func(last Counter, flags, skip, srcAt, dstAt, cut byte, n int) {
		block := last.Block()
		in := append(append(testKey(32), block[:]...), flags, skip, srcAt, dstAt, cut)
		f.Add(append(in, bytes.Repeat([]byte("log"), n)[:n]...))
	}
	seed(Counter{}, 0, 0, 0, 0, 0, 0)
	seed(Counter{1, 2}, 1, 5, 1, 2, 16, 100)
	seed(Counter{7, maxLo}, 2, 15, 64, 3, 1, 65)
	seed(Counter{7, maxLo - 2}, 3, 0, 8, 0, 40, 700)
	seed(Counter{maxLo, maxLo}, 0, 9, 3, 3, 12, 257)
	seed(Counter{0, 1<<32 - 1}, 1, 1, 13, 31, 100, 1500)
	seed(Counter{3, 3}, 3, 3, 3, 3, 36, 64)
	f.Fuzz(func(t *testing.T, in []byte) {
		chosen, ok := takeFuzzed(in)
		if !ok {
			return
		}
		for _, impl := range Supported() {
			chosen.check(t, impl)
		}
	})
}

// The split into records covers the text, whatever the input.
func TestFuzzedRecords(t *testing.T) {
	for cut := range 5 {
		for n := range 40 {
			f, buf := fuzzed{cut: cut, skip: n % BlockSize}, make([]byte, n)
			total := 0
			for _, r := range f.records(buf, buf) {
				if at := uint64(f.skip + total); r.From.Lo != at/BlockSize || r.Skip != int(at%BlockSize) {
					t.Fatalf("cut %d, %d bytes: counter %v, skip %d", cut, n, r.From, r.Skip)
				}
				total += len(r.Src)
			}
			if total != n {
				t.Fatalf("cut %d: records of %d bytes, want %d", cut, total, n)
			}
		}
	}
}
