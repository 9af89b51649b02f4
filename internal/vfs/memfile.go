package vfs

import (
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"
)

// memChunk is the unit in which a file in memory grows, in bytes: small enough
// for control files, large enough that a segment is a short table.
const memChunk = 64 << 10

// memMaxSize bounds a file's length in bytes, so that a wild offset is an error
// and not a table that eats the memory.
const memMaxSize = 64 << 30

// memData is a file's content: a table of chunks, where nil reads as zeros.
//
// Writes into existing chunks and reads hold the lock shared, so they run side
// by side (callers keep off each other's ranges); whatever changes the table or
// the length holds it alone. Bytes of the last chunk beyond size are zero.
type memData struct {
	mu     sync.RWMutex
	size   int64
	chunks []*[memChunk]byte
}

func (d *memData) length() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.size
}

// readAt follows io.ReaderAt.
func (d *memData) readAt(p []byte, off int64) (int, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(p) == 0 {
		return 0, nil
	}
	if off >= d.size {
		return 0, io.EOF
	}
	want := min(int64(len(p)), d.size-off)
	for n := int64(0); n < want; {
		at := (off + n) % memChunk
		piece := p[n:min(want, n+memChunk-at)]
		if c := d.chunks[(off+n)/memChunk]; c != nil {
			copy(piece, c[at:])
		} else {
			clear(piece)
		}
		n += int64(len(piece))
	}
	if want < int64(len(p)) {
		return int(want), io.EOF
	}
	return len(p), nil
}

func (d *memData) writeAt(p []byte, off int64) error {
	if len(p) == 0 || d.overwrite(p, off) {
		return nil
	}
	end := off + int64(len(p))
	if end > memMaxSize || end < 0 {
		return syscall.EFBIG
	}
	d.extend(p, off)
	return nil
}

// overwrite writes p if every byte of it falls on a chunk that is there.
func (d *memData) overwrite(p []byte, off int64) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if off > d.size-int64(len(p)) {
		return false
	}
	for i := off / memChunk; i <= (off+int64(len(p))-1)/memChunk; i++ {
		if d.chunks[i] == nil {
			return false
		}
	}
	d.put(p, off)
	return true
}

// extend writes p after making the file long enough and the chunks it needs.
func (d *memData) extend(p []byte, off int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	end := off + int64(len(p))
	d.resize(max(d.size, end))
	d.fill(d.chunks[off/memChunk : (end-1)/memChunk+1])
	d.put(p, off)
}

// fill makes the chunks that are missing, all in one allocation: those of a
// segment that is filled with zeros are thousands, and would count as the log's.
func (d *memData) fill(chunks []*[memChunk]byte) {
	var slab []byte
	for i, c := range chunks {
		if c != nil {
			continue
		}
		if len(slab) == 0 {
			slab = make([]byte, memChunk*(len(chunks)-i))
		}
		chunks[i], slab = (*[memChunk]byte)(slab), slab[memChunk:]
	}
}

// put copies p into chunks that are there. The caller holds the lock.
func (d *memData) put(p []byte, off int64) {
	for len(p) > 0 {
		n := copy(d.chunks[off/memChunk][off%memChunk:], p)
		p, off = p[n:], off+int64(n)
	}
}

func (d *memData) truncate(size int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resize(size)
}

// resize sets the length and fits the table to it. The caller holds the lock
// alone.
func (d *memData) resize(size int64) {
	need := int((size + memChunk - 1) / memChunk)
	if have := len(d.chunks); need > have {
		d.chunks = append(d.chunks, make([]*[memChunk]byte, need-have)...)
	} else {
		clear(d.chunks[need:])
		d.chunks = d.chunks[:need]
	}
	if size < d.size && size%memChunk != 0 {
		if c := d.chunks[need-1]; c != nil {
			clear(c[size%memChunk:])
		}
	}
	d.size = size
}

// memFile is one opening of a file.
type memFile struct {
	data     *memData
	name     string
	readable bool
	writable bool
	closed   atomic.Bool
}

// check returns the reason why op cannot be done on f, if there is one.
func (f *memFile) check(op string, allowed bool, off int64) error {
	switch {
	case f.closed.Load():
		return pathError(op, f.name, fs.ErrClosed)
	case !allowed:
		return pathError(op, f.name, syscall.EBADF)
	case off < 0:
		return pathError(op, f.name, syscall.EINVAL)
	}
	return nil
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.check("read", f.readable, off); err != nil {
		return 0, err
	}
	return f.data.readAt(p, off)
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.check("write", f.writable, off); err != nil {
		return 0, err
	}
	if err := f.data.writeAt(p, off); err != nil {
		return 0, pathError("write", f.name, err)
	}
	return len(p), nil
}

func (f *memFile) Truncate(size int64) error {
	if err := f.check("truncate", f.writable, size); err != nil {
		return err
	}
	if size > memMaxSize {
		return pathError("truncate", f.name, syscall.EFBIG)
	}
	f.data.truncate(size)
	return nil
}

func (f *memFile) Sync() error { return f.check("sync", true, 0) }

func (f *memFile) Size() (int64, error) {
	if err := f.check("stat", true, 0); err != nil {
		return 0, err
	}
	return f.data.length(), nil
}

func (f *memFile) Close() error {
	if f.closed.Swap(true) {
		return pathError("close", f.name, fs.ErrClosed)
	}
	return nil
}

func (f *memFile) Name() string { return f.name }
