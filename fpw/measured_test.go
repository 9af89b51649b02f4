package fpw

import (
	"fmt"
	"math"
	"testing"
)

// bucket is what was measured per update, on PostgreSQL 15.18 with one client and
// one table, between two numbers of updates since the checkpoint. Negative: not
// measured.
type bucket struct {
	from, to    int
	heap, leaf  float64
	bytes       float64
	heapFormula float64 // as printed beside it
}

type state struct {
	name    string
	config  Config
	pages   int64
	buckets []bucket
}

func measuredStates() []state {
	fresh, steady := worstCase(Phase{Kind: Fresh}), worstCase(Phase{Kind: Steady})
	half := fresh
	half.Table.Fillfactor = 50
	return []state{
		{"fresh", fresh, 15_385, []bucket{
			{0, 10, 96.8, 81.9, 1_415_969, 96.8},
			{10, 25, 89.4, 53.7, 1_146_595, 89.3},
			{25, 50, 78.6, 26.9, 859_692, 78.5},
			{50, 100, 62.0, 7.4, 578_585, 61.7},
			{100, 150, 43.8, 0.94, 380_931, 44.6},
			{150, 200, 32.2, 0.32, 280_511, 32.2},
			{200, 300, 20.4, 0.04, 181_601, 20.0},
			{300, 400, 10.8, 0, 101_579, 10.5},
			{400, 600, 3.97, 0, 45_674, 4.16},
			{600, 800, 1.14, 0, 22_296, 1.13},
			{800, 1000, 0.23, 0, 14_884, 0.31},
			{1250, 1500, 0.02, 0, 13_149, 0.01},
		}},
		{"steady", steady, 15_385, []bucket{
			{0, 10, 97.5, -1, 794_552, 96.8},
			{10, 25, 89.9, -1, 734_465, 89.3},
			{25, 50, 78.8, -1, 645_650, 78.5},
			{50, 100, 61.3, -1, 504_656, 61.7},
			{100, 150, 44.4, -1, 369_552, 44.6},
			{150, 200, 34.3, -1, 289_433, 32.2},
			{200, 300, 19.8, -1, 173_547, 20.0},
			{300, 400, 10.1, -1, 95_495, 10.5},
			{400, 600, 4.21, -1, 48_416, 4.16},
			{600, 800, 1.24, -1, 24_813, 1.13},
			{800, 1000, 0.34, -1, 17_661, 0.31},
			{1250, 1500, 0.03, -1, 15_327, 0.01},
		}},
		{"half full", half, 31_250, []bucket{
			{0, 10, 99.2, 0, 414_887, 98.4},
			{10, 25, 95.1, 0, 398_129, 94.6},
			{25, 50, 89.5, 0, 375_489, 88.7},
			{50, 100, 77.9, 0, 328_482, 78.8},
			{100, 150, 67.2, 0, 285_195, 67.1},
			{150, 200, 57.5, 0, 245_964, 57.2},
			{200, 300, 44.0, 0, 191_021, 45.1},
			{300, 400, 33.7, 0, 149_364, 32.8},
			{400, 600, 20.6, 0, 96_168, 20.5},
			{600, 800, 10.8, 0, 56_624, 10.8},
			{800, 1000, 5.7, 0, 35_898, 5.7},
			{1250, 1500, 1.2, 0, 17_829, 1.3},
		}},
	}
}

// seeds of plans; the first is the one workloads use.
var planSeeds = []uint64{PlanSeed, 0, 1}

// replay runs a state's updates, one client, and tallies each bucket.
func replay(t *testing.T, st *state, seed uint64) []*tally {
	c := st.config
	c.Seed = seed
	s := session(mustNew(t, c), 0, 1, 1)
	list := make([]*tally, len(st.buckets))
	done := 0
	for i, b := range st.buckets {
		for ; done < b.from; done++ {
			s.Next()
		}
		list[i] = new(tally)
		for ; done < b.to; done++ {
			s.Next()
			s.Build(list[i], 1)
			list[i].commit()
		}
	}
	return list
}

// off is by how many Poisson sigmas got and want events differ. What was measured
// is a count itself, printed with three digits, and so is what the model gives:
// both scatter.
func off(got, want, rounding float64) float64 {
	return max(0, math.Abs(got-want)-rounding) / math.Sqrt(max(got+want, 1))
}

// Every bucket of the measured table, in images: those of the plan that workloads
// use lie within three sigma of the figure alone, those of any plan within three
// of the difference of two counts.
func TestMeasuredImages(t *testing.T) {
	for _, st := range measuredStates() {
		for _, seed := range planSeeds {
			for i, got := range replay(t, &st, seed) {
				b := st.buckets[i]
				n := float64(b.to - b.from)
				where := fmt.Sprintf("%s, seed %d, updates %d-%d", st.name, seed, b.from, b.to)
				compareCounts(t, where+": heap images", seed, float64(got.heapImages), b.heap*n, n)
				if b.leaf >= 0 {
					compareCounts(t, where+": leaf images", seed, float64(got.leafImages), b.leaf*n, n)
				}
			}
		}
	}
}

func compareCounts(t *testing.T, what string, seed uint64, got, want, n float64) {
	rounding := n * 0.05
	if want < 10*n {
		rounding = n * 0.005
	}
	if d := off(got, want, rounding); d > 3 {
		t.Errorf("%s: %v, want %v: %.1f sigma of both", what, got, want, d)
	}
	if d := max(0, math.Abs(got-want)-rounding) / math.Sqrt(max(want, 1)); seed == PlanSeed && d > 3 {
		t.Errorf("%s: %v, want %v: %.1f sigma", what, got, want, d)
	}
}

// Bytes an update lie within 5 % of what was measured, for other plans once three
// sigma of the images are allowed for.
func TestMeasuredBytes(t *testing.T) {
	for _, st := range measuredStates() {
		for _, seed := range planSeeds {
			for i, got := range replay(t, &st, seed) {
				b := st.buckets[i]
				n := float64(b.to - b.from)
				bytes := float64(got.bytes) / n
				if seed == PlanSeed {
					t.Logf("%-9s %4d-%4d  heap %6.2f (%6.2f)  leaf %5.2f (%5.2f)  bytes %9.0f (%9.0f) %+.1f %%",
						st.name, b.from, b.to, float64(got.heapImages)/n, b.heap, float64(got.leafImages)/n, b.leaf,
						bytes, b.bytes, 100*(bytes/b.bytes-1))
				}
				if math.Abs(bytes-b.bytes) > 0.05*b.bytes+scatter(got, &b, seed) {
					t.Errorf("%s, seed %d, updates %d-%d: %.0f bytes, want %.0f", st.name, seed, b.from, b.to, bytes, b.bytes)
				}
			}
		}
	}
}

// scatter is three sigma of the bytes that the images of a bucket take, an update.
func scatter(got *tally, b *bucket, seed uint64) float64 {
	if seed == PlanSeed {
		return 0
	}
	n := float64(b.to - b.from)
	image := float64(got.heapBytes+got.leafBytes) / max(1, float64(got.heapImages+got.leafImages))
	images := float64(got.heapImages+got.leafImages) + (b.heap+max(b.leaf, 0.3))*n
	return 3 * math.Sqrt(max(1, images)) * image / n
}

// Over 600 updates the number of heap images is within 2 % of the formula, and
// the formula gives what was printed beside the measured table.
func TestFormula(t *testing.T) {
	for _, st := range measuredStates() {
		if p := st.config.Table.HeapPages(); p != st.pages {
			t.Errorf("%s: %d heap pages, want %d", st.name, p, st.pages)
		}
		for _, b := range st.buckets {
			n := float64(b.to - b.from)
			if got := ExpectedImages(st.pages, 100, int64(b.from), int64(b.to)) / n; math.Abs(got-b.heapFormula) > 0.06 {
				t.Errorf("%s, updates %d-%d: formula gives %.2f, want %.2f", st.name, b.from, b.to, got, b.heapFormula)
			}
		}
		for _, seed := range planSeeds {
			c := st.config
			c.Seed = seed
			s, got := session(mustNew(t, c), 0, 1, 1), new(tally)
			for range 600 {
				s.Next()
				s.Build(got, 1)
			}
			want := ExpectedImages(st.pages, 100, 0, 600)
			if math.Abs(float64(got.heapImages)-want) > 0.02*want {
				t.Errorf("%s, seed %d: %d heap images in 600 updates, want %.0f", st.name, seed, got.heapImages, want)
			}
		}
	}
}
