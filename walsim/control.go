package walsim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// ControlName is the control file's name in a log's folder.
const ControlName = "control"

// ErrControl is returned, wrapped, for a control file of which neither copy can
// be read.
var ErrControl = errors.New("damaged control file: neither of its two copies is whole")

// Control is what a log's control file says: which log it is and which part of
// it has to be there. All of [OldestLSN, DurableLSN) must be readable; behind
// it the log may end anywhere.
type Control struct {
	SysID      uint64
	TLI        uint32
	SegSize    pgformat.SegmentSize
	StartLSN   pgformat.LSN // the log's first record
	OldestLSN  pgformat.LSN // nothing below is kept
	DurableLSN pgformat.LSN // end of a whole record that has been synced
	RedoLSN    pgformat.LSN // redo pointer of the last checkpoint
}

// The file holds two copies, written in turn, so that a write that is cut short
// leaves the older one. They stand a page apart: no sector or page of a disk
// holds both.
const (
	controlSlotSize = 512
	controlSlotStep = 4096
	controlCRC      = controlSlotSize - 4
	controlMagic    = 0x31304C5443424C57 // "WLBCTL01", little endian
)

// encodeControl writes one copy of c, the seq-th written, to dst[:512].
//
//	0        8        16       24    28   32       40       48       56       64
//	+--------+--------+--------+-----+----+--------+--------+--------+--------+
//	| magic  | seq    | sysid  | tli | 0  | segsize| start  | oldest | durable|
//	+--------+--------+--------+-----+----+--------+--------+--------+--------+
//	64       72                                                  508      512
//	+--------+---------------------------------------------------+--------+
//	| redo   | zeros                                             | CRC-32C|
//	+--------+---------------------------------------------------+--------+
//
// Little endian; the CRC covers all bytes before it.
func encodeControl(dst []byte, seq uint64, c *Control) {
	le := binary.LittleEndian
	clear(dst[:controlSlotSize])
	le.PutUint64(dst[0:], controlMagic)
	le.PutUint64(dst[8:], seq)
	le.PutUint64(dst[16:], c.SysID)
	le.PutUint32(dst[24:], c.TLI)
	le.PutUint64(dst[32:], uint64(c.SegSize))
	le.PutUint64(dst[40:], uint64(c.StartLSN))
	le.PutUint64(dst[48:], uint64(c.OldestLSN))
	le.PutUint64(dst[56:], uint64(c.DurableLSN))
	le.PutUint64(dst[64:], uint64(c.RedoLSN))
	le.PutUint32(dst[controlCRC:], pgformat.CRC(0, dst[:controlCRC]))
}

// decodeControl reads one copy; ok is false if it is not whole.
func decodeControl(src []byte) (seq uint64, c Control, ok bool) {
	le := binary.LittleEndian
	if le.Uint64(src) != controlMagic || le.Uint32(src[controlCRC:]) != pgformat.CRC(0, src[:controlCRC]) {
		return 0, Control{}, false
	}
	c = Control{
		SysID: le.Uint64(src[16:]), TLI: le.Uint32(src[24:]),
		SegSize:  pgformat.SegmentSize(le.Uint64(src[32:])),
		StartLSN: pgformat.LSN(le.Uint64(src[40:])), OldestLSN: pgformat.LSN(le.Uint64(src[48:])),
		DurableLSN: pgformat.LSN(le.Uint64(src[56:])), RedoLSN: pgformat.LSN(le.Uint64(src[64:])),
	}
	return le.Uint64(src[8:]), c, c.SegSize.Check() == nil
}

// LoadControl reads the control file in the folder dir: the newer of its whole
// copies. Without the file the error is fs.ErrNotExist, wrapped, and ErrControl
// if no copy is whole.
func LoadControl(fsys vfs.FS, dir string) (Control, error) {
	f, err := fsys.OpenFile(filepath.Join(dir, ControlName), os.O_RDONLY, 0)
	if err != nil {
		return Control{}, err
	}
	defer f.Close()
	_, c, err := readControl(f)
	return c, err
}

// readControl returns the newer whole copy and its sequence number.
func readControl(f vfs.File) (seq uint64, c Control, err error) {
	var buf [controlSlotSize]byte
	found := false
	for slot := range int64(2) {
		n, err := f.ReadAt(buf[:], slot*controlSlotStep)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, Control{}, err
		}
		clear(buf[n:])
		if s, d, ok := decodeControl(buf[:]); ok && (!found || s > seq) {
			seq, c, found = s, d, true
		}
	}
	if !found {
		return 0, Control{}, fmt.Errorf("%s: %w", f.Name(), ErrControl)
	}
	return seq, c, nil
}

// ControlFile is a control file open for writing. It is not safe for concurrent
// use: the log writes it under its serialising lock.
type ControlFile struct {
	file vfs.File
	seq  uint64 // of the copy written last
	buf  []byte // one copy
}

// CreateControl makes the control file in the folder dir, durable under its name
// before it returns. If there is one already the error is fs.ErrExist, wrapped.
func CreateControl(fsys vfs.FS, dir string, c Control) (*ControlFile, error) {
	name := filepath.Join(dir, ControlName)
	if exists, err := vfs.Exists(fsys, name); err != nil {
		return nil, err
	} else if exists {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrExist)
	}
	data := make([]byte, 2*controlSlotStep)
	encodeControl(data[controlSlotStep:], 1, &c)
	if err := vfs.WriteFileAtomic(fsys, name, data, 0o600); err != nil {
		return nil, err
	}
	f, _, err := OpenControl(fsys, dir)
	return f, err
}

// OpenControl opens the control file in the folder dir for writing and returns
// what it says. Errors are those of LoadControl.
func OpenControl(fsys vfs.FS, dir string) (*ControlFile, Control, error) {
	f, err := fsys.OpenFile(filepath.Join(dir, ControlName), os.O_RDWR, 0)
	if err != nil {
		return nil, Control{}, err
	}
	seq, c, err := readControl(f)
	if err != nil {
		return nil, Control{}, errors.Join(err, f.Close())
	}
	return &ControlFile{file: f, seq: seq, buf: make([]byte, controlSlotSize)}, c, nil
}

// Write makes c what the control file says, durably. Copy number seq goes to
// slot seq mod 2, so a write never touches the newest whole copy. After an error
// either c or what was there before may be found; the caller stops using the
// log. It does not allocate.
func (f *ControlFile) Write(c Control) error {
	f.seq++
	encodeControl(f.buf, f.seq, &c)
	if _, err := f.file.WriteAt(f.buf, int64(f.seq%2)*controlSlotStep); err != nil {
		return err
	}
	return f.file.Sync()
}

// Close closes the file. Everything written is durable already.
func (f *ControlFile) Close() error { return f.file.Close() }
