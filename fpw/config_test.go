package fpw

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The first three are what PostgreSQL gave for tables loaded in one go. By hand: at
// fillfactor 90 a row of 120 bytes goes on as long as 120 + 819 are free behind a
// pointer of 4, 8164-124*58 = 972 but not 8164-124*59 = 848; so 59 rows.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		table         Table
		perPage       int
		pages, leaves int64
		room          bool
	}{
		{Table{1_000_000, 117, 100}, 65, 15_385, 2733, false},
		{Table{1_000_000, 117, 50}, 32, 31_250, 2733, true},
		{Table{2_000_000, 121, 100}, 61, 32_787, 5465, false},
		{Table{100_000, 117, 99}, 65, 1539, 274, false},
		{Table{100_000, 117, 90}, 59, 1695, 274, true},
		{Table{1, 117, 100}, 65, 1, 1, false},
	} {
		got := c.table
		if got.RowsPerPage() != c.perPage || got.HeapPages() != c.pages || got.LeafPages() != c.leaves || got.Room() != c.room {
			t.Errorf("%+v: %d rows a page, %d pages, %d leaves, room %t, want %d, %d, %d, %t", got, got.RowsPerPage(),
				got.HeapPages(), got.LeafPages(), got.Room(), c.perPage, c.pages, c.leaves, c.room)
		}
	}
}

func TestConfigRefuses(t *testing.T) {
	change := func(f func(*Config)) Config {
		c := worstCase(Phase{Kind: Steady})
		f(&c)
		return c
	}
	for name, c := range map[string]Config{
		"no rows":           change(func(c *Config) { c.Table.Rows = 0 }),
		"large tuple":       change(func(c *Config) { c.Table.TupleBytes = 9000 }),
		"small tuple":       change(func(c *Config) { c.Table.TupleBytes = 10 }),
		"fillfactor 9":      change(func(c *Config) { c.Table.Fillfactor = 9 }),
		"fillfactor 101":    change(func(c *Config) { c.Table.Fillfactor = 101 }),
		"no table":          change(func(c *Config) { c.Tables = 0 }),
		"65 tables":         change(func(c *Config) { c.Tables = 65 }),
		"too many rows":     change(func(c *Config) { c.Tables, c.Table.Rows = 64, 10_000_000 }),
		"too many pages":    change(func(c *Config) { c.Table.Rows, c.Table.Fillfactor = 100_000_000, 10 }),
		"no rows an update": change(func(c *Config) { c.RowsPerUpdate = 0 }),
		"nonhot":            change(func(c *Config) { c.NonHot = math.NaN() }),
		"blank":             change(func(c *Config) { c.Blank = 1.1 }),
		"hot data":          change(func(c *Config) { c.HotData[1] = 0 }),
		"no phase":          change(func(c *Config) { c.Phase = Phase{} }),
		"unknown phase":     change(func(c *Config) { c.Phase.Kind = 9 }),
		"two cycles":        change(func(c *Config) { c.CycleBytes = 1 }),
		"no cycle":          change(func(c *Config) { c.CycleCommits = 0 }),
		"negative cycle":    change(func(c *Config) { c.CycleCommits = -1 }),
		"long cycle":        change(func(c *Config) { c.CycleCommits = MaxCycleRows }),
		"large cycle":       change(func(c *Config) { c.CycleCommits, c.CycleBytes = 0, MaxCycleBytes+1 }),
		"cycle when late":   change(func(c *Config) { c.Phase.Kind = Late }),
		"101 images":        change(func(c *Config) { c.CycleCommits, c.Phase = 0, Phase{Images, 101} }),
		"hardly an image":   change(func(c *Config) { c.CycleCommits, c.Phase = 0, Phase{Images, 0.5} }),
	} {
		if m, err := New(c); !errors.Is(err, ErrConfig) || m != nil {
			t.Errorf("%s: %v, want ErrConfig", name, err)
		}
	}
}

// A table of one page, and one row of it, work in every phase.
func TestSmallestTables(t *testing.T) {
	for _, phase := range []Phase{{Kind: Fresh}, {Kind: Steady}, {Kind: Late}, {Images, 1}} {
		c := worstCase(phase)
		c.Table.Rows, c.RowsPerUpdate = 1, 1
		if phase.cycles() {
			c.CycleCommits = 3
		}
		s, got := session(mustNew(t, c), 0, 1, 1), new(tally)
		for range 9 {
			s.Next()
			s.Build(got, 1)
		}
		want := map[PhaseKind]int{Fresh: 3, Steady: 3, Late: 0, Images: 9}[phase.Kind]
		if got.heapImages != want {
			t.Errorf("%v: %d heap images in 9 updates, want %d", phase, got.heapImages, want)
		}
	}
}

func TestParsePhase(t *testing.T) {
	for _, s := range []string{"fresh", "steady", "late", "images=10", "images=0.5"} {
		if p, err := ParsePhase(s); err != nil || p.String() != s {
			t.Errorf("%q: %v, %v", s, p, err)
		}
	}
	for _, s := range []string{"", "Fresh", "images", "images=", "images=0", "images=-1", "images=x", "images=NaN", "images=Inf", "late=1", "images=1=2"} {
		if p, err := ParsePhase(s); !errors.Is(err, ErrConfig) || p != (Phase{}) {
			t.Errorf("%q: %v, %v, want ErrConfig", s, p, err)
		}
	}
}

func FuzzParsePhase(f *testing.F) {
	f.Add("images=10")
	f.Add("late")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePhase(s)
		if err != nil {
			return
		}
		if again, err := ParsePhase(p.String()); err != nil || again != p {
			t.Errorf("%q reads as %v, which reads as %v, %v", s, p, again, err)
		}
	})
}

func TestParseCompression(t *testing.T) {
	for _, c := range []Compression{Off, LZ4, Zstd} {
		if got, err := ParseCompression(c.String()); err != nil || got != c {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
	if _, err := ParseCompression("pglz"); !errors.Is(err, ErrConfig) {
		t.Errorf("pglz: %v, want ErrConfig", err)
	}
}

// touched, against a set that is told what to keep.
func TestTouched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const pages = 70
		set := newTouched(pages, pages)
		kept, current := map[uint32]bool{}, map[uint32]bool{}
		t.Repeat(map[string]func(*rapid.T){
			"first": func(t *rapid.T) {
				page := rapid.Uint32Range(0, pages-1).Draw(t, "page")
				if got, want := set.first(page), !kept[page] && !current[page]; got != want {
					t.Fatalf("first touch of %d is %t, want %t", page, got, want)
				}
				current[page] = true
			},
			"rewind": func(*rapid.T) {
				set.rewind()
				clear(current)
			},
			"keep": func(*rapid.T) {
				set.keep()
				for page := range current {
					kept[page] = true
				}
				clear(current)
			},
			"clear": func(*rapid.T) {
				set.clear()
				clear(kept)
				clear(current)
			},
		})
	})
}
