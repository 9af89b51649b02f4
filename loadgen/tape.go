package loadgen

import (
	"math"

	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Tape holds the lengths of the transactions that a workload's sources make, for
// runs that only count and go through the same work again and again: playing them
// takes half the time that making them takes.
//
// Its life: [NewTape], [Tape.Record] once for each updater (at the same time if
// that helps), and then [Tape.Source] any number of times. It never changes after
// that.
type Tape struct{ tracks []track }

// track is the transactions of one updater. Records are kept as numbers of their
// shapes, of which a workload has a few hundred.
type track struct {
	shapes  []shape
	records []uint16
	ends    []int  // of each transaction, in records
	due     []bool // a checkpoint stands before the transaction
}

// shape is all of a record that counts.
type shape struct{ realLen, mainLen, images int }

// maxShapes is how many shapes a track can number.
const maxShapes = math.MaxUint16 + 1

// NewTape returns a tape for a number of updaters, with nothing on it.
func NewTape(updaters int) *Tape { return &Tape{tracks: make([]track, updaters)} }

// Record puts the first n transactions of updater o.Updater on the tape. It says
// no, and the tape is of no use, if they take more than limit records or have more
// shapes than can be numbered.
func (t *Tape) Record(w Workload, o SourceOptions, n int64, limit int) bool {
	o.Blank = true
	s := w.Source(o).(redoBuilder)
	r := trackSink{track: &t.tracks[o.Updater], numbers: map[shape]uint16{}}
	redo := pgformat.LSN(1) // moves at each checkpoint; that it is no place in a log does not matter
	for range n {
		s.Next()
		c, ok := s.(Checkpointed)
		due := ok && c.CheckpointDue()
		if due {
			redo++
		}
		s.buildFor(&r, redo)
		r.track.due = append(r.track.due, due)
		r.track.ends = append(r.track.ends, len(r.track.records))
		if r.full || len(r.track.records) > limit {
			return false
		}
	}
	return true
}

// Records is the number of records on the tape.
func (t *Tape) Records() (n int) {
	for i := range t.tracks {
		n += len(t.tracks[i].records)
	}
	return n
}

// redoBuilder is a source as it builds for a redo pointer.
type redoBuilder interface {
	Next()
	buildFor(to sink, redo pgformat.LSN)
}

// trackSink fills a track.
type trackSink struct {
	track   *track
	numbers map[shape]uint16
	parsed  pgformat.Record
	full    bool // there are more shapes than numbers
}

func (r *trackSink) Add(s *pgformat.Spec, _ *pgformat.Content) {
	images := 0
	for i := range s.Blocks {
		if s.Blocks[i].HasImage {
			images++
		}
	}
	r.add(shape{s.Len(), s.MainLen, images})
}

func (r *trackSink) AddRaw(rec []byte) {
	if err := pgformat.ParseRecord(rec, &r.parsed); err != nil {
		panic("loadgen: an invalid record: " + err.Error()) // sources have checked theirs
	}
	r.add(shape{len(rec), r.parsed.MainLen, r.parsed.Images})
}

func (r *trackSink) add(s shape) {
	n, known := r.numbers[s]
	if !known {
		if len(r.track.shapes) == maxShapes {
			r.full = true
			return
		}
		n = uint16(len(r.track.shapes))
		r.track.shapes = append(r.track.shapes, s)
		r.numbers[s] = n
	}
	r.track.records = append(r.track.records, n)
}

// Source plays the transactions of one updater. It panics behind the last one, and
// where bytes are to be made.
func (t *Tape) Source(updater int) Source { return &player{track: &t.tracks[updater], at: -1} }

// player is a source that plays a track.
type player struct {
	track *track
	at    int // the current transaction
}

func (p *player) Next() { p.at++ }

// CheckpointDue implements [Checkpointed].
func (p *player) CheckpointDue() bool { return p.track.due[p.at] }

func (p *player) Build(tx *walsim.Tx, _ pgformat.LSN) {
	from := 0
	if p.at > 0 {
		from = p.track.ends[p.at-1]
	}
	for _, n := range p.track.records[from:p.track.ends[p.at]] {
		s := &p.track.shapes[n]
		tx.AddLengths(s.realLen, s.mainLen, s.images)
	}
}
