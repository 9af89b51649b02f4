package loadgen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/walsim/pgformat"
)

// drawSpec draws a record as PostgreSQL could have written it: images with and
// without holes, data up to what a block can hold, any main data.
func drawSpec(t *rapid.T) *pgformat.Spec {
	s := &pgformat.Spec{RMID: pgformat.RMHeap, MainLen: drawLength(t, "main data", 70_000)}
	for i := range rapid.IntRange(0, pgformat.MaxBlocks).Draw(t, "blocks") {
		b := pgformat.Block{
			ID: uint8(i), Fork: rapid.Uint8Range(0, 3).Draw(t, "fork"),
			Rel:    traceRelation(rapid.Uint32Range(0, 3).Draw(t, "relation")),
			Number: rapid.Uint32Range(0, maxBlockNumber).Draw(t, "block"),
		}
		if rapid.Bool().Draw(t, "image") {
			setImage(&b, rapid.IntRange(1, pgformat.PageSize).Draw(t, "image bytes"))
		}
		if b.DataLen = drawLength(t, "data", maxDataLen); b.DataLen > 0 {
			b.HasData = true
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

// drawLength draws lengths of which many are at a border.
func drawLength(t *rapid.T, what string, limit int) int {
	return rapid.OneOf(rapid.SampledFrom([]int{0, 1, 2, 254, 255, 256, limit}), rapid.IntRange(0, limit)).Draw(t, what)
}

// record is row i as a record, without content.
func (t *table) record(i int) []byte {
	spec := newTraceSpec()
	t.spec(i, &spec)
	rec := make([]byte, spec.Len())
	spec.Encode(rec, 0, nil)
	return rec
}

func imageBytes(s *pgformat.Spec) (n int) {
	for i := range s.Blocks {
		n += s.Blocks[i].ImageLen
	}
	return n
}

// rowOf is the trace row of a record, written independently of the parser.
func rowOf(s *pgformat.Spec) string {
	var refs []string
	images := 0
	for _, b := range s.Blocks {
		ref := fmt.Sprintf("r%d%s:%d", b.Rel.Node-16384, []string{"", "f", "v", "i"}[b.Fork], b.Number)
		if b.HasImage {
			ref += "F"
			images++
		}
		refs = append(refs, ref)
	}
	return fmt.Sprintf("0/28,1/0,3,Heap,INSERT,%d,%d,%d,%d,%s\n",
		s.Len(), s.MainLen, imageBytes(s), images, strings.Join(refs, " "))
}
