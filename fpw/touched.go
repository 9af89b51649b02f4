package fpw

// touched remembers which pages a session has touched since the redo pointer
// moved at an unplanned place. What the current transaction touches counts
// only once the transaction is over, so that it can be built again.
type touched struct {
	bits    []uint64
	current []uint32 // pages the current transaction has added
}

// newTouched has room for pages numbers, of which a transaction touches at most
// perTransaction.
func newTouched(pages int64, perTransaction int) touched {
	return touched{bits: make([]uint64, (pages+63)/64), current: make([]uint32, 0, perTransaction)}
}

// first notes that the current transaction touches a page, and says whether
// that is the first touch.
func (t *touched) first(page uint32) bool {
	word, mask := &t.bits[page>>6], uint64(1)<<(page&63)
	if *word&mask != 0 {
		return false
	}
	*word |= mask
	t.current = append(t.current, page)
	return true
}

// rewind forgets what the current transaction has touched.
func (t *touched) rewind() {
	for _, page := range t.current {
		t.bits[page>>6] &^= 1 << (page & 63)
	}
	t.current = t.current[:0]
}

// keep is called when a transaction is over.
func (t *touched) keep() { t.current = t.current[:0] }

// clear forgets everything.
func (t *touched) clear() {
	clear(t.bits)
	t.current = t.current[:0]
}
