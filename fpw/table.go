package fpw

import (
	"errors"
	"fmt"

	"github.com/walbench/walbench/walsim/pgformat"
)

// ErrConfig is returned, wrapped, for a [Config] that cannot be.
var ErrConfig = errors.New("impossible table or phase")

// Sizes of a heap page and of a B-tree leaf (storage/bufpage.h, access/htup_details.h,
// access/nbtree.h, access/itup.h).
const (
	pageHeaderBytes  = 24 // SizeOfPageHeaderData
	linePointerBytes = 4  // ItemIdData
	leafSpecialBytes = 16 // BTPageOpaqueData
	indexTupleBytes  = 16 // header of 8, an integer key padded to 8
	leafRows         = 366
	minTupleBytes    = 32 // a header of 24 and something
	maxTupleBytes    = 2000
	minFillfactor    = 10 // HEAP_MIN_FILLFACTOR
	maxFillfactor    = 100
)

// Table is the size of a table with an integer primary key, loaded in one go:
// every heap page filled up to the fillfactor, every index leaf to 90 %.
type Table struct {
	Rows       int64
	TupleBytes int // a row's tuple, header included, before padding
	Fillfactor int // percent, 10 to 100
}

func (t Table) check() error {
	switch {
	case t.Rows < 1:
		return fmt.Errorf("%d rows, want at least 1: %w", t.Rows, ErrConfig)
	case t.TupleBytes < minTupleBytes || t.TupleBytes > maxTupleBytes:
		return fmt.Errorf("tuples of %d bytes, want %d to %d: %w",
			t.TupleBytes, minTupleBytes, maxTupleBytes, ErrConfig)
	case t.Fillfactor < minFillfactor || t.Fillfactor > maxFillfactor:
		return fmt.Errorf("fillfactor %d, want %d to %d: %w", t.Fillfactor, minFillfactor, maxFillfactor, ErrConfig)
	}
	return nil
}

// tupleSpace is what a tuple takes of a page: padded to 8, without its pointer.
func (t Table) tupleSpace() int { return pgformat.Align8(t.TupleBytes) }

// RowsPerPage is how many rows loading puts on a page: it goes on while the page
// has room for the tuple and the reserve that the fillfactor asks for
// (RelationGetBufferForTuple, access/heap/hio.c).
func (t Table) RowsPerPage() int {
	reserve := pgformat.PageSize * (100 - t.Fillfactor) / 100
	usable := pgformat.PageSize - pageHeaderBytes - linePointerBytes
	return 1 + max(0, usable-t.tupleSpace()-reserve)/(t.tupleSpace()+linePointerBytes)
}

// HeapPages is the number of heap pages after loading.
func (t Table) HeapPages() int64 { return ceilDiv(t.Rows, int64(t.RowsPerPage())) }

// LeafPages is the number of index leaves after loading: 366 keys of 20 bytes
// with their pointers, and the high key, fill 90 % of a page.
func (t Table) LeafPages() int64 {
	return ceilDiv(t.HeapPages()*int64(t.RowsPerPage()), leafRows)
}

// Room says whether a freshly loaded page has room for one more version of a
// row, so that the first update stays on it.
func (t Table) Room() bool {
	used := pageHeaderBytes + t.RowsPerPage()*(t.tupleSpace()+linePointerBytes)
	return pgformat.PageSize-used >= t.tupleSpace()+linePointerBytes
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
