// Package vfs is the small file-system interface through which walbench
// touches files, so that a test can put another one underneath: [OS] is the
// real thing, [Mem] keeps everything in memory, [Fault] injects errors into
// either of them.
//
// Life of a file: OpenFile creates or opens it, WriteAt changes it, Sync makes
// its bytes durable, and SyncDir on its folder makes its name durable. Until
// both happened a crash may lose it; nothing here syncs on its own, except
// [WriteFileAtomic], which does all of it.
package vfs

import (
	"errors"
	"io"
	"io/fs"
)

// FS is a file system. Names are slash-separated paths in the meaning of the
// implementation (the operating system's for [OS]). Errors are those of
// package io/fs: errors.Is(err, fs.ErrNotExist) works with every
// implementation. All methods are safe for concurrent use.
type FS interface {
	// OpenFile opens name with the flags of package os (os.O_RDWR,
	// os.O_CREATE, os.O_EXCL, os.O_TRUNC). os.O_APPEND is refused, since it has
	// no meaning together with WriteAt, and so are folders (EISDIR).
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Rename moves oldname to newname, replacing what is there.
	Rename(oldname, newname string) error
	// Remove deletes a file or an empty folder.
	Remove(name string) error
	// MkdirAll creates a folder and its parents; an existing one is no error.
	MkdirAll(name string, perm fs.FileMode) error
	// ReadDir lists the folder name, sorted by name.
	ReadDir(name string) ([]Info, error)
	// Stat describes a file or folder.
	Stat(name string) (Info, error)
	// Lock takes the folder name for this process until the returned Closer is
	// closed, or the process ends: ErrLocked if another one has it. Locks exclude
	// only those who ask for them.
	Lock(name string) (io.Closer, error)
	// SyncDir makes the entries of the folder name durable.
	SyncDir(name string) error
}

// ErrLocked means that another process, or another part of this one, has locked
// a folder.
var ErrLocked = errors.New("in use by another run")

// Info describes one directory entry.
type Info struct {
	Name string // base name
	Size int64  // bytes; 0 for a folder
	Dir  bool
	Mode fs.FileMode // permission bits

	// Irregular is true for a device, pipe or socket: something without a
	// length, which must not be replaced by a rename.
	Irregular bool
}

// File is an open file. ReadAt and WriteAt are safe for concurrent use on
// ranges that do not overlap.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Sync makes the file's bytes durable (fdatasync).
	Sync() error
	// Truncate sets the file's length in bytes; new bytes read as zero.
	Truncate(size int64) error
	// Size is the current length in bytes.
	Size() (int64, error)
	// Name is the path the file was opened with.
	Name() string
}
