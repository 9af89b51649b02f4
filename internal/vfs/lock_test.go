package vfs_test

import (
	"errors"
	"io/fs"
	"path"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
)

func TestLock(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		if err := fsys.MkdirAll(path.Join(dir, "log"), 0o755); err != nil {
			t.Fatal(err)
		}
		lock, err := fsys.Lock(path.Join(dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fsys.Lock(path.Join(dir, "log")); !errors.Is(err, vfs.ErrLocked) {
			t.Errorf("second lock: %v, want ErrLocked", err)
		}
		if err := lock.Close(); err != nil {
			t.Fatal(err)
		}
		lock, err = fsys.Lock(path.Join(dir, "log"))
		if err != nil {
			t.Fatalf("after it was given back: %v", err)
		}
		lock.Close()
		if _, err := fsys.Lock(path.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("missing folder: %v, want ErrNotExist", err)
		}
	})
}
