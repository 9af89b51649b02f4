package loadgen

import (
	"encoding/binary"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

func TestInsertRecords(t *testing.T) {
	r := transactionsOf(source(open(t, "insert"), 0, 1, 1), 2)
	var types []string
	for i, rec := range r.records {
		p := parse(t, rec)
		types = append(types, pgformat.RMName(p.Header.RMID)+"/"+pgformat.RecordType(15, p.Header.RMID, p.Header.Info))
		if want := []int{71, 34}[i%2]; len(rec) != want {
			t.Errorf("record %d has %d bytes, want %d", i, len(rec), want)
		}
		if i%2 == 0 && (len(p.Blocks) != 1 || p.Blocks[0].DataLen != 22 || p.MainLen != 3 || p.Images != 0) {
			t.Errorf("record %d: blocks %+v, main data %d, images %d", i, p.Blocks, p.MainLen, p.Images)
		}
	}
	want := [4]string{"Heap/INSERT+INIT", "Transaction/COMMIT", "Heap/INSERT", "Transaction/COMMIT"}
	if len(types) != 4 || [4]string(types) != want {
		t.Errorf("records are %q, want %q", types, want)
	}
}

// Rows fill pages, pages of different updaters differ, and each page begins
// with the record that makes it.
func TestInsertFillsPages(t *testing.T) {
	const updaters, rows = 3, 2*insertRowsAPage + 1
	maker := map[uint32]int{}
	for u := range updaters {
		r := transactionsOf(source(open(t, "insert"), u, updaters, 1), rows)
		for i := 0; i < len(r.records); i += 2 {
			p := parse(t, r.records[i])
			row := i / 2
			offnum := binary.LittleEndian.Uint16(r.records[i][len(r.records[i])-3:])
			block := p.Blocks[0].Number
			if int(offnum) != row%insertRowsAPage+1 || int(block) != u+row/insertRowsAPage*updaters {
				t.Fatalf("updater %d row %d: offset number %d on block %d", u, row, offnum, block)
			}
			if made := p.Blocks[0].WillInit; made != (offnum == 1) {
				t.Fatalf("updater %d row %d: page made is %t", u, row, made)
			}
			if by, ok := maker[block]; ok && by != u {
				t.Fatalf("updaters %d and %d share block %d", by, u, block)
			}
			maker[block] = u
		}
	}
	if len(maker) != 3*updaters {
		t.Errorf("%d pages, want %d", len(maker), 3*updaters)
	}
}

func TestInsertCommitTimesRise(t *testing.T) {
	r := transactionsOf(source(open(t, "insert"), 0, 1, 1), 100)
	last := uint64(firstCommitTime)
	for i := 1; i < len(r.records); i += 2 {
		at := binary.LittleEndian.Uint64(r.records[i][34-8:])
		if at <= last || at > firstCommitTime+commitTimeSpread+100*commitTimeStep {
			t.Fatalf("commit %d at %d after %d", i/2, at, last)
		}
		last = at
	}
}
