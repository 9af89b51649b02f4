package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/walbench/walbench/internal/vfs"
)

// Errors of this file, returned wrapped with the file's name and what it holds.
var (
	ErrSchema    = errors.New("not a walbench run result that this version can read")
	ErrMalformed = errors.New("malformed result file")
	ErrSeed      = errors.New("seed does not fit a result file")
)

// maxFileBytes bounds what Read takes in: far more than any result has.
const maxFileBytes = 256 << 20

// filePerm is the mode of result files before the umask.
const filePerm fs.FileMode = 0o644

// Encode writes r as indented JSON with members in the order of the schema, one
// document with a line end. It puts the worst case first and nil lists right in
// r itself.
func Encode(w io.Writer, r *Run) error {
	data, err := encode(r)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func encode(r *Run) ([]byte, error) {
	if r.Config.Seed > MaxSeed {
		return nil, fmt.Errorf("seed %d, largest %d: %w", r.Config.Seed, uint64(MaxSeed), ErrSeed)
	}
	r.normalize()
	var b bytes.Buffer
	if err := encodeDocument(&b, r, "result"); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode reads one result. name is for error messages. Members this version
// does not know are ignored, so files of later versions with the same schema
// number can be read; members that are missing stay null.
func Decode(name string, data []byte) (*Run, error) {
	var head header
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, malformed(name, data, err)
	}
	if head.Schema == nil {
		return nil, fmt.Errorf("%s: no schema, want %q: %w", name, Schema, ErrSchema)
	}
	if *head.Schema != Schema {
		return nil, fmt.Errorf("%s: schema %q, want %q: %w", name, clip(*head.Schema), Schema, ErrSchema)
	}
	r := &Run{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, malformed(name, data, err)
	}
	if r.Kind != Measured && r.Kind != ModelledKind {
		return nil, fmt.Errorf("%s: kind %q, want %q or %q: %w", name, clip(string(r.Kind)), Measured, ModelledKind, ErrMalformed)
	}
	r.normalize()
	return r, nil
}

// header is what every walbench file begins with.
type header struct {
	Schema *string `json:"schema"`
}

// clip keeps a foreign word in an error message short.
func clip(s string) string {
	const longest = 40
	if len(s) > longest {
		return s[:longest] + "..."
	}
	return s
}

// malformed says where in data the decoder stopped.
func malformed(name string, data []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	} else if errors.As(err, &kind) {
		offset = kind.Offset
	}
	if offset < 0 || offset > int64(len(data)) {
		return fmt.Errorf("%s: %w: %w", name, ErrMalformed, err)
	}
	line := 1 + bytes.Count(data[:offset], []byte("\n"))
	return fmt.Errorf("%s: line %d: %w: %w", name, line, ErrMalformed, err)
}

// Write keeps r in a file: after a crash there is the old one or the new one.
func Write(fsys vfs.FS, name string, r *Run) error {
	data, err := encode(r)
	if err != nil {
		return err
	}
	return vfs.WriteFileAtomic(fsys, name, data, filePerm)
}

// Read brings back a result from a file. See [Decode] for what it accepts.
func Read(fsys vfs.FS, name string) (*Run, error) {
	data, err := vfs.ReadFile(fsys, name, maxFileBytes)
	if err != nil {
		return nil, err
	}
	return Decode(name, data)
}
