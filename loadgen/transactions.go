package loadgen

import (
	"fmt"
	"slices"

	"github.com/walbench/walbench/walsim/pgformat"
)

// UnitRecords is the number of records of a unit in a recorded log without any
// commit.
const UnitRecords = 100

// transactions are the transactions of a recorded log: the records of each as
// indexes into the log, ascending within a transaction.
type transactions struct {
	records []uint32 // of all transactions, one after the other
	ends    []uint32 // of each transaction in records

	withoutCommit bool
	unended       int // records behind or outside every ended transaction
}

// count is the number of transactions.
func (t *transactions) count() int { return len(t.ends) }

// at is the records of transaction i.
func (t *transactions) at(i int) []uint32 {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.records[start:t.ends[i]]
}

func (t *transactions) push(records []uint32) {
	slices.Sort(records)
	t.records = append(t.records, records...)
	t.ends = append(t.ends, uint32(len(t.records)))
}

// notes tells what grouping had to guess.
func (t *transactions) notes() []string {
	switch {
	case t.withoutCommit:
		return []string{fmt.Sprintf("no commit in it: every %d records are one unit", UnitRecords)}
	case t.unended > 0:
		return []string{fmt.Sprintf("%d records of transactions that do not end in it form one transaction", t.unended)}
	}
	return nil
}

// member is what grouping has to know about one record.
type member struct {
	index      uint32 // in the log
	xid        uint32 // 0: none
	top        uint32 // the top-level transaction if the record names one, or 0
	rmid, info uint8
	subs       []uint32 // subtransactions that belong to the top (or own) xid
}

// ends says whether the record ends a transaction, once its top is resolved:
// the end of a subtransaction does not. PREPARE ends one too: it flushes the log
// as a commit does, and COMMIT PREPARED is a small transaction of its own.
func (m *member) ends() bool {
	if m.rmid != pgformat.RMXact || m.top != m.xid {
		return false
	}
	switch m.info & pgformat.InfoXactOpMask {
	case pgformat.InfoXactCommit, pgformat.InfoXactCommitPrepared, pgformat.InfoXactPrepare,
		pgformat.InfoXactAbort, pgformat.InfoXactAbortPrepared:
		return true
	}
	return false
}

// grouper sorts the records of a log into transactions, fed in log order.
// Records without an xid were written for whoever gets an xid next (or by a
// background process) and join the transaction of the next record that has one.
// Transactions come in the order of their ends.
type grouper struct {
	open    map[uint32][]uint32 // by top-level xid
	topOf   map[uint32]uint32   // of known subtransactions
	pending []uint32            // records without xid so far
	all     []uint32
	out     transactions
}

func newGrouper() *grouper {
	return &grouper{open: map[uint32][]uint32{}, topOf: map[uint32]uint32{}}
}

func (g *grouper) add(m member) {
	g.all = append(g.all, m.index)
	g.resolve(&m)
	g.pending = append(g.pending, m.index)
	ends := m.ends()
	if m.xid == 0 && !ends {
		return
	}
	// COMMIT PREPARED may have no xid: it is then a transaction of its own.
	own := append(g.open[m.top], g.pending...)
	g.pending = g.pending[:0]
	if !ends {
		g.open[m.top] = own
		return
	}
	g.out.push(own)
	delete(g.open, m.top)
}

// resolve sets the record's top-level transaction, itself if it is no
// subtransaction, and learns from the record what belongs to it.
func (g *grouper) resolve(m *member) {
	if m.top == 0 {
		m.top = g.topOf[m.xid]
	}
	if m.top == 0 {
		m.top = m.xid
	}
	g.adopt(m.top, m.xid)
	for _, sub := range m.subs {
		g.adopt(m.top, sub)
	}
}

// adopt notes that sub is a subtransaction of top, and hands over what came
// before that was known.
func (g *grouper) adopt(top, sub uint32) {
	if sub == 0 || sub == top || g.topOf[sub] == top {
		return
	}
	g.topOf[sub] = top
	if early := g.open[sub]; len(early) > 0 {
		g.open[top] = append(g.open[top], early...)
		delete(g.open, sub)
	}
}

// finish returns all transactions; the grouper is used up.
func (g *grouper) finish() transactions {
	if g.out.count() == 0 {
		return units(g.all)
	}
	rest := g.pending
	for _, records := range g.open {
		rest = append(rest, records...)
	}
	if g.out.unended = len(rest); len(rest) > 0 {
		g.out.push(rest)
	}
	return g.out
}

// units cuts a log without commits into units.
func units(all []uint32) transactions {
	t := transactions{withoutCommit: true}
	for unit := range slices.Chunk(all, UnitRecords) {
		t.push(unit)
	}
	return t
}
