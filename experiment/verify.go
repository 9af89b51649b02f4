package experiment

import (
	"errors"
	"fmt"
	"time"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// ErrReadBack means that a log does not say what its updaters were told it
// would.
var ErrReadBack = errors.New("read back differs from what was acknowledged")

// verifier reads a log back, in pieces while the run pauses and once at its
// end, and keeps the digest of each updater's records. What it compares with
// was computed from the plain records before any strategy saw them.
type verifier struct {
	target target
	master *strategies.MasterKey
	size   pgformat.SegmentSize

	next     pgformat.LSN // records below have been read
	found    []walsim.Digest
	digester walsim.Digester
	expected []expected // set for the last reading
	bytes    int64
	took     time.Duration
}

// expected is what one updater's records must read back as: at least what was
// acknowledged, at most what was issued.
type expected struct {
	acked, issued walsim.Digest
	matched       bool // the records read had the acknowledged digest at its count
}

// begin readies the verifier for the log of r.
func (v *verifier) begin(r *repetition) {
	*v = verifier{
		target: r.target, master: r.master, size: r.cfg.SegmentSize,
		found: make([]walsim.Digest, r.cfg.Clients),
	}
}

// read reads what has been added to the log since the last call. No updater may
// be at work.
func (v *verifier) read() error {
	ring, err := strategies.OpenKeyring(v.target.fsys, v.target.dir, v.master)
	if err != nil {
		return err
	}
	dec, err := ring.Decoder(v.size)
	if err != nil {
		return err
	}
	start := time.Now()
	from := v.next
	sum, err := walsim.Recover(walsim.ReaderOptions{FS: v.target.fsys, Dir: v.target.dir, Decoder: dec}, v.add)
	v.took += time.Since(start)
	if err != nil {
		return err
	}
	if from == 0 {
		from = sum.FirstLSN
	}
	v.bytes += int64(max(sum.End.LSN, from) - from)
	v.next = sum.End.LSN
	if d := sum.End.Damage; d != nil {
		return fmt.Errorf("%w: segment %s, offset %d: %s", ErrReadBack, d.Segment, d.Offset, d.Reason)
	}
	return nil
}

// add takes one record read back into its updater's digest.
func (v *verifier) add(r walsim.RecoveredRecord) error {
	if r.LSN < v.next || r.Added {
		return nil
	}
	v.next = r.EndLSN // with each record: an error later must not have it read twice
	u := walsim.XidUpdater(r.Parsed.Header.Xid, len(v.found))
	v.found[u] = v.digester.Add(v.found[u], r.Rec, r.Parsed, r.Trailer)
	v.match(u)
	return nil
}

// match compares updater u's digest with the acknowledged one when as many
// records have been read.
func (v *verifier) match(u int) {
	if v.expected == nil {
		return
	}
	if e := &v.expected[u]; v.found[u].Records == e.acked.Records {
		e.matched = v.found[u] == e.acked
	}
}

// finish reads the rest of the log and compares it with what was acknowledged.
// The figures come back also when they do not agree.
func (v *verifier) finish(list []expected) (*results.ReadBack, error) {
	v.expected = list
	for u := range list {
		v.match(u)
	}
	err := v.read()
	back := &results.ReadBack{Bytes: v.bytes, ReadNs: v.took.Nanoseconds()}
	for u := range list {
		if e := v.compare(u, back); err == nil {
			err = e
		}
	}
	return back, err
}

// compare counts what updater u has lost, and what was found of it that it
// never wrote. Records that differ count as one lost and one phantom, since a
// digest does not say which they are.
func (v *verifier) compare(u int, back *results.ReadBack) error {
	e, found := &v.expected[u], v.found[u]
	back.Acknowledged += int64(e.acked.Records)
	back.Recovered += int64(found.Records)
	switch {
	case found.Records < e.acked.Records:
		back.Lost += int64(e.acked.Records - found.Records)
		return fmt.Errorf("%w: updater %d: %d records acknowledged, %d read back", ErrReadBack, u, e.acked.Records, found.Records)
	case found.Records > e.issued.Records:
		back.Phantom += int64(found.Records - e.issued.Records)
		return fmt.Errorf("%w: updater %d: %d records written, %d read back", ErrReadBack, u, e.issued.Records, found.Records)
	case !e.matched, found.Records == e.issued.Records && found != e.issued:
		back.Lost++
		back.Phantom++
		return fmt.Errorf("%w: updater %d: records differ in content or order", ErrReadBack, u)
	}
	return nil
}
