package loadgen

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ErrInput marks, by errors.Is, a named input that does not exist or cannot be
// read as what it should be: the user's mistake, not a failing machine.
var ErrInput = errors.New("unusable input")

// UnknownError is the error of [Open] for a name that is no workload's.
type UnknownError struct {
	Name  string
	Known []Kind
}

func (e *UnknownError) Error() string {
	names := make([]string, len(e.Known))
	for i, k := range e.Known {
		names[i] = k.Name
	}
	return fmt.Sprintf("unknown workload %q (known: %s)", e.Name, strings.Join(names, ", "))
}

// Is makes an unknown workload an unusable input.
func (e *UnknownError) Is(target error) bool { return target == ErrInput }

// InputError is an input that cannot be used, with the place in it. Its text
// is one line: file, line, column, value, what was expected.
type InputError struct {
	File   string
	Line   int    // 1 is the header line; 0 if the file as a whole is meant
	Column string // name of the CSV column, "" if no single one is meant
	Value  string // what stands there, cut to a readable length; "" if nothing to show
	Want   string // what should stand there
	Err    error  // cause, or nil
}

func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ": column %s", e.Column)
	}
	if e.Value != "" || e.Column != "" {
		fmt.Fprintf(&b, ": got %q", e.Value)
	}
	if e.Want != "" {
		b.WriteString(": want " + e.Want)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *InputError) Unwrap() error { return e.Err }

// Is makes every InputError an unusable input.
func (e *InputError) Is(target error) bool { return target == ErrInput }

// openError is the error for a named input that cannot be opened, without
// saying the file's name twice.
func openError(file string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &InputError{File: file, Err: err}
}
