package loadgen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Limits of a trace: a row takes 48 bytes of memory and a block reference 12.
const (
	maxTraceRecords = 1 << 24
	maxTraceBlocks  = 1 << 26
)

// column is a column of a trace file that is needed.
type column int

const (
	colStart column = iota
	colEnd
	colXid
	colRmgr
	colType
	colLength
	colMain
	colImageBytes
	colImages
	colBlocks
	numColumns
)

var columnNames = [numColumns]string{
	"start_lsn", "end_lsn", "xid", "rmgr", "record_type", "record_length",
	"main_data_length", "fpi_length", "fpi_count", "blocks",
}

// traceParser turns the text of a trace into a table. It is used once, in one
// place.
type traceParser struct {
	file  string
	lines *lines
	width int             // columns in the header line
	at    [numColumns]int // where each needed column stands
	kinds map[string]map[string]recordKind
	spec  pgformat.Spec
	table table

	fields [][]byte // of the current row
	err    error    // first one of the current row
}

type recordKind struct{ rmid, info uint8 }

// parseTrace reads a whole trace. file is its name for errors.
func parseTrace(file string, r io.Reader) (table, error) {
	p := &traceParser{file: file, kinds: map[string]map[string]recordKind{}, spec: newTraceSpec()}
	var err error
	if p.lines, err = newLines(r); err != nil {
		return table{}, &InputError{File: file, Err: err}
	}
	if err := p.header(); err != nil {
		return table{}, err
	}
	for {
		fields, err := p.lines.row()
		if err == io.EOF {
			break
		}
		if err != nil {
			return table{}, p.broken(err)
		}
		if err := p.row(fields); err != nil {
			return table{}, err
		}
	}
	if len(p.table.rows) == 0 {
		return table{}, &InputError{File: file, Err: errors.New("no records in it: nothing to replay")}
	}
	return p.table, nil
}

// broken is the error for a line that cannot be read.
func (p *traceParser) broken(err error) error {
	return &InputError{File: p.file, Line: p.lines.number, Err: err}
}

// header finds the columns by their names.
func (p *traceParser) header() error {
	fields, err := p.lines.row()
	if err == io.EOF {
		return &InputError{File: p.file, Err: errors.New("empty file: want a CSV header line")}
	}
	if err != nil {
		return p.broken(err)
	}
	found := map[string]int{}
	for i, name := range names(fields) {
		if _, twice := found[name]; twice {
			return &InputError{File: p.file, Line: 1, Column: cut(name), Value: cut(name), Want: "each column once"}
		}
		found[name] = i
	}
	var missing []string
	for c, name := range columnNames {
		at, ok := found[name]
		if !ok {
			missing = append(missing, name)
		}
		p.at[c] = at
	}
	if len(missing) > 0 {
		return &InputError{File: p.file, Line: 1, Err: fmt.Errorf(
			"no column %s in the header line: not a trace (see walbench capture)", strings.Join(missing, ", "))}
	}
	p.width = len(fields)
	return nil
}

// row adds one row to the table.
func (p *traceParser) row(fields [][]byte) error {
	if len(fields) != p.width {
		return &InputError{File: p.file, Line: p.lines.number,
			Err: fmt.Errorf("%d columns, want %d as in the header line", len(fields), p.width)}
	}
	if len(p.table.rows) == maxTraceRecords {
		return &InputError{File: p.file, Line: p.lines.number,
			Err: fmt.Errorf("more than %d records: cut the trace", maxTraceRecords)}
	}
	p.fields, p.err = fields, nil
	kind := p.kind()
	row := traceRow{
		start: p.lsn(colStart), end: p.lsn(colEnd), xid: uint32(p.number(colXid, 0, 1<<32-1)),
		rmid: kind.rmid, info: kind.info,
		length:     uint32(p.number(colLength, pgformat.RecordHeaderSize, pgformat.MaxRecordSize)),
		mainLen:    uint32(p.number(colMain, 0, pgformat.MaxRecordSize)),
		imageBytes: uint32(p.number(colImageBytes, 0, pgformat.MaxBlocks*pgformat.PageSize)),
		images:     uint8(p.number(colImages, 0, pgformat.MaxBlocks)),
	}
	if p.err == nil {
		p.blockRefs(&row)
	}
	if p.err == nil {
		p.checkOrder(&row)
		p.checkImages(&row)
	}
	if p.err == nil {
		p.place(row)
	}
	return p.err
}

// place appends the row to the table and makes sure that it becomes a record of
// exactly the recorded length.
func (p *traceParser) place(row traceRow) {
	if row.blocks == 0 {
		row.mainLen = withoutBlocks(row.length, row.mainLen)
	}
	p.table.rows = append(p.table.rows, row)
	rest := p.table.spec(len(p.table.rows)-1, &p.spec)
	if rest != 0 {
		p.fail(colLength, fmt.Sprintf("%d with these blocks, images and main data (or blocks to hold the difference)",
			int(row.length)-rest))
		return
	}
	if err := p.spec.Check(); err != nil {
		p.err = &InputError{File: p.file, Line: p.lines.number, Err: err}
	}
}

// withoutBlocks is the main data length of a record without block references.
// Its recorded length may hold more than the recorded main data: replication
// origin (3 bytes) and top-level transaction id (5 bytes) headers, which a trace
// does not tell; they become main data.
func withoutBlocks(length, mainLen uint32) uint32 {
	body := int(length) - pgformat.RecordHeaderSize
	switch body - int(mainLen) - pgformat.MainHeaderLen(int(mainLen)) {
	case 3, 5, 3 + 5:
	default:
		return mainLen
	}
	short := pgformat.MainHeaderLen(1)
	if body <= math.MaxUint8+short {
		return uint32(body - short)
	}
	return uint32(body - pgformat.MainHeaderLen(math.MaxUint8+1))
}

// checkOrder: rows stand in the order of the log.
func (p *traceParser) checkOrder(row *traceRow) {
	if row.end <= row.start {
		p.fail(colEnd, "more than start_lsn "+row.start.String())
	}
	if n := len(p.table.rows); n > 0 && row.start < p.table.rows[n-1].end {
		p.fail(colStart, "at least the end_lsn of the row before, "+p.table.rows[n-1].end.String())
	}
}

// checkImages: count, blocks and bytes of images agree.
func (p *traceParser) checkImages(row *traceRow) {
	marked := 0
	for _, b := range p.table.blocks[row.firstBlock:] {
		if b.image {
			marked++
		}
	}
	low, high := uint32(row.images), uint32(row.images)*pgformat.PageSize
	switch {
	case int(row.images) != marked:
		p.fail(colImages, fmt.Sprintf("%d, the blocks marked F", marked))
	case row.imageBytes < low || row.imageBytes > high:
		p.fail(colImageBytes, fmt.Sprintf("%d to %d for %d page images", low, high, row.images))
	}
}

// kind looks up resource manager and record type. Names seen before cost no
// allocation.
func (p *traceParser) kind() recordKind {
	rmgr, typ := p.field(colRmgr), p.field(colType)
	if kind, ok := p.kinds[string(rmgr)][string(typ)]; ok {
		return kind
	}
	rmid, info, ok := pgformat.ParseRecordType(string(rmgr), string(typ))
	if !ok || len(typ) == 0 {
		p.fail(colType, fmt.Sprintf("a record type of resource manager %q, as PostgreSQL 15 to 18 name them", cut(string(rmgr))))
		return recordKind{}
	}
	if p.kinds[string(rmgr)] == nil {
		p.kinds[string(rmgr)] = map[string]recordKind{}
	}
	p.kinds[string(rmgr)][string(typ)] = recordKind{rmid, info}
	return recordKind{rmid, info}
}

func (p *traceParser) field(c column) []byte { return p.fields[p.at[c]] }

// fail notes that column c is wrong, unless something was before.
func (p *traceParser) fail(c column, want string) {
	if p.err == nil {
		p.err = &InputError{File: p.file, Line: p.lines.number, Column: columnNames[c],
			Value: cut(string(p.field(c))), Want: want}
	}
}

func (p *traceParser) number(c column, low, high uint64) uint64 {
	n, ok := parseNumber(p.field(c))
	if !ok || n < low || n > high {
		p.fail(c, fmt.Sprintf("a whole number from %d to %d", low, high))
		return low
	}
	return n
}

func (p *traceParser) lsn(c column) pgformat.LSN {
	lsn, err := pgformat.ParseLSN(string(p.field(c)))
	if err != nil {
		p.fail(c, "an LSN HEX/HEX, such as 0/1A2B3C")
	}
	return lsn
}

// parseNumber reads decimal digits, at most ten of them.
func parseNumber(b []byte) (n uint64, ok bool) {
	if len(b) == 0 || len(b) > 10 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// cut shortens a value for an error line.
func cut(s string) string {
	const readable = 60
	if len(s) > readable {
		return s[:readable] + "..."
	}
	return s
}

// blockRefs reads the block references of a row.
func (p *traceParser) blockRefs(row *traceRow) {
	row.firstBlock = uint32(len(p.table.blocks))
	rest := p.field(colBlocks)
	for len(rest) > 0 && p.err == nil {
		ref, after, _ := bytes.Cut(rest, []byte{' '})
		block, ok := parseBlockRef(ref)
		switch {
		case !ok:
			p.fail(colBlocks, fmt.Sprintf("references rN[f|v|i]:BLOCK[F], not %q", cut(string(ref))))
		case row.blocks == pgformat.MaxBlocks:
			p.fail(colBlocks, fmt.Sprintf("at most %d references", pgformat.MaxBlocks))
		case len(p.table.blocks) == maxTraceBlocks:
			p.fail(colBlocks, fmt.Sprintf("at most %d references in a trace: cut it", maxTraceBlocks))
		}
		p.table.blocks = append(p.table.blocks, block)
		row.blocks++
		rest = after
	}
}
