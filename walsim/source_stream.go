package walsim

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/walbench/walbench/internal/vfs"
)

// segmentStream is one segment file open for reading, plain or compressed with
// gzip. The zero value is closed.
type segmentStream struct {
	file vfs.File
	zip  *gzip.Reader // nil for a plain file
	at   int64        // how far the compressed stream has been read
	cut  string       // why the compressed stream ended before its end
}

// open opens the file at path. What it holds is told by its first bytes.
func (s *segmentStream) open(fsys vfs.FS, path string) error {
	f, err := openRead(fsys, path)
	if err != nil {
		return err
	}
	*s = segmentStream{file: f}
	var head [4]byte
	if _, err := f.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return errors.Join(err, s.close())
	}
	// RFC 1952: two id bytes, method 8, flags with three reserved bits. That many
	// bits keep an encrypted page from looking like it.
	if head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && head[3]&0xe0 == 0 {
		if err := s.rewind(); err != nil {
			return errors.Join(err, s.close())
		}
	}
	return nil
}

// rewind starts the compressed stream from its beginning.
func (s *segmentStream) rewind() error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	s.at, s.cut = 0, ""
	zip, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(s.file, 0, size), 64<<10))
	if err != nil {
		s.zip = new(gzip.Reader) // never read, since the stream is cut
		return s.damaged(err)
	}
	s.zip = zip
	return nil
}

// damaged takes a broken compressed stream for a file that ends there, and
// passes other errors on.
func (s *segmentStream) damaged(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, gzip.ErrHeader) ||
		errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		s.cut = fmt.Sprintf("the compressed file is damaged (%v)", err)
		return nil
	}
	return err
}

// read reads len(buf) bytes of the segment from offset off on, fewer only where
// the file ends.
func (s *segmentStream) read(buf []byte, off int64) (int, error) {
	if s.zip != nil {
		return s.readZip(buf, off)
	}
	n, err := s.file.ReadAt(buf, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (s *segmentStream) readZip(buf []byte, off int64) (int, error) {
	if off < s.at {
		if err := s.rewind(); err != nil {
			return 0, err
		}
	}
	for s.at < off {
		n, more, err := s.readPiece(buf[:min(int64(len(buf)), off-s.at)])
		if n == 0 && !more {
			return 0, err
		}
	}
	got := 0
	for got < len(buf) {
		n, more, err := s.readPiece(buf[got:])
		got += n
		if !more {
			return got, err
		}
	}
	return got, nil
}

// readPiece reads some bytes of the compressed stream. more is false where it
// ends.
func (s *segmentStream) readPiece(buf []byte) (n int, more bool, err error) {
	if s.cut != "" {
		return 0, false, nil
	}
	n, err = s.zip.Read(buf)
	s.at += int64(n)
	if err == io.EOF { // the plain end; damage is wrapped or another error
		return n, false, nil
	}
	if err != nil {
		return n, false, s.damaged(err)
	}
	return n, true, nil
}

func (s *segmentStream) close() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	*s = segmentStream{}
	return f.Close()
}
