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
	r.exact = t
	r.cfg.SegmentSize = e.SegmentSize()
	r.cfg.Keep = max(r.cfg.Keep, 2*int64(r.cfg.SegmentSize))
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

// exactLoop replays a trace in its own order and counts records that are not
// where the trace has them.
func exactLoop(p simtime.Proc, l *loadgen.Loop, e *loadgen.Exact) (done int64, err error) {
	mismatches, first := 0, ""
	for e.Next() && !l.Gate.Stopped() {
		end, err := l.Commit(p, e)
		if err != nil {
			return done, err
		}
		done++
		if start := l.Updater.LastLSN(); start != e.Start() || end != e.End() {
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
