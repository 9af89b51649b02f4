package fpw

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lengths, images left out, that records of each type have in the traces of
// PostgreSQL 15. (PRUNE is 58 to 66 there; nine in ten are 58 or 60.)
func TestRecordLengths(t *testing.T) {
	fresh := map[string][]int{
		"LOCK(image)": {59}, "UPDATE": {167}, "UPDATE+INIT": {167}, "INSERT_LEAF(image)": {53},
		"INSERT_LEAF": {64}, "PRUNE": {56}, "HOT_UPDATE": {71},
	}
	steady := map[string][]int{
		"PRUNE(image)": {59}, "PRUNE": {58, 60}, "HOT_UPDATE": {71}, "LOCK(image)": {59}, "LOCK": {54},
		"UPDATE": {167}, "UPDATE+INIT": {167}, "INSERT_LEAF(image)": {53}, "INSERT_LEAF": {64},
	}
	half := map[string][]int{"HOT_UPDATE(image)": {65}, "PRUNE": {58, 60}, "HOT_UPDATE": {71}}
	for i, want := range []map[string][]int{fresh, steady, half} {
		st := measuredStates()[i]
		got := types{}
		s := session(mustNew(t, st.config), 0, 1, 1)
		for range 600 {
			s.Next()
			s.Build(got, 1)
		}
		if d := cmp.Diff(want, lengthsOf(got)); d != "" {
			t.Errorf("%s: record lengths (-want +got):\n%s", st.name, d)
		}
	}
}

func lengthsOf(t types) map[string][]int {
	all := map[string][]int{}
	for name, lengths := range t {
		all[name] = slices.Sorted(maps.Keys(lengths))
	}
	return all
}

// A page at the end of a table that was there at a checkpoint has its image on
// the next UPDATE, as long as it is full: 73 bytes without it, as measured.
func TestTailImage(t *testing.T) {
	c := worstCase(Phase{Kind: Late})
	c.NonHot = 0.2
	s, before, after := session(mustNew(t, c), 0, 1, 1), types{}, types{}
	s.Next()
	s.Build(before, 100)
	s.Next()
	s.Build(after, 200)
	if before["UPDATE(image)"] != nil || before["UPDATE+INIT"][167] != 1 {
		t.Errorf("records of the first transaction: %v", before)
	}
	if d := cmp.Diff(map[int]int{73: 1}, after["UPDATE(image)"]); d != "" {
		t.Errorf("UPDATE with image behind a checkpoint (-want +got):\n%s", d)
	}
}

// What one update writes, as measured: records, and bytes without images.
func TestWhatOneUpdateWrites(t *testing.T) {
	states := measuredStates()
	late := state{name: "late", config: worstCase(Phase{Kind: Late})}
	for _, c := range []struct {
		state          state
		records, bytes float64
	}{
		{states[0], 300, 28_000},
		{states[2], 101, 6_600},
		{states[1], 200, 13_000},
		{late, 200, 13_000},
	} {
		const n = 5
		s, got := session(mustNew(t, c.state.config), 0, 1, 1), new(tally)
		for range n {
			s.Next()
			s.Build(got, 1)
			got.commit()
		}
		records, bytes := float64(got.records)/n, float64(got.bytes-got.heapBytes-got.leafBytes)/n
		if math.Abs(records/c.records-1) > 0.05 || math.Abs(bytes/c.bytes-1) > 0.05 {
			t.Errorf("%s: %.1f records, %.0f bytes, want %.0f, %.0f", c.state.name, records, bytes, c.records, c.bytes)
		}
	}
}
