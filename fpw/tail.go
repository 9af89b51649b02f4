package fpw

import "github.com/walbench/walbench/walsim/pgformat"

// tail is the page at the end of a table that one updater puts new rows on: as
// PostgreSQL's backends do, each on its own. Nobody else touches it, so its LSN
// can be compared with the redo pointer as PostgreSQL does.
type tail struct {
	block   uint32
	rows    int // on the page
	perPage int
	stride  uint32
	redo    pgformat.LSN // the redo pointer when it was touched last; 0: none known
}

// newTail is about to begin its first page, behind the table's pages.
func newTail(pages uint32, perPage, updater, updaters int) tail {
	return tail{
		block: pages + uint32(updater) - uint32(updaters), stride: uint32(updaters), // may wrap, and back
		rows: perPage, perPage: perPage,
	}
}

// put puts a row on the page, or on the next one if it is full: rows is then the
// row's place on it, from 1, and 1 says that its record makes the page (+INIT).
func (t *tail) put() {
	if t.rows == t.perPage {
		t.rows, t.block = 0, t.block+t.stride
	}
	t.rows++
}

// stale says whether redo has moved since the page was touched.
func (t *tail) stale(redo pgformat.LSN) bool { return t.redo != 0 && t.redo < redo }
