package experiment

import "github.com/walbench/walbench/loadgen"

// tapeKey is work that every pair does in the same way.
type tapeKey struct {
	workload loadgen.Workload
	seed     uint64
}

// maxTapeRecords bounds the memory of all tapes of a run: two bytes each.
const maxTapeRecords = 64 << 20

// makeTapes records the work of all repetitions, if it only counts and is done more
// than once. Work that is too much for the tapes is made anew each time.
func (r *Run) makeTapes() error {
	r.tapes = map[tapeKey]*loadgen.Tape{}
	if !r.model.counts || r.exact != nil || len(r.pairs) == 1 && !r.cfg.Ranges {
		return nil
	}
	left := maxTapeRecords
	for key, commits := range r.tapeLengths() {
		t, err := r.makeTape(key, commits, left)
		if err != nil || r.gates.isStopped() {
			return err
		}
		if t != nil {
			r.tapes[key] = t
			left -= t.Records()
		}
	}
	return nil
}

// tapeLengths is how many transactions of each updater are needed.
func (r *Run) tapeLengths() map[tapeKey]int64 {
	n := int64(r.cfg.Clients)
	lengths := map[tapeKey]int64{}
	for _, l := range r.loads {
		each := (l.warmup+n-1)/n + (l.commits+n-1)/n
		for rep := range r.cfg.Runs {
			key := tapeKey{l.workload, repetitionSeed(r.cfg.Seed, rep)}
			lengths[key] = max(lengths[key], each)
		}
	}
	return lengths
}

// makeTape records one; nil if it would be too long.
func (r *Run) makeTape(key tapeKey, commits int64, limit int) (*loadgen.Tape, error) {
	t := loadgen.NewTape(r.cfg.Clients)
	fits := make([]bool, r.cfg.Clients)
	err := r.inParallel(len(fits), func(i int) error {
		o := loadgen.SourceOptions{Updater: i, Updaters: r.cfg.Clients, Seed: key.seed}
		fits[i] = t.Record(key.workload, o, commits, limit/len(fits))
		return nil
	})
	for _, ok := range fits {
		if !ok {
			return nil, err
		}
	}
	return t, err
}
