package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/walbench/walbench/internal/vfs"
)

// output is where one document goes: a file, or standard output if its path is
// "-".
type output struct {
	flag, path string
}

const toStdout = "-"

// checkWritable finds out whether o can be written, before hours are spent on
// what is to be written there. Nothing of it stays.
func (a *app) checkWritable(o output) error {
	if o.path == "" || o.path == toStdout {
		return nil
	}
	info, err := a.fs.Stat(o.path)
	switch {
	case err == nil && info.Dir:
		return fmt.Errorf("%s %s: is a folder, want a file", o.flag, o.path)
	case err == nil && info.Irregular:
		return nil // opening a pipe would wait for its reader
	}
	// A name that nobody has, and O_EXCL: nothing that exists is touched.
	name := fmt.Sprintf("%s.check-%016x.tmp", o.path, rand.Uint64())
	f, err := a.fs.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", o.flag, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", o.flag, err)
	}
	return a.fs.Remove(name)
}

// report is a result that can be printed for people and for programs.
type report interface {
	WriteJSON(w io.Writer) error
	WriteText(w io.Writer) error
}

// writeReport writes r to the file json, if that is wanted, and prints it, unless quiet
// or its JSON is on standard output.
func (a *app) writeReport(r report, json string, quiet bool) error {
	err := a.write(output{"--json", json}, r.WriteJSON)
	if !quiet && json != toStdout {
		err = errors.Join(err, r.WriteText(a.stdout))
	}
	return err
}

// carryOut runs something that ends between two transactions when it is interrupted,
// with its progress behind the word doing.
func (a *app) carryOut(doing string, quiet bool, execute func(stop <-chan struct{}, tell func(string))) {
	stop, release := a.interrupts(quiet, "transactions", func() {})
	defer release()
	execute(stop, func(what string) {
		if !quiet {
			a.screen.progress(doing + "  " + what)
		}
	})
	a.screen.clear()
}

// write sends what document prints to o: a file is replaced as a whole, a pipe
// or device is written to.
func (a *app) write(o output, document func(io.Writer) error) error {
	if o.path == "" {
		return nil
	}
	if o.path == toStdout {
		return document(a.stdout)
	}
	var b bytes.Buffer
	if err := document(&b); err != nil {
		return err
	}
	info, err := a.fs.Stat(o.path)
	if err == nil && info.Irregular {
		err = writeThrough(o.path, b.Bytes())
	} else {
		err = vfs.WriteFileAtomic(a.fs, o.path, b.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.flag, err)
	}
	return nil
}

func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
