package experiment

import (
	"errors"
	"fmt"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/simtime"
)

// ErrLayout means that a trace replayed at its own LSNs was laid out
// differently than in the log it was taken from.
var ErrLayout = errors.New("records are not where the trace has them")

// openExact checks that the workload can be replayed record by record, and
// makes the log the trace's.
func (r *Run) openExact() error {
	workload := r.loads[0].workload
	t, ok := workload.(*loadgen.Trace)
	if !ok || len(r.loads) > 1 {
		return usagef("--trace-order %s: workload %s: %w", TraceOrderExact, workload.Name(), errExact)
	}
	e, err := t.Exact(r.cfg.Seed)
	if err != nil {
		return &UsageError{err}
	}
	if err := noSwitch(e); err != nil {
		return err
	}
	r.exact = t
	for _, p := range r.pairs {
		if p.Design.Trailer != nil {
			r.warnings = append(r.warnings, p.Design.Name+
				" adds to every record: its records are in the trace's order, but not at its LSNs")
		}
	}
	r.cfg.SegmentSize = e.SegmentSize()
	r.cfg.Keep = max(r.cfg.Keep, 2*int64(r.cfg.SegmentSize))
	return nil
}

// noSwitch refuses a trace in which a segment was ended early: the log writes
// none of these records.
func noSwitch(e *loadgen.Exact) error {
	for e.Next() {
		if e.Switch() {
			return usagef("--trace-order %s: the trace has an XLOG/SWITCH record at %v, which cannot be replayed", TraceOrderExact, e.Start())
		}
	}
	return nil
}

// planExact counts the trace's records: each is a transaction of its own.
func (r *Run) planExact(l *load) error {
	e, err := r.exact.Exact(r.cfg.Seed)
	for err == nil && e.Next() {
		l.commits++
	}
	return err
}

// exactLoop replays a trace in its own order and, if asked to, counts records
// that are not where the trace has them.
func exactLoop(p simtime.Proc, l *loadgen.Loop, e *loadgen.Exact, check bool) (done int64, err error) {
	mismatches, first := 0, ""
	for e.Next() && !l.Gate.Stopped() {
		end, err := l.Commit(p, e)
		if err != nil {
			return done, err
		}
		done++
		if err := l.PauseIfDue(p); err != nil {
			return done, err
		}
		if start := l.Updater.LastLSN(); check && (start != e.Start() || end != e.End()) {
			if mismatches++; first == "" {
				first = fmt.Sprintf("record %d at %v to %v, want %v to %v", done, start, end, e.Start(), e.End())
			}
		}
	}
	if mismatches > 0 {
		return done, fmt.Errorf("%d of %d %w: %s", mismatches, done, ErrLayout, first)
	}
	return done, nil
}
