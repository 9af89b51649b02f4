package experiment

import "testing"

// Every design is in every place, and behind every other one, equally often.
func TestOrderIsBalanced(t *testing.T) {
	for n := 1; n <= 9; n++ {
		rows := n
		if n%2 == 1 {
			rows = 2 * n
		}
		place, behind := map[[2]int]int{}, map[[2]int]int{}
		for rep := range rows {
			for turn := range n {
				i := williams(n, rep, turn)
				place[[2]int{i, turn}]++
				if turn > 0 {
					behind[[2]int{i, williams(n, rep, turn-1)}]++
				}
			}
		}
		if len(place) != n*n || len(behind) != n*(n-1) {
			t.Errorf("%d designs: %d pairs of design and place, %d of neighbours", n, len(place), len(behind))
		}
		for what, counts := range map[string]map[[2]int]int{"place": place, "neighbour": behind} {
			for pair, got := range counts {
				if want := rows / n; got != want {
					t.Errorf("%d designs: %s %v %d times, want %d", n, what, pair, got, want)
				}
			}
		}
	}
}
