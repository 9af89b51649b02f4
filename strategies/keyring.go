package strategies

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Keyring is the key file of one log folder, with the master key that opens it.
// It is not safe for concurrent use.
type Keyring struct {
	fsys   vfs.FS
	dir    string
	master *MasterKey
	ranges []Range
}

// OpenKeyring reads the key file of the log in dir; one that does not exist yet
// is an empty one. master may be nil as long as no range has a key.
func OpenKeyring(fsys vfs.FS, dir string, master *MasterKey) (*Keyring, error) {
	ranges, err := readKeyFile(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Keyring{fsys: fsys, dir: dir, master: master, ranges: ranges}, nil
}

// Ranges returns the entries of the key file, without keys.
func (k *Keyring) Ranges() []Range {
	out := append([]Range(nil), k.ranges...)
	for i := range out {
		out[i].Nonce, out[i].Wrapped = "", ""
	}
	return out
}

// NeedsMaster says whether a range of the log is under a key.
func (k *Keyring) NeedsMaster() bool {
	for i := range k.ranges {
		if k.ranges[i].Suite != "" {
			return true
		}
	}
	return false
}

// WritePlainKeys makes the key file of a folder whose log, from start on, is in
// clear: what a decrypted copy of a log needs, since a log without key file
// cannot be told from one that lost it.
func WritePlainKeys(fsys vfs.FS, dir string, tli uint32, start pgformat.LSN) error {
	return writeKeyFile(fsys, dir, []Range{{
		KeyID: 1, Strategy: "none", Timeline: tli, StartLSN: start.String(),
	}})
}

// StartOptions say what a start writes with, and from where on.
type StartOptions struct {
	Design      *Design
	Suite       *Suite // nil for ModeNone
	TLI         uint32
	StartLSN    pgformat.LSN
	SegmentSize pgformat.SegmentSize
}

// Start opens the design for a new start of the log: it draws a fresh random
// key, makes it durable under the master key, and only then hands out the
// instance that encrypts with it.
func (k *Keyring) Start(o StartOptions) (Instance, error) {
	r := Range{
		KeyID: k.nextID(), Strategy: o.Design.Name,
		Timeline: o.TLI, StartLSN: o.StartLSN.String(),
	}
	s := Start{KeyID: r.KeyID, TLI: o.TLI, StartLSN: o.StartLSN, SegmentSize: o.SegmentSize}
	if o.Design.Mode != ModeNone {
		r.Suite = o.Suite.Name
		s.Suite, s.Key = o.Suite, newStartKey()
		if err := r.wrap(k.master, s.Key); err != nil {
			return nil, err
		}
	}
	ranges := append(append([]Range(nil), k.ranges...), r)
	if err := writeKeyFile(k.fsys, k.dir, ranges); err != nil {
		return nil, err
	}
	k.ranges = ranges
	return o.Design.New(s)
}

// nextID is a key id above all in use: a record with an old id must never find a
// new key.
func (k *Keyring) nextID() KeyID {
	if n := len(k.ranges); n > 0 {
		return k.ranges[n-1].KeyID + 1
	}
	return 1
}

// Decoder returns what reads the log back, for segments of size seg. Every key
// is unwrapped here, so a wrong master key is found before anything is read. A
// log without a cipher gives nil: nothing to undo.
func (k *Keyring) Decoder(seg pgformat.SegmentSize) (Decoder, error) {
	d := &ringDecoder{records: map[KeyID]RecordDecoder{}}
	for i := range k.ranges {
		if err := d.add(k, &k.ranges[i], seg); err != nil {
			return nil, fmt.Errorf("%s: %w", KeyFileName, err)
		}
	}
	return d, nil
}

// KeysUsed is the number of ranges under a key.
func (k *Keyring) KeysUsed() int {
	n := 0
	for i := range k.ranges {
		if k.ranges[i].Suite != "" {
			n++
		}
	}
	return n
}
