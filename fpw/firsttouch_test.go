package fpw

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/walsim/pgformat"
)

// server keeps page LSNs as PostgreSQL does, and checks what full_page_writes
// demands of every record. Each record moves the LSN on by one.
type server struct {
	lsn, redo pgformat.LSN
	pages     map[pageName]pgformat.LSN
	images    int // that were needed
	spare     int // that were not
	missing   []pageName
}

type pageName struct{ node, block uint32 }

func newServer() *server { return &server{lsn: 100, redo: 100, pages: map[pageName]pgformat.LSN{}} }

func (s *server) checkpoint() { s.lsn++; s.redo = s.lsn }

func (s *server) Add(spec *pgformat.Spec, _ *pgformat.Content) {
	s.lsn++
	for i := range spec.Blocks {
		b := &spec.Blocks[i]
		page := pageName{b.Rel.Node, b.Number}
		needs := s.pages[page] <= s.redo && !b.WillInit
		s.pages[page] = s.lsn
		switch {
		case needs && b.HasImage:
			s.images++
		case needs:
			s.missing = append(s.missing, page)
		case b.HasImage:
			s.spare++
		}
	}
}

// smallCase has few pages, so that all are touched again and again.
func smallCase(phase Phase) Config {
	c := worstCase(phase)
	c.Table.Rows, c.Tables, c.RowsPerUpdate, c.NonHot = 20_000, 2, 10, 0.05
	if phase.cycles() {
		c.CycleCommits = 120
	}
	return c
}

// round lets every session do its next transaction, in any order.
func round(to Sink, redo pgformat.LSN, order *rand.Rand, sessions []*Session) {
	order.Shuffle(len(sessions), func(i, j int) { sessions[i], sessions[j] = sessions[j], sessions[i] })
	for _, s := range sessions {
		s.Next()
		s.Build(to, redo)
	}
}

func sessionsOf(m *Model, updaters int, seed uint64) []*Session {
	list := make([]*Session, updaters)
	for i := range list {
		list[i] = session(m, i, updaters, seed)
	}
	return list
}

// With checkpoints where they are planned, a page's image is on its first touch
// and on no other, whatever the order within a round, but for pages that several
// updaters touch in that round: there it may be on the second.
func TestFirstTouchHasTheImage(t *testing.T) {
	for _, kind := range []PhaseKind{Fresh, Steady} {
		for _, fill := range []int{100, 50} {
			for _, updaters := range []int{1, 4} {
				c := smallCase(Phase{Kind: kind})
				c.Table.Fillfactor = fill
				m := mustNew(t, c)
				srv, sessions := newServer(), sessionsOf(m, updaters, 7)
				order := rand.New(rand.NewPCG(1, 2))
				rounds := m.CycleRounds(updaters)
				for k := range 4 * rounds {
					if k > 0 && k%rounds == 0 {
						srv.checkpoint()
					}
					round(srv, srv.redo, order, sessions)
				}
				what := fmt.Sprintf("phase %d, fillfactor %d, %d updaters", kind, fill, updaters)
				if srv.images < 1000 {
					t.Errorf("%s: only %d images", what, srv.images)
				}
				swapped := len(srv.missing)
				if updaters == 1 && swapped > 0 || swapped != srv.spare || swapped*30 > srv.images {
					t.Errorf("%s: %d images, missing on %d pages, %d too many", what, srv.images, swapped, srv.spare)
				}
			}
		}
	}
}

// In the planned order itself nothing is missing, whatever the number of
// updaters.
func TestPlannedOrderIsExact(t *testing.T) {
	m := mustNew(t, smallCase(Phase{Kind: Steady}))
	for _, updaters := range []int{1, 3, 8} {
		srv, sessions := newServer(), sessionsOf(m, updaters, 9)
		rounds := m.CycleRounds(updaters)
		for k := range 3 * rounds {
			if k > 0 && k%rounds == 0 {
				srv.checkpoint()
			}
			for _, s := range sessions {
				s.Next()
				s.Build(srv, srv.redo)
			}
		}
		if len(srv.missing)+srv.spare > 0 || srv.images == 0 {
			t.Errorf("%d updaters: %d images, missing on %d pages, %d too many",
				updaters, srv.images, len(srv.missing), srv.spare)
		}
	}
}

// A redo pointer that moves anywhere leaves no first touch behind it without
// image, and each transaction built again for it has more images than before.
func TestUnplannedCheckpoint(t *testing.T) {
	var models []*Model
	for _, phase := range []Phase{{Kind: Fresh}, {Kind: Steady}, {Kind: Late}, {Images, 2}} {
		models = append(models, mustNew(t, smallCase(phase)))
	}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(models).Draw(t, "model")
		updaters := rapid.IntRange(1, 3).Draw(t, "updaters")
		srv, sessions := newServer(), sessionsOf(m, updaters, rapid.Uint64().Draw(t, "seed"))
		rounds := m.CycleRounds(updaters)
		// The server knows page LSNs from its first checkpoint on.
		from := rapid.Int64Range(0, 30).Draw(t, "from")
		again := rapid.Int64Range(1, 40).Draw(t, "again")
		for k := range int64(80) {
			if k == from || k == from+again || rounds > 0 && k > 0 && k%rounds == 0 {
				srv.checkpoint()
				srv.missing = nil
			}
			for _, s := range sessions {
				s.Next()
				s.Build(new(tally), 1) // for a redo pointer of long ago
				s.Build(srv, srv.redo)
			}
			if k > from && len(srv.missing) > 0 {
				t.Fatalf("round %d, checkpoints at %d and %d: no image on first touch of %v", k, from, from+again, srv.missing)
			}
		}
	})
}

// A transaction that is built again because the redo pointer has moved has the
// images it needs; built again for the same one, it is the same.
func TestRebuild(t *testing.T) {
	m := mustNew(t, worstCase(Phase{Images, 10}))
	s := session(m, 0, 1, 1)
	for range 50 {
		s.Next()
		s.Build(new(tally), 100)
	}
	var before, after, same tape
	s.Next()
	s.Build(&before, 100)
	s.Build(&after, 200)
	s.Build(&same, 200)
	if before.images >= 30 || after.images < 95 {
		t.Errorf("%d images, and %d after a checkpoint, want about 10 and 100", before.images, after.images)
	}
	if after.sum() != same.sum() || after.sum() == before.sum() {
		t.Error("built again, the transaction differs; or it does not after a checkpoint")
	}
	var next tape
	s.Next()
	s.Build(&next, 200)
	if next.images < 90 {
		t.Errorf("%d images in the transaction behind, want nearly 100", next.images)
	}
}
