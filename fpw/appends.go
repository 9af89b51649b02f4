package fpw

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/walbench/walbench/walsim/pgformat"
)

// AppendOptions say what rows an updater appends to which table.
type AppendOptions struct {
	TupleBytes        int    // of a row, header included, before padding
	Node              uint32 // file number of the table
	Rows              int    // a transaction
	Updater, Updaters int
	Compression       Compression
	// Pool is where the rows' bytes come from, at least a page long. Draw says where
	// in it.
	Pool []byte
	Draw *rand.PCG
}

// Appends makes the INSERT records of one updater that appends rows to a table
// without index: a history table, or a table being made from a query. Each page
// is made by its first row (INSERT+INIT); the page being filled when the redo
// pointer moves needs an image on the next row. It allocates nothing once it is
// made, and must not be copied.
type Appends struct {
	o     AppendOptions
	table Table
	end   tail // behind the current transaction
	begin tail // before it

	place   uint64
	blocks  [1]pgformat.Block
	main    [insertMain]byte
	insert  pgformat.Spec
	press   press
	content pgformat.Content
	seen    pgformat.LSN // redo pointer
}

// xl_heap_insert: offnum u16, flags u8 (access/heapam_xlog.h).
const insertMain = 3

// NewAppends makes the appends of one updater. It panics if there are no rows.
func NewAppends(o AppendOptions) *Appends {
	a := &Appends{o: o, table: Table{Rows: 1, TupleBytes: o.TupleBytes, Fillfactor: maxFillfactor}}
	if err := a.table.check(); err != nil || o.Rows < 1 || len(o.Pool) < pgformat.PageSize {
		panic("fpw: appends of impossible rows")
	}
	a.end = newTail(0, a.table.RowsPerPage(), o.Updater, o.Updaters)
	a.press = newPress(o.Compression)
	a.blocks[0].Rel = pgformat.Rel{Spc: defaultTablespace, DB: firstDatabase, Node: o.Node}
	a.insert = spec(pgformat.RMHeap, pgformat.InfoHeapInsert, a.blocks[:], a.main[:])
	return a
}

// Next moves on to the next transaction.
func (a *Appends) Next() {
	a.end.redo = a.seen
	a.begin = a.end
	for range a.o.Rows {
		a.end.put()
	}
	a.place = a.o.Draw.Uint64()
}

// Build adds the current transaction's rows to to, the same ones with the same
// bytes for the same redo.
func (a *Appends) Build(to Sink, redo pgformat.LSN) {
	a.seen = max(a.seen, redo)
	at := a.begin
	image := at.stale(a.seen)
	for i := range a.o.Rows {
		at.put()
		a.row(&at, image && at.rows > 1, uint64(i))
		image = false // only the first row finds a page that was there before
		to.Add(&a.insert, &a.content)
	}
}

// row makes the spec the record of the row that was just put.
func (a *Appends) row(at *tail, image bool, i uint64) {
	b := &a.blocks[0]
	b.Number, b.WillInit = at.block, at.rows == 1
	a.insert.Info = pgformat.InfoHeapInsert
	if b.WillInit {
		a.insert.Info |= pgformat.InfoHeapInitPage
	}
	binary.LittleEndian.PutUint16(a.main[:], uint16(at.rows))
	if image {
		part := partOfPage(a.o.Pool, &a.table, at.rows)
		p := a.press.squeeze(&part)
		p.put(b)
		a.content = pgformat.Content{Pool: p.bytes}
		return
	}
	putData(b, loggedData(a.o.TupleBytes))
	a.content = contentAt(a.o.Pool, a.place+i)
}
