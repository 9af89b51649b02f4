package loadgen

import (
	"fmt"

	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Exact is a trace record by record in the order of the log, for one writer
// (--trace-order exact): if the log starts at the first record's Start and has
// segments of SegmentSize, every record must land on its Start and End. A Next
// that says true moves to a record; Build, as of a [Source], adds that one
// record. Not safe for concurrent use.
type Exact struct {
	trace   *Trace
	size    pgformat.SegmentSize
	at      int
	content content
	spec    pgformat.Spec
}

// Exact starts over the trace with content from seed. A trace whose LSNs are
// not those of one whole log gives an [*InputError] that names the first line
// that does not fit.
func (t *Trace) Exact(seed uint64) (*Exact, error) {
	size, err := t.segmentSize()
	if err != nil {
		return nil, err
	}
	return &Exact{trace: t, size: size, at: -1, content: newContent(SourceOptions{Seed: seed}), spec: newTraceSpec()}, nil
}

// SegmentSize is the segment size that the trace's LSNs follow, the default
// one if several do.
func (e *Exact) SegmentSize() pgformat.SegmentSize { return e.size }

// First is the LSN of the trace's first record.
func (t *Trace) First() pgformat.LSN { return t.table.rows[0].start }

// Next moves to the next record, false at the end of the trace.
func (e *Exact) Next() bool {
	if e.at+1 >= len(e.trace.table.rows) {
		return false
	}
	e.at++
	e.content.next()
	return true
}

// Start is the LSN where the current record must begin.
func (e *Exact) Start() pgformat.LSN { return e.trace.table.rows[e.at].start }

// End is the LSN behind the current record, padded to 8 bytes (behind an
// XLOG/SWITCH: the next segment).
func (e *Exact) End() pgformat.LSN { return e.trace.table.rows[e.at].end }

// Switch says that the current record is XLOG/SWITCH.
func (e *Exact) Switch() bool {
	row := &e.trace.table.rows[e.at]
	return isSwitch(row.rmid, row.info)
}

// Build adds the current record to tx.
func (e *Exact) Build(tx *walsim.Tx, _ pgformat.LSN) { e.build(tx) }

func (e *Exact) build(to sink) {
	e.trace.table.spec(e.at, &e.spec)
	to.Add(&e.spec, e.content.of(0))
}

// segmentSize finds the segment size that explains all LSNs: sizes differ only
// in which page headers are long, so most traces fit several.
func (t *Trace) segmentSize() (pgformat.SegmentSize, error) {
	best, reached := pgformat.DefaultSegmentSize, t.table.follows(pgformat.DefaultSegmentSize)
	for size := pgformat.MinSegmentSize; size <= pgformat.MaxSegmentSize; size *= 2 {
		if reached == len(t.table.rows) {
			break
		}
		if n := t.table.follows(size); n > reached {
			best, reached = size, n
		}
	}
	if reached == len(t.table.rows) {
		return best, nil
	}
	row, start := &t.table.rows[reached], t.First()
	if reached > 0 {
		start = t.table.rows[reached-1].end
	}
	start = best.RecordStart(start)
	return 0, &InputError{File: t.file, Line: reached + 2, Err: fmt.Errorf(
		"record at %v to %v, want %v to %v (exact order needs every record of the log, from its first line on)",
		row.start, row.end, start, row.expectedEnd(best, start))}
}

// follows counts the rows from the first one on that lie where records of their
// lengths lie in segments of this size.
func (t *table) follows(size pgformat.SegmentSize) int {
	at := t.rows[0].start
	for i := range t.rows {
		row := &t.rows[i]
		at = size.RecordStart(at)
		if row.start != at || row.end != row.expectedEnd(size, at) {
			return i
		}
		at = row.end
	}
	return len(t.rows)
}

// expectedEnd is where the row's record ends if it starts at start.
func (r *traceRow) expectedEnd(size pgformat.SegmentSize, start pgformat.LSN) pgformat.LSN {
	if isSwitch(r.rmid, r.info) {
		return size.Start(size.Segno(start) + 1)
	}
	return size.Advance(start, pgformat.Align8(int(r.length)))
}
