package experiment

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// ErrInterrupted means that the user stopped the run; what it had done is in
// the result.
var ErrInterrupted = errors.New("interrupted: the result is partial")

// VerifyError means that a log did not read back as what was acknowledged:
// exit code 5.
type VerifyError struct {
	Strategy, Suite string
	Err             error
}

func (e *VerifyError) Error() string {
	return fmt.Sprintf("%s (%s): the log does not read back: %v", e.Strategy, e.Suite, e.Err)
}

func (e *VerifyError) Unwrap() error { return e.Err }

// Progress says how far a run is, at the beginning of each turn of a strategy.
type Progress struct {
	Repetition, Repetitions int // from 1
	Workload                string
	Strategy, Suite         string
	Done, Total             int64 // turns
}

// load is one workload of a run, on a virtual clock with one number of cores: how
// much of it, and what came of it.
type load struct {
	workload        loadgen.Workload
	cores           int              // 0 if measured
	profile         *simtime.Profile // nil if measured
	counts          bool             // the virtual clock only counts
	planned         bool             // its commits are another run's
	commits, warmup int64
	samples         [][]sample             // by pair, by repetition
	ranges          []*results.Sensitivity // by pair; nil: none
}

// Run is a checked configuration, ready to execute once.
type Run struct {
	cfg      Config
	pairs    []Pair
	device   deviceSpec
	master   *strategies.MasterKey // nil: each log draws its own
	exact    *loadgen.Trace        // --trace-order exact
	warnings []string

	started time.Time
	host    hostinfo.Host
	noise   noiseProbe
	loads   []*load
	gates   gates
	model   *model // nil: measured
	tapes   map[tapeKey]*loadgen.Tape
	whatIfs []changedRun
}

// NewRun completes and checks cfg and loads its inputs. Nothing is written
// besides the folder of a file device. A *UsageError says what the user has to
// change.
func NewRun(cfg Config) (*Run, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	r := &Run{cfg: cfg, model: newModel(&cfg)}
	var err error
	if r.pairs, r.warnings, err = r.choice().pairs(cfg.Strategies, cfg.Suites); err != nil {
		return nil, err
	}
	if err := r.model.check(r.pairs); err != nil {
		return nil, err
	}
	if r.device, err = parseDevice(cfg.Device); err != nil {
		return nil, err
	}
	r.device.device.Sync = cfg.syncLatency()
	if err := r.openInputs(); err != nil {
		return nil, err
	}
	if err := r.openWhatIfs(); err != nil {
		return nil, err
	}
	return r, r.device.checkFile(cfg.FS, r.pairs)
}

// openInputs loads workload and master key: files that the user named.
func (r *Run) openInputs() (err error) {
	for _, name := range r.cfg.Workloads {
		w, err := loadgen.Open(name, loadgen.Options{FS: r.cfg.FS, PageOptions: r.cfg.Pages})
		if err != nil {
			return asUsage(err)
		}
		r.addLoads(w)
		r.warnings = append(r.warnings, w.Notes()...)
	}
	if r.cfg.MasterKey != "" {
		if r.master, err = strategies.ReadMasterKey(r.cfg.FS, r.cfg.MasterKey); err != nil {
			return asUsage(fmt.Errorf("--master-key-file: %w", err))
		}
	}
	if r.device.kind == "file" && r.master == nil && r.encrypts() {
		r.warnings = append(r.warnings, fmt.Sprintf(
			"no --master-key-file: each log's master key lies beside it, in %s", strategies.MasterKeyName))
	}
	if n := len(r.loads); r.device.kind == "file" && n > 1 {
		r.warnings = append(r.warnings, fmt.Sprintf("the folders of %s keep the logs of the last workload, %s",
			r.device, r.loads[n-1].workload.Name()))
	}
	if r.cfg.TraceOrder == TraceOrderExact {
		return r.openExact()
	}
	return nil
}

// encrypts says whether a pair of the run needs a key.
func (r *Run) encrypts() bool {
	return slices.ContainsFunc(r.pairs, func(p Pair) bool { return p.Suite != nil })
}

// Execute runs all repetitions and returns the result, which is marked
// incomplete, and comes together with an error, when the run was stopped, a
// device failed or a log did not read back. Closing stop ends the run at the
// end of the transactions under way. progress may be nil.
func (r *Run) Execute(stop <-chan struct{}, progress func(Progress)) (*results.Run, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	done := make(chan struct{})
	defer close(done)
	go r.watch(stop, done)
	r.started, r.host = time.Now(), hostinfo.Read()
	release, err := r.device.lock(r.cfg.FS)
	if err != nil {
		return nil, err
	}
	err = r.run(progress)
	if err == nil && r.gates.isStopped() {
		err = ErrInterrupted
	}
	err = errors.Join(err, release())
	if err != nil && !errors.Is(err, ErrInterrupted) {
		r.warnings = append(r.warnings, "stopped by an error: "+err.Error())
	}
	res, resErr := r.result(err == nil)
	if err := errors.Join(err, resErr); err != nil || res == nil {
		return res, err
	}
	if err := errors.Join(r.addBlock(res, stop), r.addWhatIfs(res, stop)); err != nil {
		res.Complete = false
		return res, err
	}
	return res, nil
}

// watch passes the request to stop on to the gate of the turn under way.
func (r *Run) watch(stop, done <-chan struct{}) {
	select {
	case <-stop:
		r.gates.stop()
	case <-done:
	}
}

// addLoads makes the loads of one workload.
func (r *Run) addLoads(w loadgen.Workload) {
	if r.model == nil {
		r.loads = append(r.loads, &load{workload: w, samples: make([][]sample, len(r.pairs)), ranges: make([]*results.Sensitivity, len(r.pairs))})
		return
	}
	for _, cores := range r.model.cores {
		r.loads = append(r.loads, &load{
			workload: w, cores: cores, profile: r.model.profile, counts: r.model.counts,
			samples: make([][]sample, len(r.pairs)), ranges: make([]*results.Sensitivity, len(r.pairs)),
		})
	}
}

// run plans every workload, and then runs every pair under every workload once
// per repetition: whatever drifts meets all of them.
func (r *Run) run(progress func(Progress)) error {
	if r.model != nil {
		return r.runModel(progress)
	}
	for _, l := range r.loads {
		if err := r.plan(l); err != nil {
			return err
		}
	}
	p := Progress{Repetitions: r.cfg.Runs, Total: int64(len(r.loads) * len(r.pairs) * r.cfg.Runs)}
	for rep := range r.cfg.Runs {
		p.Repetition = rep + 1
		for _, l := range r.loads {
			if err := r.repeat(l, rep, &p, progress); err != nil || r.gates.isStopped() {
				return err
			}
		}
	}
	progress(p)
	return nil
}

// repeat runs every pair once under workload l.
func (r *Run) repeat(l *load, rep int, p *Progress, progress func(Progress)) error {
	for turn := range r.pairs {
		i := r.order(rep, turn)
		p.Workload, p.Strategy, p.Suite = l.workload.Name(), r.pairs[i].Design.Name, r.pairs[i].SuiteName()
		progress(*p)
		if r.gates.isStopped() {
			return nil
		}
		if err := r.turn(l, i, rep); err != nil {
			return err
		}
		p.Done++
	}
	return nil
}

// turn runs pair i once under workload l.
func (r *Run) turn(l *load, i, rep int) error {
	t, err := r.device.target(r.cfg.FS, r.pairs[i].Folder())
	if err != nil {
		return err
	}
	r.noise.begin()
	o, err := r.measure(l, r.pairs[i], t, repetitionSeed(r.cfg.Seed, rep), l.warmup, l.commits)
	if err != nil {
		return err
	}
	l.samples[i] = append(l.samples[i], sample{repetition: rep, outcome: o, noise: r.noise.end()})
	return o.fault(r.pairs[i])
}

// fault is what went wrong: an error of log or device, a log that does not say
// what was acknowledged, or both.
func (o *outcome) fault(p Pair) error {
	err := o.verifyErr
	if errors.Is(err, ErrReadBack) {
		err = &VerifyError{p.Design.Name, p.SuiteName(), err}
	}
	return errors.Join(err, o.err)
}

// measure runs one pair on a log of its own.
func (r *Run) measure(l *load, p Pair, t target, seed uint64, warmup, commits int64) (outcome, error) {
	master, err := t.masterKey(p, r.master)
	if err != nil {
		return outcome{}, err
	}
	rep := &repetition{
		cfg: &r.cfg, pair: p, target: t, workload: l.workload, seed: seed, exact: r.exact,
		warmup: warmup, commits: commits, master: master, gate: loadgen.NewGate(r.cfg.Clients),
	}
	r.gates.add(rep.gate)
	defer r.gates.remove(rep.gate)
	if r.model == nil {
		return rep.run(simtime.NewReal()), nil
	}
	rep.modelled, rep.cores, rep.counts = true, l.cores, l.counts
	if l.counts {
		rep.tape = r.tapes[tapeKey{l.workload, seed}]
	}
	clock, err := simtime.NewVirtual(simtime.VirtualOptions{Profile: l.profile, Cores: l.cores, Counts: l.counts, WorkYields: r.cfg.Lock == LockPostgres})
	if err != nil {
		return outcome{}, err
	}
	o := rep.run(clock)
	if errors.Is(o.err, loadgen.ErrClockEnd) {
		return o, r.cfg.clockError()
	}
	return o, nil
}
