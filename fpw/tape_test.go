package fpw

import (
	"crypto/sha256"
	"hash"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// tape encodes what a session adds and keeps a digest of it.
type tape struct {
	hash   hash.Hash
	images int
	err    error // the first record that is none
}

func (t *tape) Add(s *pgformat.Spec, content *pgformat.Content) {
	if t.hash == nil {
		t.hash = sha256.New()
	}
	rec := make([]byte, s.Len())
	s.Encode(rec, 0, content)
	t.hash.Write(rec)
	var parsed pgformat.Record
	if err := s.Check(); err != nil && t.err == nil {
		t.err = err
	}
	if err := pgformat.ParseRecord(rec, &parsed); err != nil && t.err == nil {
		t.err = err
	}
	t.images += parsed.Images
}

func (t *tape) sum() [32]byte { return [32]byte(t.hash.Sum(nil)) }

// everyConfig is small tables in every phase, and in one phase with every
// compression.
func everyConfig() (list []Config) {
	for _, phase := range []Phase{{Kind: Fresh}, {Kind: Steady}, {Kind: Late}, {Images, 10}} {
		c := smallCase(phase)
		c.RowsPerUpdate = 40
		if phase.cycles() {
			c.CycleCommits = 6
		}
		list = append(list, c)
	}
	for _, compression := range []Compression{LZ4, Zstd} {
		c := list[3]
		c.Compression = compression
		list = append(list, c)
	}
	return list
}

// Every record of every phase and compression is one that pgformat accepts, and
// the records are the same for the same seed, however sessions take turns, and
// others for another seed.
func TestRecordsAreValidAndRepeatable(t *testing.T) {
	for _, c := range everyConfig() {
		m := mustNew(t, c)
		var a, b, other, second tape
		play(&a, session(m, 0, 2, 1), 8)
		play(&second, session(m, 1, 2, 1), 8)
		play(&b, session(m, 0, 2, 1), 8)
		play(&other, session(m, 0, 2, 2), 8)
		if a.err != nil {
			t.Errorf("%v, %v: %v", c.Phase, c.Compression, a.err)
		}
		if a.sum() != b.sum() {
			t.Errorf("%v, %v: records depend on who came before", c.Phase, c.Compression)
		}
		if a.sum() == other.sum() || a.sum() == second.sum() {
			t.Errorf("%v, %v: same records for another seed or updater", c.Phase, c.Compression)
		}
	}
}

func play(to *tape, s *Session, n int) {
	for range n {
		s.Next()
		s.Build(to, 100)
	}
}

func TestNoAllocations(t *testing.T) {
	for _, c := range everyConfig() {
		s := session(mustNew(t, c), 0, 1, 1)
		var to size
		redo := pgformat.LSN(100)
		next := func() {
			s.Next()
			s.Build(&to, redo)
			redo += 5 // some of them unplanned checkpoints
		}
		for range 10 { // zstd's encoder grows some tables as it meets new data
			next()
		}
		if n := testing.AllocsPerRun(5, next); n != 0 {
			t.Errorf("%v, %v: %v allocations in a transaction", c.Phase, c.Compression, n)
		}
	}
}

// size adds up lengths.
type size int

func (n *size) Add(s *pgformat.Spec, _ *pgformat.Content) { *n += size(s.Len()) }

func TestSessionPanics(t *testing.T) {
	m := mustNew(t, smallCase(Phase{Kind: Late}))
	for name, f := range map[string]func(){
		"updater 2 of 2":    func() { session(m, 2, 2, 1) },
		"updater -1":        func() { session(m, -1, 2, 1) },
		"too many updaters": func() { session(m, 0, MaxUpdaters+1, 1) },
		"Build before Next": func() { session(m, 0, 1, 1).Build(new(size), 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
