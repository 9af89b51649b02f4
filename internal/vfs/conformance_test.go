package vfs_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
)

// eachFS runs f over every implementation, with an empty folder to work in.
func eachFS(t *testing.T, f func(t *testing.T, fsys vfs.FS, dir string)) {
	t.Run("os", func(t *testing.T) { f(t, vfs.OS(), t.TempDir()) })
	t.Run("mem", func(t *testing.T) { f(t, vfs.NewMem(), "/") })
	t.Run("fault", func(t *testing.T) { f(t, vfs.NewFault(vfs.NewMem()), "/") })
}

func create(t *testing.T, fsys vfs.FS, name, content string) {
	t.Helper()
	f, err := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte(content), 0); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, fsys vfs.FS, name string) string {
	t.Helper()
	data, err := vfs.ReadFile(fsys, name, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mkdir(t *testing.T, fsys vfs.FS, name string) {
	t.Helper()
	if err := fsys.MkdirAll(name, 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestOpenFlags(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		create(t, fsys, path.Join(dir, "file"), "old")
		mkdir(t, fsys, path.Join(dir, "folder"))
		cases := []struct {
			name string
			file string
			flag int
			want error
		}{
			{"missing", "nothing", os.O_RDWR, fs.ErrNotExist},
			{"missing folder", "nothing/file", os.O_RDWR | os.O_CREATE, fs.ErrNotExist},
			{"file as folder", "file/x", os.O_RDWR | os.O_CREATE, syscall.ENOTDIR},
			{"exclusive", "file", os.O_RDWR | os.O_CREATE | os.O_EXCL, fs.ErrExist},
			{"folder", "folder", os.O_RDONLY, syscall.EISDIR},
			{"folder for writing", "folder", os.O_RDWR, syscall.EISDIR},
			{"append", "file", os.O_WRONLY | os.O_APPEND, syscall.EINVAL},
			{"there", "file", os.O_RDWR, nil},
		}
		for _, c := range cases {
			f, err := fsys.OpenFile(path.Join(dir, c.file), c.flag, 0o600)
			if !errors.Is(err, c.want) {
				t.Errorf("%s: got error %v, want %v", c.name, err, c.want)
			}
			if err == nil {
				f.Close()
			}
		}
		if got := content(t, fsys, path.Join(dir, "file")); got != "old" {
			t.Errorf("content after failed openings: got %q, want %q", got, "old")
		}
	})
}

func TestReadWrite(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		f, err := fsys.OpenFile(path.Join(dir, "f"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		const gap = 200_000 // several chunks of the in-memory file
		if n, err := f.WriteAt([]byte("tail"), gap); n != 4 || err != nil {
			t.Fatalf("write behind the end: %d, %v", n, err)
		}
		if n, err := f.WriteAt([]byte("head"), 0); n != 4 || err != nil {
			t.Fatalf("write: %d, %v", n, err)
		}
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		want := append(append([]byte("head"), make([]byte, gap-4)...), "tail"...)
		got := make([]byte, len(want))
		if _, err := f.ReadAt(got, 0); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Error("content differs from what was written")
		}
		if n, err := f.ReadAt(make([]byte, 10), gap); n != 4 || err != io.EOF {
			t.Errorf("read over the end: got %d, %v, want 4, EOF", n, err)
		}
		if n, err := f.ReadAt(make([]byte, 10), gap+4); n != 0 || err != io.EOF {
			t.Errorf("read at the end: got %d, %v, want 0, EOF", n, err)
		}
		if _, err := f.ReadAt(make([]byte, 1), -1); err == nil {
			t.Error("read at -1: no error")
		}
		if _, err := f.WriteAt(make([]byte, 1), -1); err == nil {
			t.Error("write at -1: no error")
		}
	})
}

func TestTruncate(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		name := path.Join(dir, "f")
		create(t, fsys, name, "0123456789")
		f, err := fsys.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, size := range []int64{4, 8, 150_000, 150_000, 7} {
			if err := f.Truncate(size); err != nil {
				t.Fatal(err)
			}
			if got, err := f.Size(); got != size || err != nil {
				t.Fatalf("size: got %d, %v, want %d", got, err, size)
			}
		}
		if got, want := content(t, fsys, name), "0123\x00\x00\x00"; got != want {
			t.Errorf("cut bytes came back: got %q, want %q", got, want)
		}
		if err := f.Truncate(-1); err == nil {
			t.Error("truncate to -1: no error")
		}
	})
}

func TestAccessModes(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		name := path.Join(dir, "f")
		create(t, fsys, name, "abc")
		r, err := fsys.OpenFile(name, os.O_RDONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.WriteAt([]byte("x"), 0); !errors.Is(err, syscall.EBADF) {
			t.Errorf("write to a file opened for reading: %v", err)
		}
		if err := r.Truncate(0); err == nil {
			t.Error("truncate of a file opened for reading: no error")
		}
		w, err := fsys.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.ReadAt(make([]byte, 1), 0); !errors.Is(err, syscall.EBADF) {
			t.Errorf("read from a file opened for writing: %v", err)
		}
		if w.Name() != name {
			t.Errorf("name: got %q, want %q", w.Name(), name)
		}
		r.Close()
		w.Close()
	})
}

func TestClosedFile(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		name := path.Join(dir, "f")
		create(t, fsys, name, "abc")
		f, err := fsys.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		_, readErr := f.ReadAt(make([]byte, 1), 0)
		_, writeErr := f.WriteAt(make([]byte, 1), 0)
		_, sizeErr := f.Size()
		for op, err := range map[string]error{
			"read": readErr, "write": writeErr, "size": sizeErr,
			"sync": f.Sync(), "truncate": f.Truncate(0), "close": f.Close(),
		} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s after close: got %v, want %v", op, err, fs.ErrClosed)
			}
		}
	})
}

func TestOpenFileOutlivesItsName(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		name := path.Join(dir, "f")
		create(t, fsys, name, "abc")
		f, err := fsys.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := fsys.Remove(name); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 3)
		if _, err := f.ReadAt(got, 0); err != nil || string(got) != "abc" {
			t.Errorf("read after remove: %q, %v", got, err)
		}
		if there, err := vfs.Exists(fsys, name); there || err != nil {
			t.Errorf("exists after remove: %v, %v", there, err)
		}
	})
}

func TestRename(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		at := func(name string) string { return path.Join(dir, name) }
		mkdir(t, fsys, at("d/inner"))
		create(t, fsys, at("d/inner/a"), "A")
		create(t, fsys, at("b"), "B")
		cases := []struct {
			name, from, to string
			want           error
		}{
			{"missing", "x", "y", fs.ErrNotExist},
			{"missing target folder", "b", "x/y", fs.ErrNotExist},
			{"file over folder", "b", "d", fs.ErrExist},
			{"folder over file", "d", "b", syscall.ENOTDIR},
			{"folder into itself", "d", "d/inner/d", syscall.EINVAL},
			{"itself", "b", "b", nil},
			{"over a file", "b", "d/inner/a", nil},
			{"folder", "d/inner", "e", nil},
		}
		for _, c := range cases {
			if err := fsys.Rename(at(c.from), at(c.to)); !errors.Is(err, c.want) {
				t.Errorf("%s: got error %v, want %v", c.name, err, c.want)
			}
		}
		if got := content(t, fsys, at("e/a")); got != "B" {
			t.Errorf("moved file: got %q, want %q", got, "B")
		}
	})
}

func TestFolders(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		at := func(name string) string { return path.Join(dir, name) }
		mkdir(t, fsys, at("x/y"))
		mkdir(t, fsys, at("x/y"))
		create(t, fsys, at("x/b"), "bb")
		create(t, fsys, at("x/a"), "a")
		got, err := fsys.ReadDir(at("x"))
		want := []vfs.Info{
			{Name: "a", Size: 1, Mode: 0o600},
			{Name: "b", Size: 2, Mode: 0o600},
			{Name: "y", Dir: true, Mode: 0o700},
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("listing (-want +got), error %v:\n%s", err, diff)
		}
		info, err := fsys.Stat(at("x/b"))
		if diff := cmp.Diff(want[1], info); diff != "" || err != nil {
			t.Errorf("stat (-want +got), error %v:\n%s", err, diff)
		}
		check := func(what string, got, want error) {
			if !errors.Is(got, want) {
				t.Errorf("%s: got error %v, want %v", what, got, want)
			}
		}
		check("mkdir over a file", fsys.MkdirAll(at("x/a/z"), 0o700), syscall.ENOTDIR)
		check("remove full folder", fsys.Remove(at("x")), syscall.ENOTEMPTY)
		check("remove missing", fsys.Remove(at("z")), fs.ErrNotExist)
		check("remove empty folder", fsys.Remove(at("x/y")), nil)
		check("sync folder", fsys.SyncDir(at("x")), nil)
		check("sync missing folder", fsys.SyncDir(at("z")), fs.ErrNotExist)
		check("sync file as folder", fsys.SyncDir(at("x/a")), syscall.ENOTDIR)
		_, err = fsys.ReadDir(at("x/a"))
		check("list a file", err, syscall.ENOTDIR)
		_, err = fsys.Stat(at("z"))
		check("stat missing", err, fs.ErrNotExist)
		_, err = fsys.Stat("")
		check("stat empty name", err, fs.ErrNotExist)
	})
}

// TestConcurrentWrites lets writers with ranges of their own run side by side
// while the file grows; the race detector checks the rest.
func TestConcurrentWrites(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		const writers, rounds, piece = 4, 50, 3000
		f, err := fsys.OpenFile(path.Join(dir, "f"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for r := range rounds {
					p := bytes.Repeat([]byte{byte(w + 1)}, piece)
					if _, err := f.WriteAt(p, int64((r*writers+w)*piece)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		got := make([]byte, writers*rounds*piece)
		if _, err := f.ReadAt(got, 0); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for i, b := range got {
			if want := byte(i/piece%writers + 1); b != want {
				t.Fatalf("byte %d: got %d, want %d", i, b, want)
			}
		}
	})
}
