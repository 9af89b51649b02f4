package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// OS returns the file system of the operating system.
func OS() FS { return osFS{} }

type osFS struct{}

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if err := checkFlags(name, flag); err != nil {
		return nil, err
	}
	// Opening a pipe waits for its other end, perhaps for ever.
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: %w", name, ErrNotRegular)
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		f.Close()
		if err == nil {
			err = pathError("open", name, syscall.EISDIR)
		}
		return nil, err
	}
	return osFile{f}, nil
}

func (osFS) Rename(oldname, newname string) error { return os.Rename(oldname, newname) }

func (osFS) Remove(name string) error { return os.Remove(name) }

func (osFS) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }

func (osFS) ReadDir(name string) ([]Info, error) {
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	infos := make([]Info, 0, len(entries))
	for _, e := range entries {
		info, err := entryInfo(name, e)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since the folder was read
		}
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// entryInfo describes the entry e of folder dir. A link counts as what it
// leads to, as in Stat, or as something irregular if it leads nowhere.
func entryInfo(dir string, e fs.DirEntry) (Info, error) {
	if e.Type()&fs.ModeSymlink != 0 {
		if info, err := os.Stat(dir + "/" + e.Name()); err == nil {
			return newInfo(e.Name(), info), nil
		}
	}
	info, err := e.Info()
	if err != nil {
		return Info{}, err
	}
	return newInfo(e.Name(), info), nil
}

func (osFS) Stat(name string) (Info, error) {
	info, err := os.Stat(name)
	if err != nil {
		return Info{}, err
	}
	return newInfo(info.Name(), info), nil
}

func newInfo(name string, info fs.FileInfo) Info {
	i := Info{Name: name, Size: info.Size(), Dir: info.IsDir(), Mode: info.Mode().Perm()}
	i.Irregular = !i.Dir && !info.Mode().IsRegular()
	if i.Dir || i.Irregular {
		i.Size = 0
	}
	return i
}

// Lock locks the folder itself (flock), so that no lock file stays behind.
func (osFS) Lock(name string) (io.Closer, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := flock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// SyncDir opens and syncs the folder. EINVAL and EBADF are no errors: they come
// from file systems that cannot sync a folder and need not
// (PostgreSQL's fsync_fname_ext in storage/file/fd.c does the same).
func (osFS) SyncDir(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return err
	} else if !info.IsDir() {
		return pathError("syncdir", name, syscall.ENOTDIR)
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EBADF) {
		return nil
	}
	return err
}

// osFile is an *os.File with the two methods in which File differs from it.
type osFile struct{ *os.File }

func (f osFile) Sync() error { return fdatasync(f.File) }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func checkFlags(name string, flag int) error {
	if flag&os.O_APPEND != 0 {
		return pathError("open", name, syscall.EINVAL)
	}
	return nil
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}
