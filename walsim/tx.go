package walsim

import (
	"slices"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Builder is where the records of a transaction come from. Build adds them all
// to tx, for images decided at the redo pointer redo. It is called again with a
// cleared tx when the redo pointer moved before the records were in the log,
// and then builds the same transaction again.
type Builder interface {
	Build(tx *Tx, redo pgformat.LSN)
}

// Tx collects the records of one transaction, complete but for place, CRC and
// encryption. It belongs to one updater and keeps its memory from one
// transaction to the next.
type Tx struct {
	design *strategies.Design
	meter  *simtime.Meter
	xid    uint32
	arena  []byte // all records, each at a multiple of 8
	used   int
	recs   []strategies.Record
	starts []int // of each record in arena
	parsed pgformat.Record
	sum    digester

	// oneByOne: each record is inserted for itself. Its making is charged then, and
	// the transaction can be built again from any record on.
	oneByOne bool
	skip     int      // records that are not to be added again
	sums     []Digest // behind each record that has been added
	before   Digest   // the transaction
}

// Add adds one record built from s, with images and block data drawn from
// content. The transaction's id replaces s.Xid.
func (t *Tx) Add(s *pgformat.Spec, content *pgformat.Content) {
	if t.skipped() {
		return
	}
	realLen := s.Len()
	trailer := t.design.TrailerBytes(realLen)
	images, payload := 0, s.MainLen
	for i := range s.Blocks {
		b := &s.Blocks[i]
		payload += b.ImageLen + b.DataLen
		if b.HasImage {
			images++
		}
	}
	stored := realLen
	if trailer > 0 {
		stored = s.LenWith(trailer)
	}
	buf := t.take(stored)
	t.push(buf, realLen, trailer, images)
	if !t.meter.Touches() {
		return
	}
	s.Encode(buf, trailer, content)
	putXid(buf, t.xid)
	end := len(buf) - trailer - payload - pgformat.MainHeaderLen(s.MainLen+trailer)
	t.sum.record(buf, buf[pgformat.RecordHeaderSize:end], buf[len(buf)-trailer-payload:len(buf)-trailer])
	t.noteSum()
}

// AddRaw adds a complete plain record as it is, whatever wrote it; transaction
// id, xl_prev and CRC are set by the log. It panics if rec is no valid record:
// pass only what a reader has checked.
func (t *Tx) AddRaw(rec []byte) {
	if t.skipped() {
		return
	}
	if err := pgformat.ParseRecord(rec, &t.parsed); err != nil {
		panic("walsim: AddRaw of an invalid record: " + err.Error())
	}
	trailer := t.design.TrailerBytes(len(rec))
	buf := t.take(len(rec) + growth(t.parsed.MainLen, trailer))
	t.push(buf, len(rec), trailer, t.parsed.Images)
	if !t.meter.Touches() {
		return
	}
	pgformat.Retrail(buf, rec, &t.parsed, trailer)
	putXid(buf, t.xid)
	headers, payload := pgformat.Canonical(rec, &t.parsed, 0)
	t.sum.record(buf, headers, payload)
	t.noteSum()
}

// AddLengths adds a record of which only lengths are known: all of it and its main
// data, in bytes, and the number of images. It is for where bytes are only
// counted, and panics elsewhere.
func (t *Tx) AddLengths(realLen, mainLen, images int) {
	if t.meter.Touches() {
		panic("walsim: AddLengths where bytes are to be made")
	}
	if t.skipped() {
		return
	}
	trailer := t.design.TrailerBytes(realLen)
	t.push(t.take(realLen+growth(mainLen, trailer)), realLen, trailer, images)
}

// growth is what a trailer adds to a record with so much main data, header
// included.
func growth(mainLen, trailer int) int {
	return trailer + pgformat.MainHeaderLen(mainLen+trailer) - pgformat.MainHeaderLen(mainLen)
}

// Records is the number of records added so far.
func (t *Tx) Records() int { return len(t.recs) }

// begin clears the transaction; before is the digest of the updater's records
// so far.
func (t *Tx) begin(xid uint32, before Digest) {
	t.xid, t.before = xid, before
	t.clear()
	t.sum.begin(before)
	t.sums = t.sums[:0]
}

func (t *Tx) clear() {
	t.used, t.skip = 0, 0
	t.recs, t.starts = t.recs[:0], t.starts[:0]
}

// resume clears the records for another Build that is to leave out the first ones,
// which have been inserted.
func (t *Tx) resume(inserted int) {
	t.clear()
	t.skip = inserted
	if !t.meter.Touches() {
		return
	}
	t.sums = t.sums[:inserted]
	sum := t.before
	if inserted > 0 {
		sum = t.sums[inserted-1]
	}
	t.sum.begin(sum)
}

// skipped says whether the record to be added has been inserted already.
func (t *Tx) skipped() bool {
	if t.skip == 0 {
		return false
	}
	t.skip--
	return true
}

func (t *Tx) noteSum() {
	if t.oneByOne {
		t.sums = append(t.sums, t.sum.sum)
	}
}

// take returns n bytes of the arena. Records added before may move when it
// grows; finish sets their slices. Where bytes are only counted all records lie on
// top of each other, so that they fit into a cache.
func (t *Tx) take(n int) []byte {
	if !t.meter.Touches() {
		t.arena, t.used = t.meter.Scratch(n), 0
		return t.arena[:n]
	}
	if t.used+n > len(t.arena) {
		bigger := make([]byte, max(2*len(t.arena), pgformat.Align8(t.used+n), 16<<10))
		copy(bigger, t.arena[:t.used])
		t.arena = bigger
	}
	return t.arena[t.used : t.used+n]
}

func (t *Tx) push(buf []byte, realLen, trailer, images int) {
	if !t.oneByOne {
		t.meter.Record(len(buf))
	}
	// Field by field: a record made elsewhere and copied would be loaded in wider
	// pieces than it has just been stored in. What is left of an earlier one is
	// written before it is read.
	n := len(t.recs)
	t.recs = slices.Grow(t.recs, 1)[:n+1]
	r := &t.recs[n]
	r.Buf, r.Trailer, r.RealLen, r.Images = buf, trailer, realLen, images
	t.starts = append(t.starts, t.used)
	if t.meter.Touches() {
		t.used = min(t.used+pgformat.Align8(len(buf)), len(t.arena))
	}
}

// finish makes all records point into the arena as it is now.
func (t *Tx) finish() []strategies.Record {
	if !t.meter.Touches() {
		return t.recs
	}
	for i := range t.recs {
		n := len(t.recs[i].Buf)
		t.recs[i].Buf = t.arena[t.starts[i] : t.starts[i]+n]
	}
	return t.recs
}
