package walsim

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Errors of input that cannot be read as a log at all, returned wrapped.
var (
	ErrNoSegments    = errors.New("no WAL segment files (want names with 24 hexadecimal digits)")
	ErrNoHeader      = errors.New("no segment file begins with a WAL page header, so the segment size is unknown")
	ErrTwoLogs       = errors.New("segment files of more than one log")
	ErrUnknownFormat = errors.New("not a log of a known version (known page magics: " +
		"0xd110 of PostgreSQL 15, 0xd113 of 16, 0xd116 of 17, 0xd118 of 18), or the wrong key")
)

// segmentFile is one segment of a log and where it is stored.
type segmentFile struct {
	path  string
	name  string // the 24 digits
	segno uint64
}

// segmentSource is the set of files that a log is read from: the segments of one
// timeline, in order, perhaps with gaps.
type segmentSource struct {
	fs    vfs.FS
	size  pgformat.SegmentSize
	tli   uint32
	files []segmentFile
	other int // segments of other timelines, left out
}

// segmentDigits finds the segment name in a file's base name: the only run of
// exactly 24 upper-case hexadecimal digits, perhaps with text around it.
func segmentDigits(base string) (string, bool) {
	notHex := func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'F') }
	for _, run := range strings.FieldsFunc(base, notHex) {
		if len(run) == 24 {
			return run, true
		}
	}
	return "", false
}

// listDir lists the segments in a folder: files called like a segment, or so
// with .gz behind. Everything else there (control, keys, .partial, .history, a
// file still being made) is not part of the log.
func listDir(fsys vfs.FS, dir string) ([]segmentFile, error) {
	infos, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []segmentFile
	for _, info := range infos {
		name := strings.TrimSuffix(info.Name, ".gz")
		if !info.Dir && pgformat.IsSegmentName(name) {
			files = append(files, segmentFile{path: filepath.Join(dir, info.Name), name: name})
		}
	}
	return files, nil
}

// listFiles checks a list of files given by name.
func listFiles(fsys vfs.FS, paths []string) ([]segmentFile, error) {
	var files []segmentFile
	for _, path := range paths {
		name, ok := segmentDigits(filepath.Base(path))
		if !ok {
			return nil, fmt.Errorf("%s: %w", path, pgformat.ErrSegmentName)
		}
		if _, err := fsys.Stat(path); err != nil {
			return nil, err
		}
		files = append(files, segmentFile{path: path, name: name})
	}
	return files, nil
}

// newSource puts files in order. Without a control file the segment size comes
// from the first page header found and the timeline from the first name. Files
// of another timeline are left out and counted if they lay in the folder, and
// are an error if they were asked for by name.
func newSource(fsys vfs.FS, files []segmentFile, control *Control, dec strategies.Decoder, named bool) (*segmentSource, error) {
	s := &segmentSource{fs: fsys}
	slices.SortFunc(files, func(a, b segmentFile) int { return cmp.Compare(a.name, b.name) })
	switch {
	case control != nil:
		s.size, s.tli = control.SegSize, control.TLI
	case len(files) == 0:
		return nil, ErrNoSegments
	default:
		var err error
		if s.size, err = detectSize(fsys, files, dec); err != nil {
			return nil, err
		}
		if s.tli, _, err = s.size.ParseName(files[0].name); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		if err := s.add(f, named); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *segmentSource) add(f segmentFile, named bool) error {
	tli, segno, err := s.size.ParseName(f.name)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", f.path, ErrTwoLogs, err)
	}
	if tli != s.tli {
		if named {
			return fmt.Errorf("%s: timeline %d, the first file's is %d: %w", f.path, tli, s.tli, ErrTwoLogs)
		}
		s.other++
		return nil
	}
	if n := len(s.files); n > 0 && s.files[n-1].segno == segno {
		return fmt.Errorf("%s and %s: the same segment twice: %w", s.files[n-1].path, f.path, ErrTwoLogs)
	}
	f.segno = segno
	s.files = append(s.files, f)
	return nil
}

// find returns the file of segment segno.
func (s *segmentSource) find(segno uint64) (segmentFile, bool) {
	i, ok := slices.BinarySearchFunc(s.files, segno, func(f segmentFile, n uint64) int {
		return cmp.Compare(f.segno, n)
	})
	if !ok {
		return segmentFile{}, false
	}
	return s.files[i], true
}

// after lists the segments behind segno.
func (s *segmentSource) after(segno uint64) []segmentFile {
	i, found := slices.BinarySearchFunc(s.files, segno, func(f segmentFile, n uint64) int {
		return cmp.Compare(f.segno, n)
	})
	if found {
		i++
	}
	return s.files[i:]
}

// detectSize finds the segment size in the first files' page headers.
func detectSize(fsys vfs.FS, files []segmentFile, dec strategies.Decoder) (pgformat.SegmentSize, error) {
	var unknown error
	page := make([]byte, pgformat.PageSize)
	for _, f := range files {
		n, err := readFirstPage(fsys, f.path, page)
		if err != nil {
			return 0, err
		}
		if n < pgformat.LongHeaderSize || isZero(page) {
			continue
		}
		size, err := headerSegmentSize(f.name, page, dec)
		if err == nil {
			return size, nil
		}
		if unknown == nil {
			unknown = fmt.Errorf("%s: %w", f.path, err)
		}
	}
	if unknown != nil {
		return 0, unknown
	}
	return 0, fmt.Errorf("%s: %w", files[0].path, ErrNoHeader)
}

// readFirstPage reads up to a page from the start of a segment file.
func readFirstPage(fsys vfs.FS, path string, page []byte) (int, error) {
	var s segmentStream
	if err := s.open(fsys, path); err != nil {
		return 0, err
	}
	defer s.close()
	n, err := s.read(page, 0)
	clear(page[n:])
	return n, err
}

// headerSegmentSize reads the segment size from a segment's first page. Some
// designs encrypt page headers too, by a position that depends on the size: so
// each size is tried, and the one whose page then names itself is right. A clear
// header that does not (of a recycled segment) is believed too.
func headerSegmentSize(name string, raw []byte, dec strategies.Decoder) (pgformat.SegmentSize, error) {
	page := make([]byte, pgformat.PageSize)
	for size := pgformat.MinSegmentSize; size <= pgformat.MaxSegmentSize; size *= 2 {
		tli, segno, err := size.ParseName(name)
		if err != nil {
			continue
		}
		at := size.Start(segno)
		copy(page, raw)
		if dec != nil {
			dec.Page(tli, at, page)
		}
		h, err := pgformat.DecodePageHeader(page)
		if err == nil && h.PageAddr == at && pgformat.SegmentSize(h.SegSize) == size {
			return size, nil
		}
	}
	h, err := pgformat.DecodePageHeader(raw)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnknownFormat, err)
	}
	size := pgformat.SegmentSize(h.SegSize)
	return size, size.Check()
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// openRead opens a file for reading.
func openRead(fsys vfs.FS, path string) (vfs.File, error) { return fsys.OpenFile(path, os.O_RDONLY, 0) }
