package fpw

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Sink takes the records of a transaction. It is done with its arguments when it
// returns.
type Sink interface {
	Add(s *pgformat.Spec, content *pgformat.Content)
}

// SessionOptions say whose transactions a session makes.
type SessionOptions struct {
	Updater, Updaters int
	Seed              uint64    // the same for all updaters of a run
	Draw              *rand.PCG // the updater's own: content
	FirstXid          uint32    // of transaction 0
	// Blank shows pages of the right lengths with any content: nobody looks at it.
	Blank bool
}

// Session makes the updates of one updater. It belongs to the updater, allocates
// nothing once it is made, and must not be copied.
type Session struct {
	model  *Model
	o      SessionOptions
	start  int64 // where in a ring transaction 0 is
	rounds int64 // transactions of each updater from checkpoint to checkpoint, or 0

	number int64 // of the updater's current transaction; -1 before the first Next
	cycle  int64
	place  uint64 // draws content for the current transaction
	table  uint32
	rows   []row
	tails  []tail // of each table
	moved  bool   // a row of the current transaction goes to its table's tail
	added  uint64 // records of the current transaction so far

	redo    pgformat.LSN // the last one seen
	strict  bool         // it moved at an unplanned place: images by touched
	touched touched

	records records
	gallery gallery
	press   press
	part    picture // of a page being filled
	content pgformat.Content
}

// row is one row of the current transaction.
type row struct {
	page, leaf uint32
	block      uint32 // where a row that moves goes
	offset     uint16 // its place on the page it goes to, or stays on
	line       uint16 // its place on the old one, from 0
	draw       uint32
	kind       rowKind
	heapImage  bool // as planned
	leafImage  bool
	tailFirst  bool // the transaction's first row on a page that was there before
}

// Session makes a session. It panics if Updater is none of Updaters, of which
// MaxUpdaters can be.
func (m *Model) Session(o SessionOptions) *Session {
	if o.Updater < 0 || o.Updater >= o.Updaters || o.Updaters > MaxUpdaters {
		panic(fmt.Sprintf("fpw: updater %d of %d, at most %d", o.Updater, o.Updaters, MaxUpdaters))
	}
	c := &m.config
	s := &Session{
		model: m, o: o, number: -1, cycle: -1, rounds: m.CycleRounds(o.Updaters),
		rows: make([]row, c.RowsPerUpdate), tails: make([]tail, c.Tables),
		touched: newTouched(m.pages(), min(2*c.RowsPerUpdate, int(m.pages()))),
		gallery: m.gallery(&o),
		press:   newPress(c.Compression),
	}
	if s.rounds == 0 {
		s.start = int64(scramble(o.Seed) % uint64(m.plan.length))
	}
	s.records.init()
	s.newTails()
	return s
}

// pages is the number of loaded pages, of all heaps and all indexes.
func (m *Model) pages() int64 {
	t := &m.config.Table
	return (t.HeapPages() + t.LeafPages()) * int64(m.config.Tables)
}

// newTails puts every table's tail behind its loaded pages.
func (s *Session) newTails() {
	t := &s.model.config.Table
	for i := range s.tails {
		s.tails[i] = newTail(uint32(t.HeapPages()), t.RowsPerPage(), s.o.Updater, s.o.Updaters)
	}
}

// CheckpointDue says that a planned checkpoint comes just before the current
// transaction: then the redo pointer has to move after every updater has ended
// the transaction before, and before any begins this one.
func (s *Session) CheckpointDue() bool { return s.number > 0 && s.beginsCycle() }

func (s *Session) beginsCycle() bool {
	return s.rounds > 0 && s.number%s.rounds == 0
}

// Next moves on to the updater's next transaction; the first call moves to the
// first one.
func (s *Session) Next() {
	s.touched.keep()
	if s.moved {
		s.tails[s.table].redo = s.redo
	}
	s.moved = false
	s.number++
	s.place = s.o.Draw.Uint64()
	if s.beginsCycle() {
		s.nextCycle()
	}
	at := s.at()
	key, table := s.model.draw.transaction(uint64(at))
	s.table = table
	turn := s.rotation(table)
	for i := range s.rows {
		s.pick(&s.rows[i], at, i, s.model.draw.row(key, i), turn)
	}
}

// nextCycle forgets what was touched before the checkpoint, or even the tables.
func (s *Session) nextCycle() {
	s.cycle++
	s.strict = false
	if s.model.config.Phase.Kind == Fresh {
		s.newTails()
	}
}

// at is the place of the current transaction in the plan.
func (s *Session) at() int64 {
	if s.rounds > 0 {
		return s.number%s.rounds*int64(s.o.Updaters) + int64(s.o.Updater)
	}
	g := s.number*int64(s.o.Updaters) + int64(s.o.Updater)
	return (g + s.start) % s.model.plan.length
}

// rotation is by how much the seed moves the page numbers of a table and its
// index. It changes from cycle to cycle, so that cycles are not all alike.
func (s *Session) rotation(table uint32) (turn struct{ heap, leaf uint32 }) {
	t := &s.model.config.Table
	x := scramble(s.o.Seed ^ scramble(uint64(max(0, s.cycle))*MaxTables+uint64(table)))
	heap, low := bits.Mul64(x, uint64(t.HeapPages()))
	leaf, _ := bits.Mul64(low, uint64(t.LeafPages()))
	turn.heap, turn.leaf = uint32(heap), uint32(leaf)
	return turn
}

// pick fills in row i of the transaction at place at.
func (s *Session) pick(w *row, at int64, i int, t touch, turn struct{ heap, leaf uint32 }) {
	heap, leaf := s.model.plan.images(at, i)
	w.page, w.leaf = wrap(t.page+turn.heap, s.model.draw.pages), wrap(t.leaf+turn.leaf, s.model.leafPages)
	w.line, w.offset, w.draw = uint16(t.line), uint16(t.line)+1, t.draw
	w.kind, w.heapImage, w.leafImage = s.model.kinds.of(heap, t.nonHot), heap, leaf
	w.block, w.tailFirst = 0, false
	if w.kind != rowMoves {
		return
	}
	to := &s.tails[s.table]
	to.put()
	w.block, w.offset = to.block, uint16(to.rows)
	w.tailFirst = !s.moved && to.rows > 1
	s.moved = true
}

func wrap(page, pages uint32) uint32 {
	if page >= pages {
		return page - pages
	}
	return page
}

// Build adds the current transaction's updates to to, the same ones with the same
// bytes for the same redo. It panics before the first Next.
func (s *Session) Build(to Sink, redo pgformat.LSN) {
	if s.number < 0 {
		panic("fpw: Build before Next")
	}
	s.observe(redo)
	s.touched.rewind()
	s.added = 0
	s.records.relation(s.node())
	for i := range s.rows {
		s.add(to, &s.rows[i])
	}
}

// observe looks whether the redo pointer has moved where the plan knows nothing
// of it.
func (s *Session) observe(redo pgformat.LSN) {
	if redo <= s.redo {
		return
	}
	first := s.redo == 0
	s.redo = redo
	if first || s.beginsCycle() {
		return
	}
	s.strict = true
	s.touched.clear()
}

// node is the file number of the current table. A new cycle of Fresh has new
// tables.
func (s *Session) node() uint32 {
	table := s.table
	if s.model.config.Phase.Kind == Fresh {
		table += uint32(s.cycle) * uint32(s.model.config.Tables)
	}
	return s.model.config.FirstNode + 2*table
}

// Pool is what the session's heap pages hold: rows, as content for records of
// other tables.
func (s *Session) Pool() []byte { return s.gallery.slab }
