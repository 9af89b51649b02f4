package calibrate

import (
	"os"
	"runtime/debug"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
)

const (
	segmentBytes = 16 << 20
	segmentChunk = 1 << 20 // of zeros, written again and again
	// seldom is the number of rounds between two samples of what takes long.
	seldom = 8
)

// addSegments adds the making of a segment in memory. Every log begins with memory that
// the system has to bring, so each sample does.
func (b *bench) addSegments() {
	b.add("segment", 1, func(int) (took simtime.Duration, err error) {
		debug.FreeOSMemory() // that of the segment before
		start := b.p.Now()
		_, err = newSegment(vfs.NewMem(), "segment")
		return b.p.Now().Sub(start), err
	})
	b.named["segment"].every = seldom
}

// newSegment makes a segment as the log does.
func newSegment(fsys vfs.FS, name string) (vfs.File, error) {
	f, err := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return f, fillSegment(f, 0)
}

var zeros [segmentChunk]byte

// fillSegment fills the segment of f that begins there with zeros.
func fillSegment(f vfs.File, from int64) error {
	for at := int64(0); at < segmentBytes; at += segmentChunk {
		if _, err := f.WriteAt(zeros[:], from+at); err != nil {
			return err
		}
	}
	return nil
}
