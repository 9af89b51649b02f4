package loadgen

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
)

// maxLineBytes bounds a line of a trace file. A row needs less than 1 kB;
// ignored columns may need more.
const maxLineBytes = 1 << 20

// What can be wrong with a line as such.
var (
	errLineLength = errors.New("line longer than 1 MiB: not a trace")
	errQuote      = errors.New("a quoted field does not end on its line")
)

// lines reads a text file, gzip-compressed or not, line by line in bounded
// memory.
type lines struct {
	in     *bufio.Reader
	number int // of the current line, from 1
	fields [][]byte
}

// newLines looks at the first two bytes to tell whether r is compressed.
func newLines(r io.Reader) (*lines, error) {
	file := bufio.NewReader(r)
	magic, err := file.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var plain io.Reader = file
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		if plain, err = gzip.NewReader(file); err != nil {
			return nil, err
		}
	}
	return &lines{in: bufio.NewReaderSize(plain, maxLineBytes)}, nil
}

// next returns the next line without its end, valid until the next call;
// io.EOF at the end.
func (l *lines) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	if err == io.EOF {
		return nil, io.EOF
	}
	l.number++
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, errLineLength
	}
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), err
}

// row returns the fields of the next line that is not empty; empty lines may
// stand only at the end of the file. Fields are valid until the next call.
func (l *lines) row() ([][]byte, error) {
	line, err := l.next()
	if err != nil {
		return nil, err
	}
	if len(line) == 0 {
		return l.onlyEmpty()
	}
	l.fields, err = splitFields(line, l.fields[:0])
	return l.fields, err
}

// onlyEmpty reads empty lines to the end of the file. A row behind one is
// reported as the empty line itself: a row with one empty field.
func (l *lines) onlyEmpty() ([][]byte, error) {
	first := l.number
	for {
		line, err := l.next()
		if err != nil {
			return nil, err
		}
		if len(line) > 0 {
			l.number = first
			return append(l.fields[:0], nil), nil
		}
	}
}

// splitFields appends the fields of a line of CSV (RFC 4180) to into. Quoted
// fields lose their quotes in place, in line itself.
func splitFields(line []byte, into [][]byte) ([][]byte, error) {
	for {
		if len(line) == 0 || line[0] != '"' {
			field, rest, more := bytes.Cut(line, []byte{','})
			into = append(into, field)
			if !more {
				return into, nil
			}
			line = rest
			continue
		}
		field, rest, err := quoted(line)
		if err != nil {
			return into, err
		}
		into = append(into, field)
		if len(rest) == 0 {
			return into, nil
		}
		line = rest[1:]
	}
}

// quoted cuts the quoted field that line starts with. rest is empty or starts
// with the comma behind it.
func quoted(line []byte) (field, rest []byte, err error) {
	field = line[:0]
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			field = append(field, line[i])
			continue
		}
		if i+1 == len(line) || line[i+1] == ',' {
			return field, line[i+1:], nil
		}
		if line[i+1] != '"' {
			break
		}
		field = append(field, '"')
		i++
	}
	return nil, nil, errQuote
}

// names copies the fields of a header line.
func names(fields [][]byte) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f)
	}
	if len(out) > 0 {
		out[0] = string(bytes.TrimPrefix(fields[0], []byte("\xef\xbb\xbf"))) // byte order mark
	}
	return slices.Clip(out)
}
