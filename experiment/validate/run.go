package validate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/calibrate"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// Run is a checked configuration, to be executed once.
type Run struct {
	cfg    Config
	extent extent
	cores  []int
	// measured is the clock that the model is held against.
	measured clock
	// late says that the time for repetitions that replace noisy ones is over.
	late func() bool

	stop  <-chan struct{}
	tell  func(string)
	model *virtual
	cells []*cell
	out   *results.Validation
}

// New checks cfg. The error is an [experiment.UsageError].
func New(cfg Config) (*Run, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	r := &Run{cfg: cfg, extent: cfg.extent(), cores: cores()}
	n := r.cores[len(r.cores)-1]
	r.measured = &realMachine{cfg: &r.cfg, cores: n, quiet: patience{left: cfg.Patience, cores: n}}
	return r, nil
}

// Execute does everything. Closing stop ends it, and what there is comes back with
// [experiment.ErrInterrupted]. tell is given what is under way.
func (r *Run) Execute(stop <-chan struct{}, tell func(string)) (*results.Validation, error) {
	r.begin(stop, tell)
	profiles, err := r.profiles()
	if err != nil {
		return nil, err
	}
	r.model = &virtual{cfg: &r.cfg, profiles: profiles}
	if err = r.modelAll(); err == nil {
		err = r.measureAll()
	}
	r.out.Complete = err == nil
	for _, c := range r.cells {
		r.out.Cells = append(r.out.Cells, c.result(r.extent.repetitions))
	}
	r.out.Judge()
	if err != nil {
		return r.out, err
	}
	return r.out, verdict(r.out)
}

func (r *Run) begin(stop <-chan struct{}, tell func(string)) {
	host := hostinfo.Read()
	r.stop, r.tell = stop, tell
	if r.late == nil {
		end := time.Now().Add(r.extent.budget + r.cfg.Patience)
		r.late = func() bool { return time.Now().After(end) }
	}
	r.out = &results.Validation{
		Host: &host, Seed: seed, WindowNs: r.extent.window.Nanoseconds(), Repetitions: r.extent.repetitions,
		TargetMedian: r.cfg.TargetMedian, TargetWorst: r.cfg.TargetWorst,
	}
	r.out.Warn(host.Warnings()...)
}

// profiles are, by number of cores, what this machine comes to now, or the one that was
// given. What waking and changing a process takes depends on how many cores there are, so
// that each number is calibrated by itself.
func (r *Run) profiles() (list map[int]*simtime.Profile, err error) {
	list = map[int]*simtime.Profile{}
	r.out.Calibrated = r.cfg.Profile == nil
	for _, n := range r.cores {
		p := r.cfg.Profile
		if p == nil {
			if p, err = r.calibrate(n); err != nil {
				return nil, err
			}
		}
		list[n], r.out.Profile, r.out.ProfileHash = p, p.Name, p.Hash()
		r.out.Warn(p.Warnings...)
	}
	return list, nil
}

// calibrate makes the profile of so many cores.
func (r *Run) calibrate(cores int) (*simtime.Profile, error) {
	if m, ok := r.measured.(*realMachine); ok {
		m.quiet.await(r.stop)
	}
	undo, err := r.measured.use(cores)
	if err != nil {
		return nil, err
	}
	defer undo()
	c, err := calibrate.New(calibrate.Config{FS: r.cfg.FS})
	if err != nil {
		return nil, err
	}
	return c.Execute(r.stop, func(p calibrate.Progress) {
		r.tell(fmt.Sprintf("calibrating %d cores: %d%%", cores, 100*p.Done/max(1, p.Total)))
	})
}

// modelAll models every place, which says how many commits there are to be measured.
func (r *Run) modelAll() error {
	list := r.places()
	for i, p := range list {
		r.tell(fmt.Sprintf("modelling: place %d of %d", i+1, len(list)))
		if err := r.model.plan(p, r.extent.window, r.stop); err != nil {
			return err
		}
		res, _, err := r.model.take(p, designs(), seed, r.stop)
		if err != nil {
			return err
		}
		for j := range res.Strategies {
			s := &res.Strategies[j]
			c := &cell{place: p, design: designs()[j], strategy: *s, profileHash: r.model.profiles[p.cores].Hash()}
			c.modelled = results.NewValidationSide(s, p.cores)
			r.cells = append(r.cells, c)
		}
	}
	return nil
}

// measureAll takes all repetitions, and then further ones of the cells that have not
// settled, until they have, or have had their share, or time is up.
func (r *Run) measureAll() error {
	done, total := 0, len(r.cells)*r.extent.repetitions
	for round := 0; round < r.extent.repetitions*(1+redoFactor); round++ {
		again := round >= r.extent.repetitions
		if again && r.late() {
			break
		}
		list := r.inOrder(round, again)
		if len(list) == 0 {
			break
		}
		if again {
			total += len(list)
		}
		if err := r.round(list, round, &done, total); err != nil {
			return err
		}
	}
	return nil
}

// redoFactor is how many times its repetitions a noisy cell gets on top of them.
const redoFactor = 2

// inOrder are the cells of a round: each in another order, drawn from the seed, so
// that whatever drifts meets all of them; but those on equal cores together.
func (r *Run) inOrder(round int, again bool) (list []*cell) {
	draw := rand.New(rand.NewPCG(seed, uint64(round)))
	for _, n := range r.cores {
		from := len(list)
		for _, c := range r.cells {
			if c.place.cores == n && (!again || !c.settled(r.extent.repetitions)) {
				list = append(list, c)
			}
		}
		part := list[from:]
		draw.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	}
	return list
}

// round takes one repetition of each cell of list.
func (r *Run) round(list []*cell, round int, done *int, total int) error {
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].place.cores == list[0].place.cores {
			n++
		}
		undo, err := r.measured.use(list[0].place.cores)
		if err != nil {
			return err
		}
		err = r.part(list[:n], round, done, total)
		undo()
		if err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// part takes one repetition of each cell of a list on equal cores.
func (r *Run) part(list []*cell, round int, done *int, total int) error {
	for _, c := range list {
		if round >= r.extent.repetitions && r.late() {
			return nil
		}
		r.tell(fmt.Sprintf("measuring: %d%%, %s on %s, %d cores", 100**done/max(1, total), c.strategy.Name, c.place.device, c.place.cores))
		if experiment.Stopped(r.stop) {
			return experiment.ErrInterrupted
		}
		res, noise, err := r.measured.take(c.place, []string{c.design}, seed+uint64(round%r.extent.repetitions), r.stop)
		if err != nil {
			return err // a window that was cut short is none
		}
		if len(res.Strategies) == 1 {
			side := results.NewValidationSide(&res.Strategies[0], c.place.cores)
			c.taken = append(c.taken, repetition{side: side, noise: noise})
		}
		*done++
	}
	return nil
}

// verdict is what a whole validation comes to as an error.
func verdict(v *results.Validation) error {
	switch v.Verdict {
	case results.Within:
		return nil
	case results.Inconclusive:
		return fmt.Errorf("%w: %d of %d", ErrNoisy, v.CellsNoisy, len(v.Cells))
	}
	return fmt.Errorf("%w: median error %.1f %% (at most %.1f %%), worst %.1f %% (at most %.1f %%)", ErrBeyond,
		100**v.MedianError, 100*v.TargetMedian, 100**v.WorstError, 100*v.TargetWorst)
}
