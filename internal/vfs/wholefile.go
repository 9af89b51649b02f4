package vfs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// Errors of this file, returned wrapped with the name and the sizes.
var (
	ErrTooLarge   = errors.New("file is too large")
	ErrNotRegular = errors.New("not a regular file")
)

// tempSuffix is added to a name while its new content is being written.
const tempSuffix = ".tmp"

// ReadFile reads a whole file of at most limit bytes. A longer one is
// ErrTooLarge, found out before anything is allocated, and a pipe or device is
// ErrNotRegular.
func ReadFile(fsys FS, name string, limit int64) ([]byte, error) {
	info, err := fsys.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Irregular {
		return nil, fmt.Errorf("read %s: %w", name, ErrNotRegular)
	}
	f, err := fsys.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, fmt.Errorf("read %s: %d bytes, limit %d: %w", name, size, limit, ErrTooLarge)
	}
	data := make([]byte, size)
	if n, err := io.ReadFull(io.NewSectionReader(f, 0, size), data); err != nil {
		return nil, fmt.Errorf("read %s: got %d of %d bytes: %w", name, n, size, err)
	}
	return data, nil
}

// WriteFileAtomic gives the file name the content data: after a crash there is
// either the old file or the new one. It writes name plus ".tmp" in the same
// folder, syncs, renames and syncs the folder; a leftover of that name from a
// crash is replaced. After an error the temporary file is gone and the old file
// untouched, unless only the last step failed: then the new content stands, and
// may not survive a crash. One writer of a name at a time; a pipe or device is
// ErrNotRegular.
func WriteFileAtomic(fsys FS, name string, data []byte, perm fs.FileMode) error {
	info, err := fsys.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if info.Irregular {
		return fmt.Errorf("write %s: %w", name, ErrNotRegular)
	}
	temp := name + tempSuffix
	err = writeSynced(fsys, temp, data, perm)
	if err == nil {
		err = fsys.Rename(temp, name)
	}
	if err != nil {
		if left := removeIfExists(fsys, temp); left != nil {
			err = fmt.Errorf("%w (and the temporary file stays: %w)", err, left)
		}
		return err
	}
	return fsys.SyncDir(path.Dir(name))
}

// writeSynced makes a new file name with content data. O_EXCL after the removal
// keeps it from writing through a link that someone else has put there.
func writeSynced(fsys FS, name string, data []byte, perm fs.FileMode) error {
	if err := removeIfExists(fsys, name); err != nil {
		return err
	}
	f, err := fsys.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(data, 0); err == nil {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

func removeIfExists(fsys FS, name string) error {
	if err := fsys.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Exists says whether there is a file or folder called name.
func Exists(fsys FS, name string) (bool, error) {
	_, err := fsys.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// IsEmptyDir says whether the folder name has no entries. A missing folder is
// an error.
func IsEmptyDir(fsys FS, name string) (bool, error) {
	infos, err := fsys.ReadDir(name)
	return err == nil && len(infos) == 0, err
}
