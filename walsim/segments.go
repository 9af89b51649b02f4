package walsim

import (
	"errors"
	"os"

	"github.com/walbench/walbench/simtime"
)

// prepare is the helper process of a device: it makes segments until told to
// stop. Its first error ends it; the flush that needs the missing segment
// reports it.
func (d *device) prepare(p simtime.Proc) {
	p.Lock(d.mu)
	defer p.Unlock(d.mu)
	for {
		for !d.stop && (d.err != nil || d.ready >= d.wanted) {
			p.Wait(d.wake)
		}
		if d.stop {
			return
		}
		segno, spare := d.ready, d.takeSpare()
		p.Unlock(d.mu)
		err := d.makeSegment(p, segno, spare)
		p.Lock(d.mu)
		if err == nil {
			d.ready++
		} else {
			d.err = err
		}
		p.Broadcast(d.wake)
	}
}

func (d *device) takeSpare() string {
	if len(d.spare) == 0 {
		return ""
	}
	name := d.spare[0]
	d.spare = d.spare[1:]
	return name
}

// makeSegment brings segment segno into being, durably and under its final name
// only when it is whole: a recycled file with its old content, or a new one full
// of zeros.
func (d *device) makeSegment(p simtime.Proc, segno uint64, spare string) error {
	fsys, name := d.opts.FS, d.path(segno)
	if spare == "" {
		spare = name + ".tmp"
		if err := d.fill(p, spare); err != nil {
			return errors.Join(err, ignoreMissing(fsys.Remove(spare)))
		}
	}
	if !d.keeps {
		return nil
	}
	if err := fsys.Rename(spare, name); err != nil {
		return err
	}
	return fsys.SyncDir(d.opts.Dir)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// zeroChunk is written again and again to fill a segment.
var zeroChunk [1 << 20]byte

// fill makes a new segment. Where bytes are only counted it takes its time and leaves
// nothing.
func (d *device) fill(p simtime.Proc, name string) error {
	if d.keeps {
		return d.writeZeros(p, name)
	}
	for off := int64(0); off < int64(d.opts.SegmentSize); off += int64(len(zeroChunk)) {
		fillChunk(p)
	}
	return nil
}

// fillChunk charges for a chunk of zeros, and lets others go on meanwhile.
func fillChunk(p simtime.Proc) {
	p.Meter().Segment(len(zeroChunk))
	p.Sync()
}

func (d *device) writeZeros(p simtime.Proc, name string) (err error) {
	f, err := d.opts.FS.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for off := int64(0); off < int64(d.opts.SegmentSize); off += int64(len(zeroChunk)) {
		if _, err := f.WriteAt(zeroChunk[:], off); err != nil {
			return err
		}
		fillChunk(p)
	}
	return f.Sync()
}
