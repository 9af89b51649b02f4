package walsim

import (
	"errors"

	"github.com/walbench/walbench/walsim/pgformat"
)

// RecoveredRecord is one record read back. Everything in it is valid only until
// the function it was handed to returns.
type RecoveredRecord struct {
	Rec         []byte // plain, trailer included
	LSN, EndLSN pgformat.LSN
	Trailer     int  // bytes at the end of Rec that the design added
	Added       bool // the design wrote the whole record (see Reader.Added)
	Parsed      *pgformat.Record
}

// Summary is the outcome of reading a whole log.
type Summary struct {
	ReaderStats
	End   End
	Major int // PostgreSQL major version of the format; 0: no page read
	TLI   uint32
}

// Recover reads the whole log and hands each record to each (nil: just read).
// An error of each ends the reading and is returned as it is; other errors are
// those of OpenReader and of I/O. Where the log ends is in the summary, never an
// error.
func Recover(o ReaderOptions, each func(RecoveredRecord) error) (Summary, error) {
	r, err := OpenReader(o)
	if err != nil {
		return Summary{}, err
	}
	err = r.each(each)
	return r.summary(), errors.Join(err, r.Close())
}

func (r *Reader) each(f func(RecoveredRecord) error) error {
	for {
		rec, lsn, ok, err := r.Next()
		if err != nil || !ok {
			return err
		}
		if f == nil {
			continue
		}
		err = f(RecoveredRecord{
			Rec: rec, LSN: lsn, EndLSN: r.EndLSN(), Trailer: r.trailer, Added: r.added, Parsed: &r.parsed,
		})
		if err != nil {
			return err
		}
	}
}

func (r *Reader) summary() Summary {
	return Summary{ReaderStats: r.Stats(), End: r.end, Major: r.Major(), TLI: r.src.tli}
}
