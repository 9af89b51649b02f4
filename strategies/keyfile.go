package strategies

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// KeyFileName is the name of the key file in a log's folder.
const KeyFileName = "keys"

// keySchema names the key file's format; maxKeyFile bounds what is read.
const (
	keySchema  = "walbench.keys/1"
	maxKeyFile = 16 << 20
)

// Errors of the key file, wrapped with the file's name and the entry.
var (
	ErrKeyFile   = errors.New("key file damaged")
	ErrMasterKey = errors.New("wrong master key, or key file tampered with")
)

// Range is one entry of the key file: from StartLSN on, until the next range of
// the timeline, the log was written by Strategy with Suite under key KeyID.
type Range struct {
	KeyID    KeyID  `json:"key_id"`
	Strategy string `json:"strategy"`
	Suite    string `json:"suite"` // "" for designs without a cipher
	Timeline uint32 `json:"timeline"`
	StartLSN string `json:"start_lsn"` // X/Y in hexadecimal
	// Nonce and Wrapped are the start key under the master key: AES-GCM, with
	// everything above as associated data. Hexadecimal, "" without a cipher.
	Nonce   string `json:"wrap_nonce"`
	Wrapped string `json:"wrapped_key"`
}

type keyFile struct {
	Schema string  `json:"schema"`
	Ranges []Range `json:"ranges"`
}

// associated is what the wrapping authenticates besides the key: the whole
// entry, so that no field can be changed without the master key.
func (r *Range) associated() []byte {
	return fmt.Appendf(nil, "%s|%d|%q|%q|%d|%s", keySchema, r.KeyID, r.Strategy, r.Suite, r.Timeline, r.StartLSN)
}

// start is StartLSN as a number.
func (r *Range) start() (pgformat.LSN, error) { return pgformat.ParseLSN(r.StartLSN) }

func (k *MasterKey) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// wrap stores key in the entry.
func (r *Range) wrap(master *MasterKey, key *StartKey) error {
	aead, err := master.aead()
	if err != nil {
		return err
	}
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	r.Nonce = hex.EncodeToString(nonce)
	r.Wrapped = hex.EncodeToString(aead.Seal(nil, nonce, key.secret[:], r.associated()))
	return nil
}

// unwrap is the reverse of wrap.
func (r *Range) unwrap(master *MasterKey) (*StartKey, error) {
	nonce, errN := hex.DecodeString(r.Nonce)
	wrapped, errW := hex.DecodeString(r.Wrapped)
	aead, err := master.aead()
	if err := errors.Join(errN, errW, err); err != nil {
		return nil, fmt.Errorf("key %d: %w: %w", r.KeyID, ErrKeyFile, err)
	}
	if len(nonce) != aead.NonceSize() {
		return nil, fmt.Errorf("key %d: wrap nonce of %d bytes, want %d: %w", r.KeyID, len(nonce), aead.NonceSize(), ErrKeyFile)
	}
	secret, err := aead.Open(nil, nonce, wrapped, r.associated())
	if err != nil {
		return nil, fmt.Errorf("key %d: %w", r.KeyID, ErrMasterKey)
	}
	key := new(StartKey)
	copy(key.secret[:], secret)
	clear(secret)
	return key, nil
}

// readKeyFile reads the ranges of the log in dir.
func readKeyFile(fsys vfs.FS, dir string) ([]Range, error) {
	name := filepath.Join(dir, KeyFileName)
	text, err := vfs.ReadFile(fsys, name, maxKeyFile)
	if err != nil {
		return nil, err
	}
	f, err := parseKeyFile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrKeyFile, err)
	}
	return f.Ranges, nil
}

// parseKeyFile checks the schema first, so that a file of a later version is
// called that and not a broken one.
func parseKeyFile(text []byte) (f keyFile, err error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return f, err
	}
	if head.Schema != keySchema {
		return f, fmt.Errorf("schema %q, want %q", head.Schema, keySchema)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return f, err
	}
	last := KeyID(0)
	for i := range f.Ranges {
		r := &f.Ranges[i]
		if _, err := r.start(); err != nil {
			return f, fmt.Errorf("range %d: %w", i+1, err)
		}
		if r.KeyID <= last {
			return f, fmt.Errorf("range %d: key id %d behind %d, want them to rise", i+1, r.KeyID, last)
		}
		last = r.KeyID
	}
	return f, nil
}

// writeKeyFile replaces the key file durably.
func writeKeyFile(fsys vfs.FS, dir string, ranges []Range) error {
	text, err := json.MarshalIndent(keyFile{Schema: keySchema, Ranges: ranges}, "", "  ")
	if err != nil {
		return err
	}
	return vfs.WriteFileAtomic(fsys, filepath.Join(dir, KeyFileName), append(text, '\n'), 0o600)
}
