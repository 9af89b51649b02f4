package fpw

// plan says for every row of every planned transaction whether its heap page and
// its index leaf need an image. Transactions are numbered in the order of the
// package comment.
type plan struct {
	rows int64 // of a transaction
	heap []uint64
	leaf []uint64
	// length is the number of planned transactions: of the ring in a held phase;
	// of a cycle otherwise, or until every page had its image.
	length int64
	// cycle is the number of transactions from checkpoint to checkpoint, 0 in a
	// held phase.
	cycle int64
}

// images are the bits of row i of the transaction at place at.
func (p *plan) images(at int64, i int) (heap, leaf bool) {
	bit := at*p.rows + int64(i)
	word := bit >> 6
	if word >= int64(len(p.heap)) {
		return false, false // all pages had theirs before
	}
	mask := uint64(1) << (bit & 63)
	return p.heap[word]&mask != 0, p.leaf[word]&mask != 0
}

// ringLength is that of a ring whose redo pointer trails by reach: enough to see
// that far back, and that transactions do not repeat too soon.
func ringLength(reach, rows int64) int64 {
	const most, least, manyRows = 8192, 512, 1 << 20
	return max(2*reach, min(most, max(least, manyRows/rows)))
}

// makePlan goes through the transactions of a config.
func makePlan(c *Config, k *kinds, cost costs, reach int64) *plan {
	p := planner{
		plan: &plan{rows: int64(c.RowsPerUpdate)}, draw: c.drawer(), kinds: k, cost: cost, reach: maxReach,
		heapPages: uint32(c.Table.HeapPages()), leafPages: uint32(c.Table.LeafPages()),
		heapLast: make([]uint32, c.Table.HeapPages()*int64(c.Tables)),
		leafLast: make([]uint32, c.Table.LeafPages()*int64(c.Tables)),
	}
	if c.Phase.cycles() {
		p.follow(c)
	} else {
		p.ring(reach)
	}
	return p.plan
}

// planner makes a plan. The last arrays hold, for each page, 1 + the number of
// the transaction that touched it last, 0 for none: what a page LSN is to
// PostgreSQL, in numbers that do not depend on the design.
type planner struct {
	*plan
	draw                 drawer
	kinds                *kinds
	reach                uint32 // a page needs an image if touched last longer ago
	heapPages, leafPages uint32
	heapLast, leafLast   []uint32

	cost  costs
	bytes float64 // of records so far
}

// ring plans a held phase. The transactions just before the ring are its own
// last ones.
func (p *planner) ring(reach int64) {
	p.reach = uint32(reach)
	p.length = ringLength(reach, p.rows)
	p.room(p.length)
	for at := p.length - reach; at < p.length; at++ {
		p.transaction(at, uint32(at), false)
	}
	for at := range p.length {
		p.transaction(at, uint32(p.length+at), true)
	}
}

// follow plans what follows a checkpoint, until the next one is due, and in any
// case far enough for every updater to have a transaction in it.
func (p *planner) follow(c *Config) {
	for due := false; ; {
		if due = p.due(c); due && p.cycle == 0 {
			p.cycle = max(1, p.length)
		}
		if due && p.length >= MaxUpdaters {
			return
		}
		p.room(p.length + 1)
		p.transaction(p.length, uint32(p.length), true)
		p.bytes += float64(c.OtherBytes)
		p.length++
	}
}

func (p *planner) due(c *Config) bool {
	if c.CycleCommits > 0 {
		return p.length >= c.CycleCommits
	}
	return p.bytes >= float64(c.CycleBytes)
}

// room makes the bits long enough for n transactions.
func (p *planner) room(n int64) {
	words := int((n*p.rows + 63) / 64)
	if words <= len(p.heap) {
		return
	}
	words = max(words, 2*len(p.heap))
	p.heap = append(p.heap, make([]uint64, words-len(p.heap))...)
	p.leaf = append(p.leaf, make([]uint64, words-len(p.leaf))...)
}

// transaction goes through the rows of the transaction at place at, which is
// number now; note says whether to keep what it finds.
func (p *planner) transaction(at int64, now uint32, note bool) {
	key, table := p.draw.transaction(uint64(at))
	for i := range int(p.rows) {
		t := p.draw.row(key, i)
		heap := p.touch(&p.heapLast[table*p.heapPages+t.page], now)
		kind := p.kinds.of(heap, t.nonHot)
		leaf := kind == rowMoves && p.touch(&p.leafLast[table*p.leafPages+t.leaf], now)
		if note {
			p.note(at*p.rows+int64(i), heap, leaf, kind)
		}
	}
}

// touch says whether a page touched by transaction now needs an image.
func (p *planner) touch(last *uint32, now uint32) bool {
	was := *last
	*last = now + 1
	return was == 0 || now+1-was > p.reach
}

func (p *planner) note(bit int64, heap, leaf bool, kind rowKind) {
	word, shift := bit>>6, bit&63
	if heap {
		p.heap[word] |= 1 << shift
		p.bytes += p.cost.heap
	}
	if leaf {
		p.leaf[word] |= 1 << shift
		p.bytes += p.cost.leaf
	}
	p.bytes += p.cost.row[kind]
}
