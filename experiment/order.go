package experiment

// order is the pair whose turn it is in a repetition. The orders are those of
// E. J. Williams (Experimental designs balanced for the estimation of residual
// effects of treatments, 1949): over n repetitions (2n if n is odd) every design
// runs equally often in each place, and equally often right behind each other
// one, so that no design always inherits the same neighbour's heat or garbage.
func (r *Run) order(rep, turn int) int { return williams(len(r.pairs), rep, turn) }

// williams is place turn of row rep of the square for n designs.
func williams(n, rep, turn int) int {
	if n%2 == 1 && rep%(2*n) >= n {
		turn = n - 1 - turn // the second half of an odd square runs backwards
	}
	// The first row is 0, 1, n-1, 2, n-2, ...; the others add to it.
	first := (turn + 1) / 2
	if turn%2 == 0 && turn > 0 {
		first = n - turn/2
	}
	return (first + rep) % n
}
