package ciphers

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/strategies/aesctr"
)

// RivalFolderPattern names folders that a rival is built in, as for os.MkdirTemp.
const RivalFolderPattern = "walbench-rival-*"

// Progress says how far a run is.
type Progress struct {
	Round, Rounds int // from 1; 0 while calibrating
	Done, Total   int // samples
}

// Run is one measurement, ready to be executed once.
type Run struct {
	cfg   Config
	host  hostinfo.Host
	cells []*cell
	sizes []Size
	rival *rival   // nil without one
	asked bool     // for sizes; not everything takes all the default ones
	unfit []string // what was asked for and cannot be

	bounds bounds
	gaps   gaps
	report *Report
}

// New checks cfg and prepares a run. A rival is built and started here, which
// takes about a second; closing stop ends that. Errors wrap [ErrNothing],
// [experiment.ErrInterrupted], [ErrToolchain] or what [strategies.UnknownError] and
// [aesctr.ErrImplementation] say. The run has to be closed.
func New(cfg Config, stop <-chan struct{}) (*Run, error) {
	subjects, err := cfg.subjects()
	if err != nil {
		return nil, err
	}
	if cfg.Rounds <= 0 {
		cfg.Rounds = DefaultRounds
	}
	asked := len(cfg.Sizes) > 0
	if !asked {
		cfg.Sizes = DefaultSizes()
	}
	r := &Run{cfg: cfg, asked: asked, host: hostinfo.Read(), bounds: bounds{}}
	if cfg.Rival != "" && cfg.RivalFolder == "" {
		if cfg.RivalFolder, err = os.MkdirTemp("", RivalFolderPattern); err != nil {
			return nil, fmt.Errorf("folder for the rival: %w", err)
		}
	}
	if cfg.Rival != "" {
		if r.rival, err = startRival(cfg.RivalFolder, stop); err != nil {
			return nil, err
		}
		subjects = append(subjects, rivalSubjects(subjects)...)
	}
	if err := r.addCells(subjects); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close ends the rival, if there is one.
func (r *Run) Close() error {
	if r.rival == nil {
		return nil
	}
	return r.rival.close()
}

// addCells makes the cells, those of one size together.
func (r *Run) addCells(subjects []*subject) error {
	ciphers := 0
	for _, size := range r.cfg.Sizes {
		if slices.Contains(r.sizes, size) {
			continue
		}
		r.sizes = append(r.sizes, size)
		ring := newRing(size)
		for _, s := range subjects {
			if !s.takes(size) {
				r.leaveOut(s, size)
				continue
			}
			t, err := r.timer(s)
			if err != nil {
				return fmt.Errorf("%s by %s: %w", s.suite, s.implementation, err)
			}
			r.cells = append(r.cells, &cell{subject: s, ring: ring, timer: t})
			if among(r.cfg.Suites, s.suite) && s.implementation != RivalOpenSSL {
				ciphers++
			}
		}
	}
	if ciphers == 0 {
		return fmt.Errorf("no suite takes records of this size: %w", ErrNothing)
	}
	return nil
}

// leaveOut notes that a size that was asked for is missing from a subject's rows.
func (r *Run) leaveOut(s *subject, size Size) {
	if r.asked && s.implementation != RivalOpenSSL && s.suite != suiteCopy {
		r.unfit = append(r.unfit, fmt.Sprintf("%s by %s, %s: takes no records of %s bytes, left out",
			s.suite, s.implementation, s.call, size))
	}
}

func (r *Run) timer(s *subject) (timer, error) {
	if s.implementation == RivalOpenSSL {
		return &rivalTimer{r.rival, s}, nil
	}
	return newLocal(s)
}

// Execute measures. It keeps to one thread of the operating system, and looks at
// stop between samples; a run that was stopped gives what it has and
// [experiment.ErrInterrupted]. progress is called now and then.
func (r *Run) Execute(stop <-chan struct{}, progress func(Progress)) (*Report, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r.report = &Report{ClockBefore: clockGHz(), AddsPerNs: addsPerNs()}
	err := r.measure(stop, progress)
	r.report.ClockAfter = clockGHz()
	r.fill(err == nil)
	return r.report, err
}

func (r *Run) measure(stop <-chan struct{}, progress func(Progress)) error {
	total := len(r.cells) * (r.cfg.Rounds + 1)
	for i, c := range r.cells {
		if experiment.Stopped(stop) {
			return experiment.ErrInterrupted
		}
		if err := c.calibrate(); err != nil {
			return interrupted(stop, err)
		}
		progress(Progress{Rounds: r.cfg.Rounds, Done: i, Total: total})
	}
	for round := range r.cfg.Rounds {
		progress(Progress{round + 1, r.cfg.Rounds, len(r.cells) * (round + 1), total})
		if err := r.round(round, stop); err != nil {
			return interrupted(stop, err)
		}
	}
	return nil
}

// round takes a sample of every cell, all subjects of a size one after the
// other, and everything that they are compared with.
func (r *Run) round(round int, stop <-chan struct{}) error {
	r.gaps.probe()
	units := r.implementations()
	for _, size := range r.sizes {
		for _, i := range units {
			r.bounds.probe(i)
		}
		group := r.group(size)
		copier{}.work(group[0].ring, len(group[0].ring.recs)) // into the caches
		for turn := range group {
			if experiment.Stopped(stop) {
				return experiment.ErrInterrupted
			}
			// Another one begins in each round, so that no subject always has the
			// same one before it in the caches.
			if err := group[(round+turn)%len(group)].sample(); err != nil {
				return err
			}
		}
	}
	return nil
}

// group is the cells of one size; there is one at least, the copy.
func (r *Run) group(size Size) (list []*cell) {
	for _, c := range r.cells {
		if c.ring.size == size {
			list = append(list, c)
		}
	}
	return list
}

// implementations are those whose AES units are to be timed.
func (r *Run) implementations() (list []*aesctr.Implementation) {
	for _, c := range r.cells {
		if i := c.subject.units; i != nil && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// interrupted is what an error means once the user has asked to stop: a signal
// from the keyboard goes to the rival too.
func interrupted(stop <-chan struct{}, err error) error {
	if experiment.Stopped(stop) {
		return experiment.ErrInterrupted
	}
	return err
}
