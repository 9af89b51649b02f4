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
	byType                 map[string]int
	lengths                map[string]map[int]int // records without image bytes
}

func newTally() *tally { return &tally{byType: map[string]int{}, lengths: map[string]map[int]int{}} }

func (t *tally) Add(s *pgformat.Spec, _ *pgformat.Content) {
	name := pgformat.RecordType(15, s.RMID, s.Info)
	t.records++
	t.bytes += s.Len()
	length := s.Len()
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if !b.HasImage {
			continue
		}
		name += "(image)"
		length -= b.ImageLen
		if s.RMID == pgformat.RMBtree {
			t.leafImages++
			t.leafBytes += b.ImageLen
		} else {
			t.heapImages++
			t.heapBytes += b.ImageLen
		}
	}
	t.byType[name]++
	if t.lengths[name] == nil {
		t.lengths[name] = map[int]int{}
	}
	t.lengths[name][length]++
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
