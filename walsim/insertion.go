package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Insertion puts transactions into WAL buffers as a commit under the serial lock does,
// and nothing else: there is no log behind it, no lock, no device, and what is in the
// buffers counts as written at once. It is there to be timed, and belongs to one process.
type Insertion struct {
	log *Log
	u   *Updater
}

// NewInsertion makes one with buffers of the default size, for a design without phases
// under the lock. What is done is counted in m.
func NewInsertion(d *strategies.Design, m *simtime.Meter) *Insertion {
	o := Options{
		Design: d, Updaters: 1, TLI: 1, SegmentSize: pgformat.DefaultSegmentSize, Start: pgformat.LSN(pgformat.DefaultSegmentSize),
		BufferBytes: int(pgformat.DefaultSegmentSize),
	}
	l := newLog(o, nil)
	return &Insertion{log: l, u: &Updater{log: l, m: m}}
}

// Insert inserts the records of t, which can be inserted any number of times.
func (x *Insertion) Insert(t *Tx) {
	l := x.log
	l.written, l.borderEnds = l.insert, l.borderEnds[:0]
	if err := x.u.insertHeld(t.finish()); err != nil {
		panic("walsim: " + err.Error()) // nothing is written, so that nothing can fail
	}
}

// Pages is how many pages have been begun.
func (x *Insertion) Pages() int64 {
	return int64(x.log.ring.initEnd-x.log.opts.Start.Page()) / pgformat.PageSize
}
