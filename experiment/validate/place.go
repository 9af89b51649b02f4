package validate

import (
	"github.com/walbench/walbench/results"
)

// place is a configuration in which all designs are compared.
type place struct {
	workload, lock, device string
	cores, updaters        int
	commits                int64 // of a repetition of each design; from the model
}

// cell is one design in one place.
type cell struct {
	place       *place
	design      string // with its suite
	modelled    results.ValidationSide
	profileHash string           // of the model's
	strategy    results.Strategy // names, as the model has them
	taken       []repetition
}

// repetition is one measured window of a cell.
type repetition struct {
	side  results.ValidationSide
	noise float64 // the largest share of the machine that something else was seen to take
}

// places lists the grid. Cores change slowest in it, since changing them stops
// everything.
func (r *Run) places() (list []*place) {
	for _, n := range r.cores {
		for _, w := range r.extent.workloads {
			for _, u := range r.extent.updaters {
				for _, l := range r.cfg.Locks {
					for _, d := range devices {
						list = append(list, &place{workload: w, lock: l, device: d, cores: n, updaters: u})
					}
				}
			}
		}
	}
	return list
}

func (c *cell) quiet() (list []results.ValidationSide) {
	for i := range c.taken {
		if c.taken[i].noise <= results.BusyShare {
			list = append(list, c.taken[i].side)
		}
	}
	return list
}

func (c *cell) all() (list []results.ValidationSide) {
	for i := range c.taken {
		list = append(list, c.taken[i].side)
	}
	return list
}

// spreadLimit is how far the middle half of a cell's repetitions may spread before
// their median says little: more than the target of a cell's error.
const spreadLimit = 0.20

// settled says whether a cell has as many quiet repetitions as were asked for, and
// they agree.
func (c *cell) settled(repetitions int) bool {
	q := c.quiet()
	s := spread(q)
	return len(q) >= repetitions && (s == nil || *s <= spreadLimit)
}

func spread(list []results.ValidationSide) *float64 {
	var values []float64
	for i := range list {
		if v := list[i].ThroughputTPS; v != nil {
			values = append(values, *v)
		}
	}
	return results.MiddleHalf(values)
}

// result is the cell as it stands in the document. A cell that never settled shows
// all it has, and is marked.
func (c *cell) result(repetitions int) results.ValidationCell {
	list, noisy := c.quiet(), !c.settled(repetitions)
	if noisy {
		list = c.all()
	}
	var noise []float64
	for i := range c.taken {
		noise = append(noise, c.taken[i].noise)
	}
	return results.ValidationCell{
		Workload: c.place.workload, Strategy: c.strategy.Name, Suite: c.strategy.Suite, Lock: c.place.lock, Device: c.place.device,
		Cores: c.place.cores, Updaters: c.place.updaters, Commits: c.place.commits,
		ProfileHash: c.profileHash, Measured: results.MedianSide(list), Modelled: &c.modelled,
		Repetitions: len(list), Redone: max(0, len(c.taken)-repetitions), Noisy: noisy,
		NoiseShare: results.MedianValue(noise), Spread: spread(list),
	}
}
