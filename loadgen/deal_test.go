package loadgen

import (
	"slices"
	"testing"
)

func TestDeal(t *testing.T) {
	for _, c := range []struct {
		updater, updaters, total int
		want                     []int
	}{
		{0, 1, 3, []int{0, 1, 2, 0, 1}},
		{0, 2, 5, []int{0, 2, 4, 1, 3, 0}},
		{1, 2, 5, []int{1, 3, 0, 2, 4, 1}},
		{1, 2, 4, []int{1, 3, 1, 3}},
		{5, 8, 3, []int{2, 1, 0, 2}},
		{3, 4, 1, []int{0, 0, 0}},
	} {
		d := newDeal(c.updater, c.updaters, c.total)
		var got []int
		for range c.want {
			d.next()
			got = append(got, d.current)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("updater %d of %d, %d transactions: %v, want %v", c.updater, c.updaters, c.total, got, c.want)
		}
	}
}
