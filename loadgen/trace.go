package loadgen

import (
	"fmt"
	"io"
	"os"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Trace is a recorded log without content: which records, of which lengths and
// blocks, in which transactions. Content comes from the seed, main data is
// zero. The file format is CSV with a header line, compressed by gzip or not:
//
//	start_lsn, end_lsn   LSNs of the record's first byte and behind it (padded to 8)
//	xid                  transaction id, 0 if it has none
//	rmgr, record_type    as pg_waldump names them
//	record_length        xl_tot_len in bytes
//	main_data_length     bytes of main data
//	fpi_length           bytes of page images as stored, of all blocks together
//	fpi_count            number of page images
//	blocks               references rN:BLOCK, F behind it for an image, by spaces
//
// The order of columns is free and others are ignored; rows stand in the order
// of the log.
type Trace struct {
	name      string
	file      string
	table     table
	deals     transactions
	notes     []string
	realBytes int64
}

// openTrace loads trace:FILE.
func openTrace(name, file string, o Options) (Workload, error) {
	if file == "" {
		return nil, &InputError{File: name, Want: "the name of a trace file behind the colon"}
	}
	in, err := openFile(o.FS, file)
	if err != nil {
		return nil, err
	}
	defer in.close()
	t, err := loadTrace(name, file, in)
	if err != nil {
		return nil, in.blame(err)
	}
	return t, nil
}

// loadTrace reads a trace; file is its name for errors.
func loadTrace(name, file string, r io.Reader) (*Trace, error) {
	rows, err := parseTrace(file, r)
	if err != nil {
		return nil, err
	}
	t := &Trace{name: name, file: file, table: rows}
	switches, group := 0, newGrouper()
	for i := range rows.rows {
		row := &rows.rows[i]
		t.realBytes += int64(row.length)
		if isSwitch(row.rmid, row.info) {
			switches++
			continue
		}
		group.add(member{index: uint32(i), xid: row.xid, rmid: row.rmid, info: row.info})
	}
	t.deals = group.finish()
	if t.deals.count() == 0 {
		return nil, &InputError{File: file, Err: errOnlySwitches}
	}
	t.notes = append(t.deals.notes(), switchNotes(switches)...)
	if gaps := rows.gaps(); gaps > 0 {
		t.notes = append(t.notes, fmt.Sprintf("%d gaps between its records: not the whole log", gaps))
	}
	return t, nil
}

// gaps counts places where a row does not begin where the row before ended.
func (t *table) gaps() int {
	n := 0
	for i := 1; i < len(t.rows); i++ {
		end, start := t.rows[i-1].end, t.rows[i].start
		header := end.PageOffset() == 0 &&
			(start == end+pgformat.ShortHeaderSize || start == end+pgformat.LongHeaderSize)
		if start != end && !header {
			n++
		}
	}
	return n
}

// Name is the spelling the trace was opened with.
func (t *Trace) Name() string { return t.name }

// UnitsWithoutCommit implements [Workload].
func (t *Trace) UnitsWithoutCommit() bool { return t.deals.withoutCommit }

// Notes implements [Workload].
func (t *Trace) Notes() []string { return named(t.name, t.notes) }

// Records is the number of records in the trace.
func (t *Trace) Records() int { return len(t.table.rows) }

// RealBytes is the sum of the record lengths (xl_tot_len) in bytes.
func (t *Trace) RealBytes() int64 { return t.realBytes }

// Transactions is the number of transactions or units, after which the trace
// starts again.
func (t *Trace) Transactions() int { return t.deals.count() }

// Source implements [Workload].
func (t *Trace) Source(o SourceOptions) Source {
	checkUpdater(o.Updater, o.Updaters)
	return &traceSource{
		trace: t, deal: newDeal(o.Updater, o.Updaters, t.deals.count()),
		content: newContent(o), spec: newTraceSpec(),
	}
}

type traceSource struct {
	trace   *Trace
	deal    deal
	content content
	spec    pgformat.Spec
}

func (s *traceSource) Next() {
	s.deal.next()
	s.content.next()
}

func (s *traceSource) Build(tx *walsim.Tx, _ pgformat.LSN) { s.build(tx) }

func (s *traceSource) buildFor(to sink, _ pgformat.LSN) { s.build(to) }

func (s *traceSource) build(to sink) {
	for i, row := range s.trace.deals.at(s.deal.current) {
		s.trace.table.spec(int(row), &s.spec)
		to.Add(&s.spec, s.content.of(i))
	}
}

// inputFile reads a file from its start and remembers whether the file system
// failed, which is not the file's fault.
type inputFile struct {
	name   string
	file   vfs.File
	reader io.Reader
	failed error
}

func openFile(fsys vfs.FS, name string) (*inputFile, error) {
	if info, err := fsys.Stat(name); err != nil {
		return nil, openError(name, err)
	} else if info.Dir {
		return nil, &InputError{File: name, Want: "a trace file, not a folder"}
	}
	file, err := fsys.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, openError(name, err)
	}
	return &inputFile{name: name, file: file, reader: io.NewSectionReader(file, 0, 1<<62)}, nil
}

func (f *inputFile) Read(b []byte) (int, error) {
	n, err := f.reader.Read(b)
	if err != nil && err != io.EOF {
		f.failed = err
	}
	return n, err
}

// blame turns an error of the parser into one of the file system if that is
// what it was.
func (f *inputFile) blame(err error) error {
	if f.failed != nil {
		return fmt.Errorf("read %s: %w", f.name, f.failed)
	}
	return err
}

// close has nothing to report: the file was only read.
func (f *inputFile) close() { _ = f.file.Close() }
