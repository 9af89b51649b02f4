package fpw

import "github.com/walbench/walbench/walsim/pgformat"

// add adds the records of one row.
func (s *Session) add(to Sink, w *row) {
	s.records.main(s.xid(), w)
	switch w.kind {
	case rowPrunes:
		s.addPrune(to, w)
		s.addHot(to, w, false)
	case rowFits:
		s.addHot(to, w, true)
	default:
		s.addLock(to, w)
		s.addUpdate(to, w)
		s.addLeaf(to, w)
	}
}

func (s *Session) xid() uint32 {
	return s.o.FirstXid + uint32(s.number)*uint32(s.o.Updaters) + uint32(s.o.Updater)
}

func (s *Session) addPrune(to Sink, w *row) {
	b := &s.records.pruneBlock[0]
	s.heapPage(b, w, s.model.kinds.pruneData[w.draw>>8&3])
	to.Add(&s.records.prune, &s.content)
}

// addHot adds a HOT_UPDATE, with the page's image if it is the first record to
// touch it.
func (s *Session) addHot(to Sink, w *row, first bool) {
	b, data := &s.records.hotBlock[0], s.model.kinds.hotData[w.draw>>10&1]
	if first {
		s.heapPage(b, w, data)
	} else {
		b.Number = w.page
		s.data(b, data)
	}
	to.Add(&s.records.hot, &s.content)
}

func (s *Session) addLock(to Sink, w *row) {
	s.heapPage(&s.records.lockBlock[0], w, 0)
	to.Add(&s.records.lock, &s.content)
}

func (s *Session) addUpdate(to Sink, w *row) {
	r := &s.records
	fresh, old := &r.updateBlocks[0], &r.updateBlocks[1]
	fresh.Number, old.Number = w.block, w.page
	fresh.WillInit = w.offset == 1
	r.update.Info = pgformat.InfoHeapUpdate
	if fresh.WillInit {
		r.update.Info |= pgformat.InfoHeapInitPage
	}
	if w.tailFirst && s.tails[s.table].stale(s.redo) {
		s.part = partOfPage(s.gallery.slab, &s.model.config.Table, int(w.offset))
		s.image(fresh, &s.part)
	} else {
		s.data(fresh, s.model.kinds.movedData)
	}
	to.Add(&r.update, &s.content)
}

func (s *Session) addLeaf(to Sink, w *row) {
	b := &s.records.leafBlock[0]
	b.Number = w.leaf
	if s.images(s.leafPage(w), w.leafImage) {
		s.image(b, &s.gallery.leaf[s.pictureOf(w)>>8%galleryLeaf])
	} else {
		s.data(b, indexTupleBytes)
	}
	to.Add(&s.records.leaf, &s.content)
}

// heapPage makes b the row's heap page, with its image or with data.
func (s *Session) heapPage(b *pgformat.Block, w *row, data int) {
	b.Number = w.page
	if s.images(s.table*s.model.draw.pages+w.page, w.heapImage) {
		s.image(b, &s.gallery.heap[s.pictureOf(w)%galleryHeap])
	} else {
		s.data(b, data)
	}
}

// pictureOf is which picture the row's pages are shown by.
func (s *Session) pictureOf(w *row) uint32 { return w.draw + uint32(s.place) }

func (s *Session) leafPage(w *row) uint32 {
	m := s.model
	return uint32(m.config.Tables)*m.draw.pages + s.table*m.leafPages + w.leaf
}

// images says whether the record that touches a page carries its image: as
// planned, or because the redo pointer has moved since.
func (s *Session) images(page uint32, planned bool) bool {
	if !s.strict {
		return planned
	}
	return s.touched.first(page) || planned
}

// image gives b an image, and the record its bytes.
func (s *Session) image(b *pgformat.Block, of *picture) {
	p := s.press.squeeze(of)
	p.put(b)
	s.content = pgformat.Content{Pool: p.bytes}
	s.added++
}

// data gives b data of n bytes and no image.
func (s *Session) data(b *pgformat.Block, n int) {
	putData(b, n)
	s.content = contentAt(s.gallery.slab, s.place+s.added)
	s.added++
}
