package strategies

import (
	"cmp"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Design describes one strategy: what `walbench list strategies` says of it and
// how it is opened. Designs are values that never change.
type Design struct {
	Name      string // what users type
	Summary   string // one line
	Unit      string // what one encryption covers
	Place     string // the phase that encrypts: prepare, place, publish, flush, or -
	Nonce     string // where the nonce comes from, and why it never repeats
	Integrity string // what finds tampering; "none" is an answer
	StandsFor string // who does it this way

	// Mode is the kind of suite the design needs, and DefaultSuite the one it
	// gets when the user names none, which may depend on the machine. Mode
	// ModeNone: no cipher, no key.
	Mode         Mode
	DefaultSuite string
	// KernelCipher is set for designs whose default suite is this cipher in the
	// best implementation of the machine.
	KernelCipher string

	// Positioned designs encrypt by log position; the others carry what
	// decryption needs in each record.
	Positioned bool
	// TwoPhase designs have a Publish phase: positions are reserved under the
	// serialising lock, and the records are filled in behind it.
	TwoPhase bool
	// LateBody designs change a record's body behind Prepare; the phase that does
	// it computes BodyCRC, and the log does not.
	LateBody bool
	// Trailer is how many bytes the design adds at the end of a record's main
	// data, given xl_tot_len before; nil means none.
	Trailer func(realLen int) int
	// Unsafe says in one line why the design must not be used; empty for the
	// others. An unsafe design is in no default list.
	Unsafe string

	// New opens the design for one start of a log.
	New func(s Start) (Instance, error)
	// NewPageDecoder and NewRecordDecoder undo the design for one key; a design
	// has the one that fits Positioned.
	NewPageDecoder   func(s Start) (PageDecoder, error)
	NewRecordDecoder func(s Start) (RecordDecoder, error)
}

// SuiteOn is the name of the default suite on a machine whose best implementation
// of AES has this name.
func (d *Design) SuiteOn(implementation string) string {
	if d.KernelCipher == "" || implementation == stdlibName || implementation == "" {
		return cmp.Or(d.KernelCipher, d.DefaultSuite)
	}
	return d.KernelCipher + "/" + implementation
}

// TrailerBytes is Trailer(realLen), or 0 without one.
func (d *Design) TrailerBytes(realLen int) int {
	if d.Trailer == nil {
		return 0
	}
	return d.Trailer(realLen)
}

// Start is what a design is opened with: the fresh key of this opening of the
// log and where it applies.
type Start struct {
	Key         *StartKey // nil for ModeNone
	KeyID       KeyID
	Suite       *Suite // nil for ModeNone
	TLI         uint32
	StartLSN    pgformat.LSN // first byte this key may encrypt
	SegmentSize pgformat.SegmentSize
}

// Instance is a design opened for one start.
type Instance interface {
	// Updater returns the phases of updater id, which counts on m. It is called
	// once for each updater; the phases it returns are called by that updater
	// only and may keep contexts and scratch memory of their own.
	Updater(id uint16, m *simtime.Meter) Phases
}

// Phases are the functions of one updater that the log calls on the write
// path, in this order. Each may be nil: not used.
//
//	Prepare  no lock, no position. All records of the transaction at once;
//	         returns those to insert (its argument, in every design here).
//	         Called again, with records built anew, when the redo pointer moved:
//	         it must draw fresh nonces each time.
//	Place    under the serialising lock, one record, its position known.
//	Publish  outside the serialising lock, one record, its position known.
//	         Its presence makes the design two-phase: positions are reserved
//	         under the lock, and the records are filled in behind it.
//	Copy     moves one piece of a record into the WAL buffer that stands at LSN
//	         at; nil means a plain copy. Called in the place phase, or in the
//	         publish phase of two-phase designs.
//	Flush    under the serialising lock: turns a run of buffer pages into the
//	         bytes that go to the device; nil means as they are.
type Phases struct {
	Prepare func(recs []Record) []Record
	Place   func(r *Record)
	Publish func(r *Record)
	Copy    func(dst, src []byte, at pgformat.LSN)
	Flush   func(f *Flush)
}

// Record is one record on its way into the log.
type Record struct {
	// Buf is the stored record: header (xl_prev and xl_crc not yet set in
	// prepare), block headers, images, data, main data, and at its end Trailer
	// bytes that belong to the design. A phase may change Buf[24:], or replace
	// Buf by memory of its own of the same length.
	Buf     []byte
	Trailer int
	// RealLen is xl_tot_len before the design added anything.
	RealLen int
	// BodyCRC is the CRC-32C of Buf[24:]. The log computes it after Prepare; a
	// phase that changes the body later computes it again.
	BodyCRC uint32
	// LSN, End and Prev are set by the reservation: the record's first byte,
	// the first byte behind it (padded to 8), the record before it.
	LSN, End, Prev pgformat.LSN
	// Images is the number of page images in the record.
	Images int
}

// Flush is a run of whole pages on its way to the device.
type Flush struct {
	Meter *simtime.Meter
	TLI   uint32
	// At is the address of the first page; End is where the records end, in the
	// last page or at its end. What is behind End is nobody's yet: it must not
	// reach Out.
	At, End pgformat.LSN
	// New is the first byte that no write has handed to the device before.
	New pgformat.LSN
	// Stored bytes below this LSN are in their stored form already (an earlier
	// start wrote them): they are copied as they are.
	Stored pgformat.LSN
	// In are the pages, Out is as long and is to be filled whole.
	In, Out []byte
	// SegmentSize says which pages have a long header.
	SegmentSize pgformat.SegmentSize
}

// eachPage has every page of the flush filled by fill.
func (f *Flush) eachPage(fill func(f *Flush, at pgformat.LSN, in, out []byte)) {
	for off := 0; off < len(f.In); off += pgformat.PageSize {
		at := f.At + pgformat.LSN(off)
		fill(f, at, f.In[off:off+pgformat.PageSize], f.Out[off:off+pgformat.PageSize])
	}
}

// parts divides the page at LSN at, one of the flush: up to clearEnd it is
// header, or stored already; up to filled there are records.
func (f *Flush) parts(at pgformat.LSN) (clearEnd, filled int) {
	clearEnd = f.SegmentSize.HeaderSize(at)
	if f.Stored > at {
		clearEnd = max(clearEnd, min(pgformat.PageSize, int(f.Stored-at)))
	}
	if f.End >= at+pgformat.PageSize {
		return clearEnd, pgformat.PageSize
	}
	return clearEnd, max(clearEnd, int(f.End-at))
}

// PageDecoder undoes a positioned design under one key.
type PageDecoder interface {
	// Decode decrypts in place the bytes of page, which starts at LSN at, that
	// lie in [from, to). Page headers are given as part of page.
	Decode(at pgformat.LSN, page []byte, from, to pgformat.LSN)
}

// RecordDecoder undoes a design that carries its nonce in the record.
type RecordDecoder interface {
	// Decode decrypts the body of a stored record in place and returns the
	// length of the trailer.
	Decode(rec []byte) (trailer int, err error)
}
