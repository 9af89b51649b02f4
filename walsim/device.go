package walsim

import (
	"os"
	"path/filepath"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// device is the segment files that a log is written to. Segments are made ahead
// of their use by a helper process: filled with zeros and synced, or recycled
// from ones that are no longer needed, so that a flush never extends a file.
// write and sync are called under the log's serial lock.
type device struct {
	opts  Options
	model simtime.Device // what is waited for; guarded by the log's serial lock
	// keeps: bytes are stored. Without it segments are only numbers.
	keeps bool

	current vfs.File // guarded by the log's serial lock, as are segno and inline
	segno   uint64
	inline  int64 // segments that a flush had to wait for

	unsynced int64 // bytes written since the last sync; likewise

	mu     *simtime.Mutex // guards what follows
	wake   *simtime.Cond
	ready  uint64 // segments below this number exist
	wanted uint64 // the helper makes segments below this number
	spare  []string
	err    error
	stop   bool
	helper simtime.Handle
}

func newDevice(o Options, keeps bool) *device {
	d := &device{opts: o, model: o.Device, keeps: keeps, mu: simtime.NewMutex(simtime.LockOther)}
	d.wake = simtime.NewCond(d.mu)
	return d
}

// open makes the first segments, beginning with segment first.
func (d *device) open(p simtime.Proc, first uint64) error {
	if d.opts.Discard {
		return nil
	}
	d.ready, d.segno = first, first
	d.wanted = first + 1 + uint64(d.opts.SegmentsAhead)
	d.helper = p.Spawn("segments", d.prepare)
	p.Lock(d.mu)
	for d.ready < d.wanted && d.err == nil {
		p.Wait(d.wake)
	}
	err := d.err
	p.Unlock(d.mu)
	if err != nil {
		return err
	}
	return d.openSegment(first)
}

func (d *device) path(segno uint64) string {
	return filepath.Join(d.opts.Dir, d.opts.SegmentSize.Name(d.opts.TLI, segno))
}

func (d *device) openSegment(segno uint64) error {
	if !d.keeps {
		d.segno = segno
		return nil
	}
	f, err := d.opts.FS.OpenFile(d.path(segno), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	d.current, d.segno = f, segno
	return nil
}

// write hands the pieces, together whole pages of one segment, to the device. They
// count as one write.
func (d *device) write(p simtime.Proc, at pgformat.LSN, pieces ...[]byte) error {
	m := p.Meter()
	defer m.Enter(m.Enter(simtime.PhaseWrite))
	n := 0
	for _, piece := range pieces {
		n += len(piece)
	}
	m.WriteCalls++
	m.WrittenBytes += int64(n)
	if d.opts.Discard {
		return nil
	}
	if segno := d.opts.SegmentSize.Segno(at); segno != d.segno {
		if err := d.advance(p, segno); err != nil {
			return err
		}
	}
	if d.keeps {
		if err := d.store(at, pieces); err != nil {
			return err
		}
	}
	d.unsynced += int64(n)
	p.Device(&d.model, simtime.DeviceWrite, int64(n))
	return nil
}

// store writes the pieces to the current segment, one behind the other.
func (d *device) store(at pgformat.LSN, pieces [][]byte) error {
	off := d.opts.SegmentSize.Offset(at)
	for _, piece := range pieces {
		if len(piece) == 0 {
			continue
		}
		if _, err := d.current.WriteAt(piece, off); err != nil {
			return err
		}
		off += int64(len(piece))
	}
	return nil
}

// sync makes the current segment durable.
func (d *device) sync(p simtime.Proc) error {
	m := p.Meter()
	defer m.Enter(m.Enter(simtime.PhaseSync))
	m.SyncCalls++
	if d.opts.Discard {
		p.Device(&d.model, simtime.DeviceSync, 0) // of no time, but for a what-if
		return nil
	}
	if d.keeps {
		if err := d.current.Sync(); err != nil {
			return err
		}
	}
	p.Device(&d.model, simtime.DeviceSync, d.unsynced)
	d.unsynced = 0
	return nil
}

// advance goes on to segment segno, the next one. The one before has been
// synced.
func (d *device) advance(p simtime.Proc, segno uint64) error {
	p.Lock(d.mu)
	d.wanted = segno + 1 + uint64(d.opts.SegmentsAhead)
	p.Broadcast(d.wake)
	if d.ready <= segno {
		d.inline++
	}
	for d.ready <= segno && d.err == nil {
		p.Wait(d.wake)
	}
	ready, err := d.ready, d.err
	p.Unlock(d.mu)
	if ready <= segno {
		return err
	}
	if d.keeps {
		if err := d.current.Close(); err != nil {
			return err
		}
	}
	return d.openSegment(segno)
}

// recycle hands the files of segments first to last-1 to the helper, to be
// renamed into segments to come.
func (d *device) recycle(p simtime.Proc, first, last uint64) {
	p.Lock(d.mu)
	defer p.Unlock(d.mu)
	for segno := first; segno < last; segno++ {
		d.spare = append(d.spare, d.path(segno))
	}
}

// close stops the helper and removes segments that were given up and not
// needed again.
func (d *device) close(p simtime.Proc) error {
	if d.helper == nil {
		return nil
	}
	p.Lock(d.mu)
	d.stop = true
	p.Broadcast(d.wake)
	p.Unlock(d.mu)
	d.helper.Join(p)
	var err error
	if d.current != nil {
		err = d.current.Close()
	}
	if !d.keeps {
		d.spare = nil
	}
	for _, name := range d.spare {
		if e := d.opts.FS.Remove(name); err == nil {
			err = e
		}
	}
	d.spare = nil
	return err
}
