package calibrate

import (
	"errors"
	"os"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Sizes in bytes of writes: a page, and a flush of worst-case.
const (
	pageWrite  = pgformat.PageSize
	flushWrite = flushPages * pgformat.PageSize
)

// segmentsAhead is how many segments are filled behind the one that is written to: as
// many as a log makes ahead.
const segmentsAhead = 2

// addWrites adds writes of pages that are in the caches to a segment in memory, at
// places that move on. It was filled before the next ones were, as a log's is.
func (b *bench) addWrites() error {
	f, err := newSegment(vfs.NewMem(), "memory")
	if err != nil {
		return err
	}
	for _, n := range []int{pageWrite, flushWrite} {
		b.add(sized("write", n), flushesOfSample*flushWrite/n, func(count int) (took simtime.Duration, err error) {
			for i := range int64(1 + segmentsAhead) {
				if err := fillSegment(f, i*segmentBytes); err != nil {
					return 0, err
				}
			}
			data := b.nextFlush()[:n]
			copy(data, b.ring) // it has just been filled
			start := b.p.Now()
			for i := range int64(count) {
				if _, err := f.WriteAt(data, i*int64(n)); err != nil {
					return 0, err
				}
			}
			return b.p.Now().Sub(start), nil
		})
		b.named[sized("write", n)].every = seldom
	}
	return nil
}

// flushesOfSample is how many flushes of worst-case a sample of writes is as long as.
const flushesOfSample = 20

// next is where a write of n bytes behind the one at `at` goes, round the file.
func next(at int64, n int) int64 {
	if at += int64(n); at+int64(n) > ringBytes {
		return 0
	}
	return at
}

// syncsPerSample is small: a sync can take a millisecond.
const syncsPerSample = 3

// addDevice adds syncs of a file that is made and filled before: PostgreSQL does
// not extend files when it flushes, and nor does the log. The file is removed when
// the bench is closed.
func (b *bench) addDevice(fsys vfs.FS, name string) error {
	f, err := openFilled(fsys, name, b.ring)
	if f != nil {
		b.closers = append(b.closers, func() error { return errors.Join(f.Close(), fsys.Remove(name)) })
	}
	if err != nil {
		return err
	}
	for _, n := range []int{pageWrite, flushWrite} {
		d := &syncs{p: b.p, file: f, data: b.ring[:n]}
		b.add(sized("sync", n), syncsPerSample, d.time)
	}
	return nil
}

// syncs times the syncs of writes of one size, at places that move on.
type syncs struct {
	p    simtime.Proc
	file vfs.File
	data []byte
	at   int64
}

// time leaves the first sync out: the disk, and the processor that waits for it,
// have been asleep.
func (d *syncs) time(count int) (took simtime.Duration, err error) {
	if _, err := d.one(); err != nil {
		return 0, err
	}
	for range count {
		t, err := d.one()
		if err != nil {
			return 0, err
		}
		took += t
	}
	return took, nil
}

func (d *syncs) one() (simtime.Duration, error) {
	if _, err := d.file.WriteAt(d.data, d.at); err != nil {
		return 0, err
	}
	d.at = next(d.at, len(d.data))
	start := d.p.Now()
	err := d.file.Sync()
	return d.p.Now().Sub(start), err
}

// openFilled makes a file of these bytes, and syncs it.
func openFilled(fsys vfs.FS, name string, data []byte) (vfs.File, error) {
	f, err := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := f.WriteAt(data, 0); err != nil {
		return f, err
	}
	return f, f.Sync()
}
