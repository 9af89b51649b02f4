package walsim

import (
	"errors"
	"io/fs"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// ReaderOptions say which log to read.
type ReaderOptions struct {
	FS vfs.FS

	// Dir is a folder that holds segment files under PostgreSQL's names (with or
	// without .gz behind) and perhaps a control file. Segments of other timelines
	// than the log's are left out and counted.
	Dir string
	// Files are segment files instead of a folder, in any order, plain or
	// compressed with gzip. Their base names hold the segment name, perhaps with
	// text around it.
	Files []string

	Decoder strategies.Decoder // nil: the log is not encrypted
}

// Reader reads a log record by record, in order, with bounded memory: a few
// hundred kilobytes and the largest record. It never fails on what a log may
// hold; where the records end and in which way is its [End]. A Reader is not
// safe for concurrent use.
type Reader struct {
	src     *segmentSource
	control *Control // nil: a log without control file
	dec     strategies.Decoder
	scan    recordScanner

	parsed  pgformat.Record
	trailer int
	added   bool

	stats ReaderStats
	end   End
	done  bool
	err   error
}

// ReaderStats counts what a reader has read so far.
type ReaderStats struct {
	FirstLSN      pgformat.LSN // of the first record; 0: none
	Segments      int          // segment files that hold pages of the log
	OtherSegments int          // files of other timelines, left out
	Pages         int64        // pages with a valid header
	Records       int64
	AddedRecords  int64 // of these, written by the encryption design itself
	StoredBytes   int64 // sum of xl_tot_len
	RealBytes     int64 // the same without what the design added
	Images        int64
	ImageBytes    int64
	SkippedBytes  int64 // of records cut off at the start, or overwritten

	ContinuedPages int64 // pages that begin with the rest of a record
}

// OpenReader opens the log for reading, at its first record. Input that is no
// log at all is an error: nothing there (ErrNoSegments), no page header
// (ErrNoHeader), a version that is not known (ErrUnknownFormat), segments that
// do not belong together (ErrTwoLogs), a damaged control file (ErrControl).
func OpenReader(o ReaderOptions) (*Reader, error) {
	files, control, err := listInput(o)
	if err != nil {
		return nil, err
	}
	src, err := newSource(o.FS, files, control, o.Decoder, len(o.Files) > 0)
	if err != nil {
		return nil, err
	}
	r := &Reader{src: src, control: control, dec: o.Decoder}
	r.scan = newScanner(src, o.Decoder, readChunk)
	r.scan.pages.stats = &r.stats
	r.stats.OtherSegments = src.other
	if control != nil {
		r.scan.pages.sysID, r.scan.pages.lastTLI = control.SysID, control.TLI
	}
	return r, nil
}

func listInput(o ReaderOptions) ([]segmentFile, *Control, error) {
	if len(o.Files) > 0 {
		files, err := listFiles(o.FS, o.Files)
		return files, nil, err
	}
	files, err := listDir(o.FS, o.Dir)
	if err != nil {
		return nil, nil, err
	}
	c, err := LoadControl(o.FS, o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil, nil
	}
	return files, &c, err
}

// start places the scanner at the first record: in the oldest segment that has
// to be there, or in the first there is.
func (r *Reader) start() (bool, error) {
	if r.control != nil {
		size := r.src.size
		return r.scan.begin(size.Start(size.Segno(r.control.OldestLSN)))
	}
	return r.scan.begin(r.src.size.Start(r.src.files[0].segno))
}

// Next returns the next record, plain, with what the design added still at its
// end, and its LSN. ok is false at the end of the log. err is an I/O error, and
// sticks. The bytes are valid until the next call; the caller may change them.
func (r *Reader) Next() (rec []byte, lsn pgformat.LSN, ok bool, err error) {
	if r.done || r.err != nil {
		return nil, 0, false, r.err
	}
	for {
		rec, ok, err = r.read()
		if err != nil || !ok && !r.resume() {
			break
		}
		if ok {
			r.count()
			return rec, r.scan.start, true, nil
		}
	}
	if err == nil {
		err = r.finish()
	}
	r.done, r.err = true, err
	return nil, 0, false, err
}

// read reads the next record and decrypts it.
func (r *Reader) read() ([]byte, bool, error) {
	if r.scan.next == 0 {
		if ok, err := r.start(); !ok {
			return nil, false, err
		}
	}
	rec, ok, err := r.scan.read()
	if !ok {
		return nil, false, err
	}
	if err := r.decode(rec); err != nil {
		return nil, r.scan.fail(faultBad, r.scan.bad, "%v", err), nil
	}
	return rec, true, nil
}

// decode decrypts rec in place and takes it apart.
func (r *Reader) decode(rec []byte) (err error) {
	r.trailer = 0
	if r.dec != nil {
		if r.trailer, err = r.dec.Record(r.src.tli, r.scan.start, rec); err != nil {
			return err
		}
	}
	if err := pgformat.ParseRecord(rec, &r.parsed); err != nil {
		return err
	}
	return r.checkTrailer()
}

// resume goes on at the oldest LSN that has to be there if what could not be
// read lies below it. The log need not be whole there.
func (r *Reader) resume() bool {
	if r.control == nil || r.scan.bad >= r.control.OldestLSN {
		return false
	}
	r.scan.next, r.scan.prev = r.src.size.RecordStart(r.control.OldestLSN), 0
	return true
}

// count takes the record just read into the statistics.
func (r *Reader) count() {
	s := &r.stats
	if s.Records == 0 {
		s.FirstLSN = r.scan.start
	}
	s.Records++
	s.StoredBytes += int64(r.parsed.Header.TotLen)
	s.Images += int64(r.parsed.Images)
	s.ImageBytes += int64(r.parsed.ImageBytes)
	r.end.LSN = r.scan.end
	if r.added {
		s.AddedRecords++
		return
	}
	s.RealBytes += int64(r.parsed.RealLen(r.trailer))
}

// Trailer is how many bytes the design added at the end of the current record's
// main data.
func (r *Reader) Trailer() int { return r.trailer }

// Added says whether the design wrote the current record itself: an XLOG/NOOP
// record whose main data is all trailer. None of its bytes are real bytes.
func (r *Reader) Added() bool { return r.added }

// Header is the current record's header, as stored.
func (r *Reader) Header() pgformat.RecordHeader { return r.parsed.Header }

// Parsed is the current record taken apart, valid until the next call of Next.
func (r *Reader) Parsed() *pgformat.Record { return &r.parsed }

// EndLSN is the end of the current record, rounded up to 8: a trace's end_lsn.
func (r *Reader) EndLSN() pgformat.LSN { return r.scan.end }

// End says how the log ends. It is complete once Next has returned false.
func (r *Reader) End() End { return r.end }

// Stats is what has been read so far.
func (r *Reader) Stats() ReaderStats {
	s := r.stats
	s.SkippedBytes = r.scan.skipped
	return s
}

// SegmentSize is the size of the log's segments.
func (r *Reader) SegmentSize() pgformat.SegmentSize { return r.src.size }

// TLI is the log's timeline.
func (r *Reader) TLI() uint32 { return r.src.tli }

// Major is the PostgreSQL major version of the log's format, for
// pgformat.RecordType; 0 before the first record.
func (r *Reader) Major() int { return pgformat.MajorVersion(r.scan.pages.magic) }

// Control is what the log's control file says, nil without one.
func (r *Reader) Control() *Control { return r.control }

// Close closes the file being read.
func (r *Reader) Close() error { return r.scan.pages.close() }
