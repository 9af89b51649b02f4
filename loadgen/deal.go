package loadgen

import "fmt"

// deal says which of a recorded log's transactions an updater does: with N
// updaters, updater u takes u, u+N, u+2N and so on of the log repeated without
// end, so the deal is fixed before the run and a log that ends starts again.
type deal struct {
	current int // -1 before the first next
	coming  int
	step    int
	total   int
}

func newDeal(updater, updaters, total int) deal {
	return deal{current: -1, coming: updater % total, step: updaters % total, total: total}
}

func (d *deal) next() {
	d.current = d.coming
	d.coming = (d.coming + d.step) % d.total
}

// checkUpdater panics if updater is not one of updaters.
func checkUpdater(updater, updaters int) {
	if updater < 0 || updater >= updaters {
		panic(fmt.Sprintf("loadgen: updater %d of %d", updater, updaters))
	}
}
