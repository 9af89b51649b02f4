package loadgen

import (
	"encoding/binary"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Flags of a commit or abort record's xinfo (access/xact.h, XACT_XINFO_*).
const (
	xinfoHasDBInfo   = 1 << 0
	xinfoHasSubxacts = 1 << 1
)

// infoXactAssignment is XLOG_XACT_ASSIGNMENT: 64 subtransactions and their top.
const infoXactAssignment = 0x50

// describe makes a grouping member of record number index, parsed from rec,
// with what the record says about subtransactions: its top-level header, and
// the lists in COMMIT, ABORT and ASSIGNMENT. Lists are appended to subs[:0].
func describe(index int, rec []byte, parsed *pgformat.Record, subs []uint32) member {
	m := member{
		index: uint32(index), xid: parsed.Header.Xid, top: parsed.TopXid,
		rmid: parsed.Header.RMID, info: parsed.Header.Info, subs: subs[:0],
	}
	if m.rmid != pgformat.RMXact {
		return m
	}
	main := mainData{rec[len(rec)-parsed.MainLen:]}
	switch m.info & pgformat.InfoXactOpMask {
	case infoXactAssignment:
		m.top = main.uint32() // xl_xact_assignment: xtop, nsubxacts, xsub[]
		m.subs = main.list(m.subs)
	case pgformat.InfoXactCommit, pgformat.InfoXactAbort:
		m.subs = main.ended(m.info, m.subs)
	}
	return m
}

// mainData reads main data from its front; behind the end it reads zeros.
type mainData struct{ rest []byte }

func (d *mainData) skip(n int) { d.rest = d.rest[min(n, len(d.rest)):] }

func (d *mainData) uint32() uint32 {
	if len(d.rest) < 4 {
		d.rest = nil
		return 0
	}
	v := binary.LittleEndian.Uint32(d.rest)
	d.skip(4)
	return v
}

// list appends a counted list of transaction ids, as far as it is there.
func (d *mainData) list(into []uint32) []uint32 {
	for n := d.uint32(); n > 0 && len(d.rest) >= 4; n-- {
		into = append(into, d.uint32())
	}
	return into
}

// ended appends the subtransactions of a commit or abort (ParseCommitRecord,
// access/rmgrdesc/xactdesc.c): xact_time 8 bytes, then, if the record has info,
// xinfo and what it announces.
func (d *mainData) ended(info uint8, into []uint32) []uint32 {
	if info&pgformat.InfoXactHasInfo == 0 {
		return into
	}
	d.skip(8)
	xinfo := d.uint32()
	if xinfo&xinfoHasDBInfo != 0 {
		d.skip(8) // database and tablespace
	}
	if xinfo&xinfoHasSubxacts == 0 {
		return into
	}
	return d.list(into)
}
