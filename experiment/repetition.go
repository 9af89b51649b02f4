package experiment

import (
	"errors"
	"runtime/debug"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// repetition is one pair's turn in one repetition: a log of its own, warm-up,
// measured window, read-back.
type repetition struct {
	cfg      *Config
	pair     Pair
	target   target
	workload loadgen.Workload
	seed     uint64 // the same for all pairs of the repetition
	warmup   int64  // commits
	commits  int64
	master   *strategies.MasterKey
	gate     *loadgen.Gate
	exact    *loadgen.Trace // not nil: replay it record by record
	modelled bool           // on a virtual clock
	cores    int            // of it
	counts   bool           // which only counts
	tape     *loadgen.Tape  // of the work, where it only counts; nil: none

	log      *walsim.Log
	end      walsim.Position
	sessions []session
	writer   *simtime.Meter // the log writer's; nil without one
	window   window
	verifier verifier
}

// session is one updater's share, and what it did.
type session struct {
	loop            loadgen.Loop
	warmup, commits int64
	done            int64 // acknowledged in the measured window
	cpu             simtime.Duration
	err             error
	meter           *simtime.Meter
}

// outcome is what came of a repetition: the counts of the measured window, and
// how the log read back.
type outcome struct {
	meter     simtime.Meter
	commits   int64
	elapsed   simtime.Duration // of the measured window, pauses left out
	cpu       simtime.Duration
	mallocs   uint64
	verified  *results.ReadBack // nil on a device that keeps nothing
	inline    int64             // segments that a flush had to wait for
	events    int64             // of the scheduler of a virtual clock
	stopped   bool
	advance   int64 // of the LSN in the measured window, bytes
	err       error // of the log or the device; what was measured until then stands
	verifyErr error // the log does not say what was acknowledged
}

// run carries the repetition out on clock.
func (r *repetition) run(clock simtime.Clock) (o outcome) {
	var end pgformat.LSN
	r.window.modelled = r.modelled
	clock.Run(r.pair.Folder(), func(p simtime.Proc) { o.err = r.drive(p) })
	for i := range r.sessions {
		s := &r.sessions[i]
		if s.meter == nil {
			continue // never started
		}
		o.meter.Add(s.meter)
		o.commits += s.done
		o.cpu += s.cpu
		end = max(end, s.loop.End)
		if o.err == nil {
			o.err = s.err
		}
	}
	if r.writer != nil {
		o.meter.Add(r.writer)
	}
	o.elapsed = r.window.elapsed(r.gate)
	o.mallocs = r.window.mallocs()
	o.advance = int64(max(end, r.window.from.Insert) - r.window.from.Insert)
	o.inline = r.end.SegmentsInline
	o.stopped = r.gate.Stopped()
	o.events = simtime.Events(clock)
	if r.modelled && o.err == nil {
		o.err = r.checkModel(&o)
	}
	if r.log != nil && r.keeps() {
		o.verified, o.verifyErr = r.verifier.finish(r.digests())
	}
	return o
}

// drive is the main process: it opens the log, runs the updaters, closes it.
func (r *repetition) drive(p simtime.Proc) (err error) {
	if r.log, err = walsim.Create(p, r.options()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.log.Close(p)) }()
	r.verifier.begin(r)
	r.gate.Maintain = r.maintain
	if !r.target.discard {
		r.gate.PauseAt(r.keepLimit(r.log.Position(p).Oldest))
	}
	r.share()
	if !r.modelled {
		// What came before leaves no garbage to be collected in the window, and no
		// memory: segments of a log in memory take twice as long where the system has to
		// bring them, and it has to for all logs, not only for the first.
		debug.FreeOSMemory()
	}
	handles := make([]simtime.Handle, len(r.sessions))
	for i := range r.sessions {
		handles[i] = p.Spawn("updater", func(p simtime.Proc) { r.updater(p, i) })
	}
	for i, h := range handles {
		h.Join(p)
		r.sessions[i].meter = h.Meter()
	}
	r.end, r.writer = r.log.EndWindow(p)
	return nil
}

// keeps says whether the log can be read back.
func (r *repetition) keeps() bool { return !r.target.discard && !r.counts }

func (r *repetition) options() walsim.Options {
	o := walsim.Options{
		FS: r.target.fsys, Dir: r.target.dir, Discard: r.target.discard, Device: r.drawnDevice(),
		Design: r.pair.Design, Suite: r.pair.Suite, Master: r.master,
		SegmentSize: r.cfg.SegmentSize, BufferBytes: r.cfg.WALBuffers,
		SysID: systemID(r.seed), Updaters: r.cfg.Clients,
	}
	r.cfg.lockOptions(&o)
	if r.exact != nil {
		o.Start = r.exact.First()
	}
	return o
}

// share deals warm-up and commits out: the same to every updater, the remainder
// one each to the first ones.
func (r *repetition) share() {
	n := int64(r.cfg.Clients)
	r.sessions = make([]session, n)
	for i := range r.sessions {
		s := &r.sessions[i]
		s.warmup, s.commits = r.warmup/n, r.commits/n
		if int64(i) < r.warmup%n {
			s.warmup++
		}
		if int64(i) < r.commits%n {
			s.commits++
		}
	}
}

// updater is the process of updater i: warm-up, barrier, measured window.
func (r *repetition) updater(p simtime.Proc, i int) {
	s := &r.sessions[i]
	s.loop = loadgen.Loop{
		Updater: r.log.Updater(p, i), Gate: r.gate, Think: clockDuration(r.cfg.Think),
		Source: r.source(i), Checkpoint: r.checkpoint, Until: r.clockEnd(),
	}
	defer r.gate.Leave(p)
	if _, s.err = s.loop.Run(p, s.warmup); s.err != nil {
		p.Meter().Reset()
		return
	}
	p.Meter().Reset()
	r.gate.Arrive(p, func() { r.window.open(p, r.log, r.running()) })
	cpu := p.CPU()
	s.done, s.err = r.measured(p, s)
	s.cpu = p.CPU() - cpu
	r.window.leave(p)
}

// source makes, or plays, the transactions of updater i.
func (r *repetition) source(i int) loadgen.Source {
	if r.tape != nil {
		return r.tape.Source(i)
	}
	return r.workload.Source(loadgen.SourceOptions{Updater: i, Updaters: r.cfg.Clients, Seed: r.seed, Blank: r.counts})
}

// measured is the updater's share of the measured window.
func (r *repetition) measured(p simtime.Proc, s *session) (done int64, err error) {
	if r.exact == nil {
		return s.loop.Run(p, s.commits)
	}
	e, err := r.exact.Exact(r.seed)
	if err != nil {
		return 0, err
	}
	return exactLoop(p, &s.loop, e, r.pair.Design.Trailer == nil)
}

// running is the number of updaters that got through the warm-up.
func (r *repetition) running() int {
	n := 0
	for i := range r.sessions {
		if r.sessions[i].err == nil {
			n++
		}
	}
	return n
}

// digests are what the updaters' logs must read back as.
func (r *repetition) digests() []expected {
	list := make([]expected, len(r.sessions))
	for i := range r.sessions {
		if u := r.sessions[i].loop.Updater; u != nil {
			list[i] = expected{acked: u.Acknowledged(), issued: u.Issued()}
		}
	}
	return list
}

// maintain does the work of a pause on a process of its own, so that neither its
// locks nor its processor time are an updater's.
func (r *repetition) maintain(p simtime.Proc) (next pgformat.LSN, err error) {
	r.apart(p, func(p simtime.Proc) { next, err = r.recycle(p) })
	return next, err
}

// apart does work that is in no figure, while all updaters wait.
func (r *repetition) apart(p simtime.Proc, work func(p simtime.Proc)) {
	before := r.window.mallocsNow()
	h := p.Spawn("apart", work)
	h.Join(p)
	r.window.apart.add(h.Meter())
	r.window.paused += r.window.mallocsNow() - before
}

// checkpoint moves the redo pointer, on a process of its own as PostgreSQL's
// checkpointer is one.
func (r *repetition) checkpoint(p simtime.Proc) (redo pgformat.LSN, err error) {
	r.apart(p, func(p simtime.Proc) { redo, err = r.log.Checkpoint(p) })
	return redo, err
}

// recycle reads back what the log keeps, and recycles it.
func (r *repetition) recycle(p simtime.Proc) (next pgformat.LSN, err error) {
	read := r.log.Position(p).Flushed
	if r.keeps() {
		if err := r.verifier.read(); err != nil {
			return 0, err
		}
		read = r.verifier.next
	}
	if err := r.log.Recycle(p, read); err != nil {
		return 0, err
	}
	return r.keepLimit(r.log.Position(p).Oldest), nil
}

// keepLimit is the LSN at which a log that keeps everything from oldest on has
// to pause.
func (r *repetition) keepLimit(oldest pgformat.LSN) pgformat.LSN {
	return oldest + pgformat.LSN(r.cfg.Keep)
}

// drawnDevice is the repetition's device, which varies alike for all designs, and
// otherwise in the next repetition.
func (r *repetition) drawnDevice() simtime.Device {
	d := r.target.device
	d.Draws = r.seed
	return d
}
