package strategies

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/walbench/walbench/internal/vfs"
)

// KeyID numbers the keys of a key file from 1.
type KeyID uint32

// StartKey is the random 256-bit key of one start. It never formats as its
// value.
type StartKey struct{ secret [32]byte }

// newStartKey draws a key.
func newStartKey() *StartKey {
	k := new(StartKey)
	rand.Read(k.secret[:]) // never fails
	return k
}

// String keeps the key out of logs.
func (k *StartKey) String() string { return "start key (secret)" }

// GoString keeps the key out of %#v.
func (k *StartKey) GoString() string { return k.String() }

// derive returns the cipher key for suite s: HKDF-SHA256 (RFC 5869) of the
// start key, so that two ciphers never share a key. The implementations of one
// do: their keystream is the same.
func (k *StartKey) derive(s *Suite) []byte {
	key, err := hkdf.Key(sha256.New, k.secret[:], nil, "walbench log "+s.Cipher, s.KeySize)
	if err != nil {
		panic("strategies: " + err.Error()) // only for a key size beyond HKDF's range
	}
	return key
}

// MasterKey wraps the start keys of a log. It never formats as its value.
type MasterKey struct{ secret []byte } // 16, 24 or 32 bytes

// String keeps the key out of logs.
func (k *MasterKey) String() string { return "master key (secret)" }

// GoString keeps the key out of %#v.
func (k *MasterKey) GoString() string { return k.String() }

// MasterKeyName is the name of the key file that a run without
// --master-key-file leaves in the log's folder.
const MasterKeyName = "master.key"

// Errors of reading a master key.
var (
	ErrMasterKeyFormat = errors.New("master key must be one line of 32, 48 or 64 hexadecimal digits")
	ErrMasterKeyMode   = errors.New("master key file is readable by others: chmod 600 it")
)

// NewMasterKey draws a 256-bit master key.
func NewMasterKey() *MasterKey {
	k := &MasterKey{secret: make([]byte, 32)}
	rand.Read(k.secret) // never fails
	return k
}

// ReadMasterKey reads a master-key file: one line of hexadecimal digits, not
// readable by group or others.
func ReadMasterKey(fsys vfs.FS, name string) (*MasterKey, error) {
	info, err := fsys.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode&0o077 != 0 {
		return nil, fmt.Errorf("%s: mode %04o: %w", name, info.Mode.Perm(), ErrMasterKeyMode)
	}
	text, err := vfs.ReadFile(fsys, name, 256)
	if err != nil {
		return nil, err
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	secret, err := hex.DecodeString(line)
	if err != nil || (len(secret) != 16 && len(secret) != 24 && len(secret) != 32) {
		return nil, fmt.Errorf("%s: %w", name, ErrMasterKeyFormat) // never the content
	}
	return &MasterKey{secret: secret}, nil
}

// WriteMasterKey leaves the key in dir under MasterKeyName, mode 0600.
func WriteMasterKey(fsys vfs.FS, dir string, k *MasterKey) error {
	text := hex.EncodeToString(k.secret) + "\n"
	return vfs.WriteFileAtomic(fsys, filepath.Join(dir, MasterKeyName), []byte(text), fs.FileMode(0o600))
}
