package loadgen

import (
	"math"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// census counts the records a source adds, without keeping them.
type census struct {
	records, bytes, images int
	types                  map[string]int
	lengths                map[string]map[int]bool // without images
}

func newCensus() *census { return &census{types: map[string]int{}, lengths: map[string]map[int]bool{}} }

func (c *census) Add(s *pgformat.Spec, _ *pgformat.Content) {
	name, length := pgformat.RecordType(15, s.RMID, s.Info), s.Len()
	c.records++
	c.bytes += length
	for i := range s.Blocks {
		if b := &s.Blocks[i]; b.HasImage {
			c.images++
			length -= b.ImageLen
			name += "(image)"
		}
	}
	c.types[name]++
	if c.lengths[name] == nil {
		c.lengths[name] = map[int]bool{}
	}
	c.lengths[name][length] = true
}

func (c *census) AddRaw([]byte) { panic("no raw records here") }

// take counts n transactions of updaters that take turns.
func take(w Workload, updaters, n int) *census {
	c := newCensus()
	sources := make([]buildable, updaters)
	for u := range sources {
		sources[u] = source(w, u, updaters, 1)
	}
	for i := range n {
		s := sources[i%updaters]
		s.Next()
		s.build(c)
	}
	return c
}

func near(got, want, share float64) bool { return math.Abs(got/want-1) <= share }

// The default worst case costs ten images a transaction.
func TestWorstCaseCostsTenImages(t *testing.T) {
	w := open(t, "worst-case")
	for _, updaters := range []int{1, 64} {
		const n = 640
		c := take(w, updaters, n)
		images, bytes := float64(c.images)/n, float64(c.bytes)/n
		if !near(images, 10, 0.05) || !near(bytes, 13_000+10*8000, 0.05) || c.types["COMMIT"] != n {
			t.Errorf("%d updaters: %.2f images, %.0f bytes, %d commits in %d transactions", updaters, images, bytes, c.types["COMMIT"], n)
		}
	}
}

// oltp, as measured with pgbench -N: late, and over the first 4,040 transactions
// behind a checkpoint of a freshly loaded table.
func TestOLTP(t *testing.T) {
	fresh, err := openWith("oltp", PageOptions{Phase: "fresh"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                   string
		w                      Workload
		n                      int
		records, bytes, images float64
	}{
		{"late", open(t, "oltp"), 20_000, 4, 255, 0.0014},
		{"fresh", fresh, 4040, 20_000.0 / 4040, 53_619_880.0 / 4040, 6684.0 / 4040},
	} {
		got, n := take(c.w, 8, c.n), float64(c.n)
		records, bytes, images := float64(got.records)/n, float64(got.bytes)/n, float64(got.images)/n
		if !near(records, c.records, 0.05) || !near(bytes, c.bytes, 0.05) {
			t.Errorf("%s: %.2f records, %.0f bytes, want %.2f, %.0f", c.name, records, bytes, c.records, c.bytes)
		}
		if math.Abs(images-c.images) > 0.05*c.images+3*math.Sqrt(c.images/n) {
			t.Errorf("%s: %.4f images, want %.4f", c.name, images, c.images)
		}
	}
}

func TestOLTPRecords(t *testing.T) {
	got := take(open(t, "oltp"), 8, 2000)
	for name, want := range map[string][]int{
		"PRUNE": {58, 60}, "HOT_UPDATE": {72, 74}, "INSERT": {79}, "INSERT+INIT": {79}, "COMMIT": {34},
	} {
		for _, n := range want {
			if !got.lengths[name][n] || len(got.lengths[name]) != len(want) {
				t.Errorf("%s has lengths %v, want %v", name, got.lengths[name], want)
			}
		}
	}
}

// bulk is nothing but rows of 148 bytes, 65 on a page, and commits.
func TestBulk(t *testing.T) {
	const n = 13
	got := take(open(t, "bulk"), 1, n)
	if got.types["INSERT"]+got.types["INSERT+INIT"] != n*1000 || got.types["INSERT+INIT"] != n*1000/65 ||
		got.types["COMMIT"] != n || got.images != 0 || got.bytes != n*(148_000+34) {
		t.Errorf("%d transactions: %v, %d images, %d bytes", n, got.types, got.images, got.bytes)
	}
	few, err := openWith("bulk", PageOptions{RowsPerUpdate: 7})
	if err != nil {
		t.Fatal(err)
	}
	if got := take(few, 1, 1); got.records != 8 {
		t.Errorf("--rows-per-update 7: %d records, want 8", got.records)
	}
}

// A page that is being filled when the redo pointer moves has its image on the
// next row.
func TestBulkImageBehindCheckpoint(t *testing.T) {
	s := open(t, "bulk").Source(SourceOptions{Updaters: 1, Seed: 1}).(*bulkSource)
	var before, stale, after recorder
	s.Next()
	s.buildFor(&before, 100)
	s.Next()
	s.buildFor(&stale, 100)
	s.buildFor(&after, 200)
	for i, want := range []int{0, 1} {
		r := []*recorder{&stale, &after}[i]
		images := 0
		for _, rec := range r.records {
			images += parse(t, rec).Images
		}
		first := parse(t, r.records[0])
		if images != want || first.Images != want {
			t.Errorf("build %d: %d images, %d on the first row, want %d", i, images, first.Images, want)
		}
	}
	// 1000 rows are 15 pages and 25 rows; the next is the 26th.
	if got := parse(t, after.records[0]).ImageBytes; got != 24+26*124 {
		t.Errorf("image of %d bytes, want %d", got, 24+26*124)
	}
}
