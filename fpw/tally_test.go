package fpw

import (
	"math/rand/v2"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// tally counts what sessions add.
type tally struct {
	records, bytes         int
	heapImages, leafImages int
	heapBytes, leafBytes   int // of images
}

func (t *tally) Add(s *pgformat.Spec, _ *pgformat.Content) {
	t.records++
	t.bytes += s.Len()
	for i := range s.Blocks {
		switch b := &s.Blocks[i]; {
		case !b.HasImage:
		case s.RMID == pgformat.RMBtree:
			t.leafImages++
			t.leafBytes += b.ImageLen
		default:
			t.heapImages++
			t.heapBytes += b.ImageLen
		}
	}
}

// types counts records by type and length without image.
type types map[string]map[int]int

func (t types) Add(s *pgformat.Spec, _ *pgformat.Content) {
	name, length := pgformat.RecordType(15, s.RMID, s.Info), s.Len()
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.HasImage {
			name += "(image)"
			length -= b.ImageLen
		}
	}
	if t[name] == nil {
		t[name] = map[int]int{}
	}
	t[name][length]++
}

// commit counts a commit record.
func (t *tally) commit() { t.records, t.bytes = t.records+1, t.bytes+34 }

// million is the measured table: 1M rows of 117 bytes.
var million = Table{Rows: 1_000_000, TupleBytes: 117, Fillfactor: 100}

func worstCase(phase Phase) Config {
	c := Config{
		Table: million, Tables: 1, RowsPerUpdate: 100, NonHot: 0.0033, Phase: phase,
		OtherBytes: 34, HotData: [2]int{11, 11}, FirstNode: 16384,
	}
	if phase.cycles() {
		c.CycleCommits = 1500
	}
	return c
}

func mustNew(t testing.TB, c Config) *Model {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func session(m *Model, updater, updaters int, seed uint64) *Session {
	return m.Session(SessionOptions{
		Updater: updater, Updaters: updaters, Seed: seed, Draw: rand.NewPCG(seed, uint64(updater)), FirstXid: 3,
	})
}
