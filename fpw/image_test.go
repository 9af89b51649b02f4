package fpw

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Mean lengths of images, plain and compressed, against what PostgreSQL 15 wrote:
// within 5 %.
func TestImageSizes(t *testing.T) {
	steady, fresh := worstCase(Phase{Kind: Steady}), worstCase(Phase{Kind: Fresh})
	half := fresh
	half.Table.Fillfactor = 50
	accounts := fresh
	accounts.Table = Table{Rows: 2_000_000, TupleBytes: 121, Fillfactor: 100}
	with := func(c Config, blank float64, compression Compression) Config {
		c.Blank, c.Compression = blank, compression
		return c
	}
	for _, c := range []struct {
		name       string
		config     Config
		heap, leaf float64 // 0: not measured
	}{
		{"fresh", fresh, 8084, 7400},
		{"fillfactor 50", half, 4116, 7400},
		{"pgbench accounts, fresh", accounts, 8076, 7400},
		{"steady", steady, 7972, 7566},
		{"random digits", with(steady, 0, Off), 7950, 0},
		{"random digits, lz4", with(steady, 0, LZ4), 6629, 0},
		{"random digits, zstd", with(steady, 0, Zstd), 4057, 0},
		{"blanks", with(steady, 1, Off), 8101, 0},
		{"blanks, lz4", with(steady, 1, LZ4), 1032, 0},
		{"blanks, zstd", with(steady, 1, Zstd), 613, 0},
	} {
		first := newKinds(&c.config).first
		g, p := newGallery(&c.config, first, rand.NewPCG(7, 7)), newPress(c.config.Compression)
		heap, leaf := p.mean(g.heap), p.mean(g.leaf)
		t.Logf("%-24s heap %5.0f (%.0f)  leaf %5.0f (%.0f)", c.name, heap, c.heap, leaf, c.leaf)
		if math.Abs(heap/c.heap-1) > 0.05 || c.leaf > 0 && math.Abs(leaf/c.leaf-1) > 0.05 {
			t.Errorf("%s: images of %.0f and %.0f bytes, want %.0f, %.0f", c.name, heap, leaf, c.heap, c.leaf)
		}
	}
}

// More blanks make smaller images.
func TestCompressibilityIsMonotone(t *testing.T) {
	for _, compression := range []Compression{LZ4, Zstd} {
		last := math.Inf(1)
		for _, blank := range []float64{0, 0.25, 0.5, 0.75, 1} {
			c := worstCase(Phase{Kind: Steady})
			c.Blank = blank
			g, p := newGallery(&c, rowPrunes, rand.NewPCG(7, 7)), newPress(compression)
			if n := p.mean(g.heap); n >= last {
				t.Errorf("%v, %v blanks: %.0f bytes, and %.0f with fewer", compression, blank, n, last)
			} else {
				last = n
			}
		}
	}
}

// Compressed images decompress to what they were made from, have their method's
// flag, and keep the hole.
func TestSqueeze(t *testing.T) {
	c := worstCase(Phase{Kind: Steady})
	g := newGallery(&c, rowPrunes, rand.NewPCG(1, 1))
	for _, compression := range []Compression{LZ4, Zstd} {
		p := newPress(compression)
		for i := range g.heap[:16] {
			from := &g.heap[i]
			got := p.squeeze(from)
			if got.info != from.info|compression.flag() || got.holeLen != from.holeLen || got.holeOffset != from.holeOffset {
				t.Errorf("%v: image %d: flags %#x, hole %d+%d", compression, i, got.info, got.holeOffset, got.holeLen)
			}
			plain, err := expand(compression, got.bytes)
			if err != nil || !bytes.Equal(plain, from.bytes) {
				t.Errorf("%v: image %d comes back as %d bytes, want %d: %v", compression, i, len(plain), len(from.bytes), err)
			}
		}
	}
}

func expand(c Compression, b []byte) ([]byte, error) {
	if c == LZ4 {
		plain := make([]byte, pgformat.PageSize)
		n, err := lz4.UncompressBlock(b, plain)
		return plain[:max(n, 0)], err
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(b, nil)
}

// A page that does not get shorter, the hole's length included, is stored plain.
func TestSqueezeGivesUp(t *testing.T) {
	noise := make([]byte, 8000)
	draw := rand.NewPCG(1, 1)
	for i := 0; i < len(noise); i += 8 {
		binary.LittleEndian.PutUint64(noise[i:], draw.Uint64())
	}
	from := holed(noise, 100, 100+pgformat.PageSize-len(noise))
	for _, compression := range []Compression{LZ4, Zstd} {
		p := newPress(compression)
		if got := p.squeeze(&from); got.info != from.info || !bytes.Equal(got.bytes, noise) {
			t.Errorf("%v: noise is stored as %d bytes, flags %#x", compression, len(got.bytes), got.info)
		}
	}
}

// Heap pages are what PostgreSQL calls one: pointers in the page, tuples that do
// not overlap, redirects to tuples, the hole between pointers and tuples.
func TestHeapPages(t *testing.T) {
	half, oltp := million, million
	half.Fillfactor, oltp.TupleBytes = 50, 121
	for _, table := range []Table{million, half, oltp} {
		for _, first := range []rowKind{rowPrunes, rowFits, rowMoves} {
			if first == rowFits && !table.Room() {
				continue
			}
			c := worstCase(Phase{Kind: Steady})
			c.Table, c.Blank = table, 0.3
			g := newGallery(&c, first, rand.NewPCG(1, 1))
			for i := range g.heap {
				if err := checkHeapPage(&g.heap[i], table); err != nil {
					t.Fatalf("%+v, kind %d, page %d: %v", table, first, i, err)
				}
			}
		}
	}
}

// whole puts the hole back.
func (p *picture) whole() []byte {
	page := append(make([]byte, 0, pgformat.PageSize), p.bytes[:p.holeOffset]...)
	page = append(page, make([]byte, p.holeLen)...)
	return append(page, p.bytes[p.holeOffset:]...)
}

func checkHeapPage(p *picture, table Table) error {
	le, page := binary.LittleEndian, p.whole()
	lower, upper := int(le.Uint16(page[12:])), int(le.Uint16(page[14:]))
	if len(page) != pgformat.PageSize || le.Uint16(page[16:]) != pgformat.PageSize || lower != p.holeOffset || upper-lower != p.holeLen {
		return fmt.Errorf("%d bytes, lower %d, upper %d, hole %d+%d", len(page), lower, upper, p.holeOffset, p.holeLen)
	}
	end := pgformat.PageSize
	tuples := 0
	for at := pageHeaderBytes; at < lower; at += linePointerBytes {
		v := le.Uint32(page[at:])
		offset, flags, length := int(v&0x7fff), v>>15&3, int(v>>17)
		if flags == pointerRedirect {
			if offset < 1 || offset > tuples {
				return fmt.Errorf("pointer redirects to %d of %d tuples", offset, tuples)
			}
			continue
		}
		if flags != pointerNormal || length != table.TupleBytes || offset < upper || offset+length > end || offset%8 != 0 {
			return fmt.Errorf("pointer %#x, tuple %d+%d below %d", v, offset, length, end)
		}
		end = offset
		tuples++
		text := page[offset+tupleFiller+1 : offset+length]
		if page[offset+22] != 24 || len(bytes.Trim(text, "0123456789abcdef ")) != 0 {
			return fmt.Errorf("tuple at %d: header of %d, text %q", offset, page[offset+22], text)
		}
	}
	if end != upper {
		return fmt.Errorf("tuples end at %d, upper is %d", end, upper)
	}
	return nil
}

// Leaves hold keys in order, with a tuple for each pointer.
func TestLeafPages(t *testing.T) {
	c := worstCase(Phase{Kind: Steady})
	g := newGallery(&c, rowPrunes, rand.NewPCG(1, 1))
	le := binary.LittleEndian
	for i := range g.leaf {
		page := g.leaf[i].whole()
		lower := int(le.Uint16(page[12:]))
		last := uint64(0)
		for at := pageHeaderBytes; at < lower; at += linePointerBytes {
			v := le.Uint32(page[at:])
			offset := int(v & 0x7fff)
			tuple := page[offset : offset+indexTupleBytes]
			key := le.Uint64(tuple[8:])
			block, line := uint64(le.Uint16(tuple))<<16|uint64(le.Uint16(tuple[2:])), uint64(le.Uint16(tuple[4:]))
			if v>>17 != indexTupleBytes || block*65+line-1 != key || at > pageHeaderBytes && key != last+1 {
				t.Fatalf("leaf %d: pointer %#x, key %d after %d, row %d/%d", i, v, key, last, block, line)
			}
			last = key
		}
		if lower != g.leaf[i].holeOffset || len(page) != pgformat.PageSize {
			t.Fatalf("leaf %d: lower %d, hole at %d, %d bytes", i, lower, g.leaf[i].holeOffset, len(page))
		}
	}
}

func TestHexDigits(t *testing.T) {
	for _, v := range []uint32{0, 0x12345678, 0x9abcdef0, 0xffffffff, 0xa0a0a0a0} {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], hexDigits(v))
		for i, c := range b {
			if want := "0123456789abcdef"[v>>(4*i)&15]; c != want {
				t.Errorf("%#x: digit %d is %q, want %q", v, i, c, want)
			}
		}
	}
}
