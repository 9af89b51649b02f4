package experiment

import (
	"strings"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// variedCommits is how many commits of each updater tell the effect of a varied
// input: the window is as short as that, since there are hundreds of them.
const variedCommits = 16

// noticeable is the part of a window from which on an effect is one. Halving a
// cost moves less than doubling it, and is left out when that moves nothing.
const noticeable = 1000

// subject is one pair under one load.
type subject struct {
	load *load
	pair int
}

// effect is how long the short window of a subject is with one input of the
// profile halved and doubled.
type effect struct{ half, double simtime.Duration }

// sweep varies the inputs of a run's profile.
type sweep struct {
	run  *Run
	none int // the pair that all are relative to
	same map[subject]simtime.Duration
	of   map[subject]map[string]effect
}

// addRanges finds out how far each relative throughput moves when each input of
// the profile that is not cited is halved and doubled, and which input moves it
// most. Without "none" there is nothing to be relative to.
func (r *Run) addRanges() error {
	s := &sweep{run: r, none: r.noneIndex(), same: map[subject]simtime.Duration{}, of: map[subject]map[string]effect{}}
	if s.none < 0 {
		return nil
	}
	if err := s.measure(); err != nil || r.gates.isStopped() {
		return err
	}
	for _, l := range r.loads {
		for pair := range r.pairs {
			if pair != s.none {
				l.ranges[pair] = s.sensitivity(subject{l, pair})
			}
		}
	}
	return nil
}

// noneIndex is the place of the pair "none", or -1.
func (r *Run) noneIndex() int {
	for i, p := range r.pairs {
		if p.Design.Name == "none" {
			return i
		}
	}
	return -1
}

// measure runs every subject with the profile as it is, and then with each input
// varied.
func (s *sweep) measure() error {
	var list []subject
	for _, l := range s.run.loads {
		for i := range s.run.pairs {
			list = append(list, subject{l, i})
		}
	}
	same := make([]simtime.Duration, len(list))
	err := s.run.inParallel(len(list), func(i int) (err error) {
		same[i], err = s.window(list[i], list[i].load.profile)
		return err
	})
	if err != nil {
		return err
	}
	for i, of := range list {
		s.same[of] = same[i]
	}
	return s.vary(list)
}

// vary runs every subject with each input that it has.
func (s *sweep) vary(list []subject) error {
	type task struct {
		subject
		input string
	}
	var tasks []task
	for _, of := range list {
		s.of[of] = map[string]effect{}
		for _, input := range s.inputs(of) {
			tasks = append(tasks, task{of, input})
		}
	}
	effects := make([]effect, len(tasks))
	err := s.run.inParallel(len(tasks), func(i int) (err error) {
		effects[i], err = s.effect(tasks[i].subject, tasks[i].input)
		return err
	})
	for i, t := range tasks {
		s.of[t.subject][t.input] = effects[i]
	}
	return err
}

// inputs are those that are not cited, not nothing, and not of another's suite.
func (s *sweep) inputs(of subject) (list []string) {
	profile := of.load.profile
	for _, name := range profile.Inputs() {
		n, _ := profile.Input(name)
		suite, _, ofSuite := strings.Cut(name, ".")
		if n.Source != simtime.Cited && n.Value != 0 && (!ofSuite || suite == s.run.pairs[of.pair].SuiteName()) {
			list = append(list, name)
		}
	}
	return list
}

func (s *sweep) effect(of subject, input string) (e effect, err error) {
	profile, same := of.load.profile, s.same[of]
	if e.double, err = s.window(of, profile.Scaled(input, 2, 1)); err != nil {
		return e, err
	}
	if moved := e.double - same; max(moved, -moved) < same/noticeable {
		e.half = same
		return e, nil
	}
	e.half, err = s.window(of, profile.Scaled(input, 1, 2))
	return e, err
}

// window is the length of a short window of a subject under a profile. It only
// counts, whatever the run does: the times are the same.
func (s *sweep) window(of subject, profile *simtime.Profile) (simtime.Duration, error) {
	r := s.run
	l := &load{workload: of.load.workload, cores: of.load.cores, profile: profile, counts: true}
	commits := min(variedCommits*int64(r.cfg.Clients), of.load.commits)
	o, err := r.measure(l, r.pairs[of.pair], r.device.inMemory(), repetitionSeed(r.cfg.Seed, 0), 0, commits)
	if err != nil {
		return 0, err
	}
	return o.elapsed, o.fault(r.pairs[of.pair])
}

// sensitivity puts the effects of all inputs on one subject together. The effect
// of a change is its difference in the short window, added to the figure of the
// run.
func (s *sweep) sensitivity(of subject) *results.Sensitivity {
	to := subject{of.load, s.none}
	base := relative(of, to)
	if base == nil {
		return nil
	}
	same := windowRatio(s.same[to], s.same[of])
	low, high, most, driver := *base, *base, 0.0, ""
	for _, input := range of.load.profile.Inputs() {
		n, v := s.at(to, input), s.at(of, input)
		for _, changed := range []float64{windowRatio(n.half, v.half), windowRatio(n.double, v.double)} {
			moved := changed - same
			low, high = min(low, *base+moved), max(high, *base+moved)
			if size := max(moved, -moved); size > most {
				most, driver = size, input
			}
		}
	}
	if driver == "" {
		return &results.Sensitivity{Low: &low, High: &high}
	}
	return &results.Sensitivity{Low: &low, High: &high, Driver: &driver}
}

// at is the effect of an input; one that is none of the subject's has none.
func (s *sweep) at(of subject, input string) effect {
	if e, ok := s.of[of][input]; ok {
		return e
	}
	return effect{s.same[of], s.same[of]}
}

// windowRatio is the relative throughput of two windows with the same commits.
func windowRatio(none, other simtime.Duration) float64 {
	if other == 0 {
		return 0
	}
	return float64(none) / float64(other)
}

// relative is the relative throughput of a subject's first repetition.
func relative(of, to subject) *float64 {
	a, b := of.load.samples[of.pair], to.load.samples[to.pair]
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	v := windowRatio(b[0].outcome.elapsed, a[0].outcome.elapsed)
	return &v
}
