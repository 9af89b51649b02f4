package walsim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// ErrOutput is returned, wrapped, for an output folder that holds something.
var ErrOutput = errors.New("the output folder is not empty; name a new or an empty one")

// WritePlain reads the whole log and writes it, decrypted, to the folder out:
// segment files of full size under their own names, each record at its LSN with
// its length and trailer, its CRC computed anew, everything behind the last
// whole record zero; and control and key file, if the log has a control file. out is created,
// or must be empty (ErrOutput). Each file is durable under its name once it is
// there. After an error out holds whole segments only, but not all.
func WritePlain(o ReaderOptions, out string) (sum Summary, err error) {
	r, err := OpenReader(o)
	if err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := makeOutput(o.FS, out); err != nil {
		return Summary{}, err
	}
	w := &plainWriter{fs: o.FS, dir: out, size: r.src.size, tli: r.src.tli}
	defer func() { err = errors.Join(err, w.abort()) }()
	r.scan.pages.onPage = w.page
	err = r.each(func(rec RecoveredRecord) error {
		pgformat.FinishCRC(rec.Rec, pgformat.CRC(0, rec.Rec[pgformat.RecordHeaderSize:]))
		return w.record(rec.LSN, rec.EndLSN, r.scan.next, rec.Rec)
	})
	if err == nil {
		err = w.finish(r.end.LSN)
	}
	if err == nil && r.control != nil {
		err = errors.Join(copyControl(o.FS, out, *r.control),
			strategies.WritePlainKeys(o.FS, out, r.control.TLI, r.control.StartLSN))
	}
	return r.summary(), err
}

func makeOutput(fsys vfs.FS, out string) error {
	if err := fsys.MkdirAll(out, 0o755); err != nil {
		return err
	}
	empty, err := vfs.IsEmptyDir(fsys, out)
	if err == nil && !empty {
		err = fmt.Errorf("%s: %w", out, ErrOutput)
	}
	return err
}

func copyControl(fsys vfs.FS, out string, c Control) error {
	f, err := CreateControl(fsys, out, c)
	if err != nil {
		return err
	}
	return f.Close()
}

// plainWriter writes pages in the log's order. It keeps the pages of the record
// being read, since the record's plain bytes come later than its pages and go
// back into them; pages that only belong to a torn record are never written.
type plainWriter struct {
	fs   vfs.FS
	dir  string
	size pgformat.SegmentSize
	tli  uint32

	window []byte // whole pages
	at     pgformat.LSN
	err    error // of page, which cannot return it

	file  vfs.File // the segment being written, nil: none
	segno uint64
}

// page takes the next page. Behind a switch record, and where reading resumed,
// pages are left out: they stay zero.
func (w *plainWriter) page(at pgformat.LSN, page []byte) {
	end := w.at + pgformat.LSN(len(w.window))
	switch {
	case len(w.window) > 0 && at >= w.at && at < end:
		copy(w.window[at-w.at:], page)
		return
	case len(w.window) > 0 && at != end:
		w.err = errors.Join(w.err, w.flush(len(w.window)))
	}
	if len(w.window) == 0 {
		w.at = at
	}
	w.window = append(w.window, page...)
}

// record puts the plain record that lies from lsn to end back into its pages,
// clears what a switch leaves between it and LSN next, where the next record is
// looked for, and writes the pages that are complete by it.
func (w *plainWriter) record(lsn, end, next pgformat.LSN, rec []byte) error {
	if w.err != nil {
		return w.err
	}
	for at := lsn; len(rec) > 0; at = w.size.RecordStart(at.Page() + pgformat.PageSize) {
		room := pgformat.PageSize - at.PageOffset()
		rec = rec[copy(w.window[at-w.at:][:room], rec):]
	}
	windowEnd := w.at + pgformat.LSN(len(w.window))
	if next > end {
		clear(w.window[end-w.at:])
	}
	return w.flush(int(min(next.Page(), windowEnd) - w.at))
}

// finish writes what is left up to LSN end, where the last record ends, and
// completes the last segment.
func (w *plainWriter) finish(end pgformat.LSN) error {
	if w.err != nil {
		return w.err
	}
	if end > w.at {
		filled := min(int(end-w.at), len(w.window))
		whole := min(int((end - w.at + pgformat.PageSize - 1).Page()), len(w.window))
		clear(w.window[filled:whole])
		if err := w.flush(whole); err != nil {
			return err
		}
	}
	return w.complete()
}

// flush writes the first n bytes of the window and drops them.
func (w *plainWriter) flush(n int) error {
	for done := 0; done < n; {
		at := w.at + pgformat.LSN(done)
		segno := w.size.Segno(at)
		piece := min(n-done, int(w.size.Start(segno+1)-at))
		if err := w.openSegment(segno); err != nil {
			return err
		}
		if _, err := w.file.WriteAt(w.window[done:done+piece], w.size.Offset(at)); err != nil {
			return err
		}
		done += piece
	}
	w.window = w.window[:copy(w.window, w.window[n:])]
	w.at += pgformat.LSN(n)
	return nil
}

func (w *plainWriter) path(segno uint64) string {
	return filepath.Join(w.dir, w.size.Name(w.tli, segno))
}

// openSegment makes segment segno the one being written.
func (w *plainWriter) openSegment(segno uint64) error {
	if w.file != nil && w.segno == segno {
		return nil
	}
	if err := w.complete(); err != nil {
		return err
	}
	f, err := w.fs.OpenFile(w.path(segno)+".tmp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w.file, w.segno = f, segno
	return f.Truncate(int64(w.size))
}

// complete makes the segment being written durable under its own name.
func (w *plainWriter) complete() error {
	if w.file == nil {
		return nil
	}
	name := w.path(w.segno)
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.fs.Rename(name+".tmp", name); err != nil {
		return err
	}
	f := w.file
	w.file = nil
	return errors.Join(f.Close(), w.fs.SyncDir(w.dir))
}

// abort removes a segment that has not been completed.
func (w *plainWriter) abort() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return errors.Join(err, w.fs.Remove(w.path(w.segno)+".tmp"))
}
