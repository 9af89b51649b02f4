package walsim

import (
	"errors"
	"fmt"

	"github.com/walbench/walbench/walsim/pgformat"
)

// EndKind says in which way a log ends.
type EndKind uint8

// The ends of a log.
const (
	// EndClean: the place where the next record would begin has not been written
	// yet.
	EndClean EndKind = iota
	// EndTorn: something is there that is not a whole record, where a crash may
	// leave such a thing: the log ends before it.
	EndTorn
	// EndDamaged: a place cannot be read that has to be readable, by the control
	// file or because later records refer to it.
	EndDamaged
)

func (k EndKind) String() string {
	switch k {
	case EndClean:
		return "clean"
	case EndTorn:
		return "torn"
	case EndDamaged:
		return "damaged"
	}
	return fmt.Sprintf("EndKind(%d)", uint8(k))
}

// End is where and how a log ends.
type End struct {
	Kind EndKind
	// LSN is the end of the last whole record, rounded up to 8 (a trace's
	// end_lsn); without a record, the place where the first one would begin.
	LSN pgformat.LSN
	// Next is where the next record would begin: LSN, but for the page header
	// that may stand there, or the next segment after an XLOG SWITCH.
	Next   pgformat.LSN
	Damage *Damage // of EndDamaged
	Reason string  // what stands at Next; empty for a clean end
}

// Damage is a place that cannot be read and has to be.
type Damage struct {
	Segment string // segment file name, 24 digits
	Offset  int64  // bytes from its start
	Reason  string
}

// checkTrailer says whether what the design reports fits the record, and whether
// the record is the design's own.
func (r *Reader) checkTrailer() error {
	if r.trailer < 0 || r.trailer > r.parsed.MainLen {
		return fmt.Errorf("trailer of %d bytes in main data of %d: %w",
			r.trailer, r.parsed.MainLen, pgformat.ErrRecord)
	}
	h := &r.parsed.Header
	r.added = r.trailer > 0 && r.trailer == r.parsed.MainLen && len(r.parsed.Blocks) == 0 &&
		h.RMID == pgformat.RMXLog && h.Info&pgformat.InfoMask == pgformat.InfoXLogNoop
	return nil
}

// finish decides how the log ends, from the fault that stopped the scanner.
func (r *Reader) finish() error {
	f, bad := r.scan.fault, r.scan.bad
	unwritten := f.kind == faultUnwritten
	if f.kind == faultMissing && f.at == bad.Page() {
		unwritten = true // no record has begun: the segment was never made
	}
	r.end.Next = bad
	if r.stats.Records == 0 {
		r.end.LSN = bad
	}
	r.end.Kind, r.end.Reason = EndTorn, fmt.Sprintf("%v: %s", f.at, f.reason)
	if unwritten {
		r.end.Kind, r.end.Reason = EndClean, ""
	}
	why, err := r.mustBeReadable(bad)
	if err != nil || why == "" {
		return err
	}
	r.end.Kind = EndDamaged
	r.end.Damage = &Damage{
		Segment: r.src.size.Name(r.src.tli, r.src.size.Segno(f.at)),
		Offset:  r.src.size.Offset(f.at), Reason: f.reason + "; " + why,
	}
	r.end.Reason = r.end.Damage.Reason
	return nil
}

// mustBeReadable says why a record has to be readable at LSN bad; empty: it need
// not be.
func (r *Reader) mustBeReadable(bad pgformat.LSN) (string, error) {
	if r.control == nil {
		return r.evidence(bad)
	}
	if bad < r.control.DurableLSN {
		return fmt.Sprintf("the control file says the log is durable up to %v", r.control.DurableLSN), nil
	}
	return "", nil
}

// evidence looks in later segments for a record that was written after LSN bad
// had been: a valid one, on pages with their expected addresses, whose link to
// the record before it does not lead back beyond bad.
func (r *Reader) evidence(bad pgformat.LSN) (why string, err error) {
	later := r.src.after(r.src.size.Segno(bad))
	if len(later) == 0 {
		return "", nil
	}
	probe := newScanner(r.src, r.dec, probeChunk)
	defer func() { err = errors.Join(err, probe.pages.close()) }()
	probe.pages.magic = r.scan.pages.magic
	for _, f := range later {
		ok, err := probe.begin(r.src.size.Start(f.segno))
		if err != nil {
			return "", err
		}
		if !ok {
			continue
		}
		rec, ok, err := probe.read()
		if err != nil {
			return "", err
		}
		if ok && pgformat.DecodeRecordHeader(rec).Prev >= bad {
			return fmt.Sprintf("the log goes on in segment %s at %v", f.name, probe.start), nil
		}
	}
	return "", nil
}
