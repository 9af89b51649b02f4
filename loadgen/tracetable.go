package loadgen

import "github.com/walbench/walbench/walsim/pgformat"

// table is a trace in memory: what a record of each row needs to be built
// again, without text. It never changes once it is loaded.
type table struct {
	rows   []traceRow
	blocks []traceBlock // of all rows, one after the other
}

// traceRow is one recorded record. Lengths are in bytes.
type traceRow struct {
	start, end pgformat.LSN
	xid        uint32
	length     uint32 // xl_tot_len
	mainLen    uint32
	imageBytes uint32 // of all images together
	firstBlock uint32 // in table.blocks
	rmid, info uint8
	blocks     uint8
	images     uint8
}

// traceBlock is one block reference of a recorded record.
type traceBlock struct {
	rel, number uint32
	fork        uint8
	image       bool
}

// traceRelation makes relation number n of a trace a relation file: the default
// tablespace, the first database for users, numbers as PostgreSQL hands out.
func traceRelation(n uint32) pgformat.Rel {
	return pgformat.Rel{Spc: 1663, DB: 5, Node: firstRelation + n}
}

const (
	firstRelation = 16384 // FirstNormalObjectId
	maxRelation   = 1<<32 - 1 - firstRelation
)

// heapInit is XLOG_HEAP_INIT_PAGE: the record makes its first page from nothing.
func heapInit(rmid, info uint8) bool {
	return (rmid == pgformat.RMHeap || rmid == pgformat.RMHeap2) && info&pgformat.InfoHeapInitPage != 0
}

// newTraceSpec is a spec with room for the blocks of any record.
func newTraceSpec() pgformat.Spec {
	return pgformat.Spec{Blocks: make([]pgformat.Block, 0, pgformat.MaxBlocks)}
}

// spec writes row i as a record to into, which comes from newTraceSpec. The
// result is the number of bytes of the recorded length that the record has no
// place for, 0 for every row that loading has let through.
func (t *table) spec(i int, into *pgformat.Spec) int {
	row := &t.rows[i]
	into.RMID, into.Info, into.Xid = row.rmid, row.info, row.xid
	into.MainLen = int(row.mainLen)
	into.Blocks = into.Blocks[:row.blocks]
	image := 0
	for b := range into.Blocks {
		ref := &t.blocks[int(row.firstBlock)+b]
		into.Blocks[b] = pgformat.Block{
			ID: uint8(b), Fork: ref.fork, Rel: traceRelation(ref.rel), Number: ref.number,
		}
		if ref.image {
			setImage(&into.Blocks[b], share(int(row.imageBytes), int(row.images), image))
			image++
		}
	}
	if row.blocks > 0 && heapInit(row.rmid, row.info) && !into.Blocks[0].HasImage {
		into.Blocks[0].WillInit = true
	}
	return spreadData(into, int(row.length)-into.Len())
}

// share is part number i of total cut into n parts that differ by at most one.
func share(total, n, i int) int {
	part := total / n
	if i < total%n {
		part++
	}
	return part
}

// pageHeaderBytes is SizeOfPageHeaderData of a data page: no hole begins
// before it ends (storage/bufpage.h).
const pageHeaderBytes = 24

// setImage gives the block an image of n stored bytes. Anything short of a page
// is a page with a hole, whatever made it short; a hole begins behind at least
// one stored byte (DecodeXLogRecord, access/xlogreader.c).
func setImage(b *pgformat.Block, n int) {
	b.HasImage, b.ImageLen, b.ImageInfo = true, n, pgformat.ImageApply
	if n < pgformat.PageSize {
		b.ImageInfo |= pgformat.ImageHasHole
		b.HoleOffset, b.HoleLen = min(pageHeaderBytes, n), pgformat.PageSize-n
	}
}

// maxDataLen is what a block's 16-bit data length can say.
const maxDataLen = 1<<16 - 1

// spreadData gives n bytes of block data to the blocks, first to those without
// an image, since PostgreSQL leaves the data out when an image makes it
// redundant. The result is what did not fit, negative if n was.
func spreadData(s *pgformat.Spec, n int) int {
	for _, withImage := range [2]bool{false, true} {
		for i := range s.Blocks {
			b := &s.Blocks[i]
			if n <= 0 || b.HasImage != withImage {
				continue
			}
			b.HasData, b.DataLen = true, min(n, maxDataLen)
			n -= b.DataLen
		}
	}
	return n
}
