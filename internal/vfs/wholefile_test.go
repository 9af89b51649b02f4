package vfs_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
)

func TestReadFileLimit(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		name := path.Join(dir, "f")
		create(t, fsys, name, "12345")
		if got, err := vfs.ReadFile(fsys, name, 5); string(got) != "12345" || err != nil {
			t.Errorf("at the limit: %q, %v", got, err)
		}
		if _, err := vfs.ReadFile(fsys, name, 4); !errors.Is(err, vfs.ErrTooLarge) {
			t.Errorf("over the limit: got %v, want %v", err, vfs.ErrTooLarge)
		}
		if _, err := vfs.ReadFile(fsys, name+"x", 4); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("missing: got %v, want %v", err, fs.ErrNotExist)
		}
		create(t, fsys, name, "")
		if got, err := vfs.ReadFile(fsys, name, 0); len(got) != 0 || err != nil {
			t.Errorf("empty: %q, %v", got, err)
		}
	})
}

func TestWriteFileAtomic(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		name := path.Join(dir, "f")
		create(t, fsys, name+".tmp", "left by a crash, and longer than what follows")
		for _, data := range []string{"first", "second", ""} {
			if err := vfs.WriteFileAtomic(fsys, name, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := content(t, fsys, name); got != data {
				t.Errorf("got %q, want %q", got, data)
			}
		}
		want := []vfs.Info{{Name: "f", Mode: 0o600}}
		if got, err := fsys.ReadDir(dir); err != nil || !cmp.Equal(want, got) {
			t.Errorf("folder afterwards: %+v, %v", got, err)
		}
		missing := path.Join(dir, "x", "f")
		if err := vfs.WriteFileAtomic(fsys, missing, nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("missing folder: got %v, want %v", err, fs.ErrNotExist)
		}
	})
}

// TestWriteFileAtomicFailures makes each operation of a write fail in turn, for
// good and once: the file is whole, old or new, and nothing else is left.
func TestWriteFileAtomicFailures(t *testing.T) {
	for _, short := range []bool{false, true} {
		nth, err := 1, error(syscall.ENOSPC)
		for ; err != nil; nth++ {
			mem := vfs.NewMem()
			create(t, mem, "f", "old content")
			rule := vfs.Rule{Nth: nth, Err: syscall.ENOSPC}
			if short {
				rule.Op = vfs.OpShortWrite
			}
			err = vfs.WriteFileAtomic(vfs.NewFault(mem, rule), "f", []byte("new content"), 0o600)
			if err != nil && !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("operation %d: got %v, want %v", nth, err, syscall.ENOSPC)
			}
			got := content(t, mem, "f")
			if got != "old content" && got != "new content" || err == nil && got != "new content" {
				t.Errorf("operation %d failed: file is %q", nth, got)
			}
			if infos, _ := mem.ReadDir("/"); len(infos) != 1 {
				t.Errorf("operation %d failed: left behind %+v", nth, infos)
			}
		}
		// Eight operations can fail, and one of them is a write.
		if want := map[bool]int{false: 9, true: 2}[short]; nth-1 != want {
			t.Errorf("short %v: first success with the fault at operation %d, want %d", short, nth-1, want)
		}
	}
}

// TestWriteFileAtomicOrder checks that the bytes are durable before the name is,
// and the name before the call returns.
func TestWriteFileAtomicOrder(t *testing.T) {
	fsys := vfs.NewFault(vfs.NewMem())
	if err := fsys.MkdirAll("d", 0o700); err != nil {
		t.Fatal(err)
	}
	var got []string
	fsys.Observe(func(op vfs.Op, name string) { got = append(got, op.String()+" "+name) })
	if err := vfs.WriteFileAtomic(fsys, "d/f", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{"stat d/f", "remove d/f.tmp", "open d/f.tmp", "write d/f.tmp", "sync d/f.tmp",
		"close d/f.tmp", "rename d/f", "syncdir d"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestIrregularFiles: a result must not replace a device, and reading a pipe
// must not hang.
func TestIrregularFiles(t *testing.T) {
	fsys := vfs.OS()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if err := vfs.WriteFileAtomic(fsys, pipe, nil, 0o600); !errors.Is(err, vfs.ErrNotRegular) {
		t.Errorf("write: got %v, want %v", err, vfs.ErrNotRegular)
	}
	if _, err := vfs.ReadFile(fsys, pipe, 100); !errors.Is(err, vfs.ErrNotRegular) {
		t.Errorf("read: got %v, want %v", err, vfs.ErrNotRegular)
	}
}

// TestWriteFileAtomicFollowsNoLink: a link under the temporary name is
// replaced, not written through.
func TestWriteFileAtomicFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim, name := filepath.Join(dir, "victim"), filepath.Join(dir, "f")
	create(t, vfs.OS(), victim, "precious")
	if err := os.Symlink(victim, name+".tmp"); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := vfs.WriteFileAtomic(vfs.OS(), name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := content(t, vfs.OS(), victim); got != "precious" {
		t.Errorf("the link's target is now %q", got)
	}
}

func TestIsEmptyDir(t *testing.T) {
	eachFS(t, func(t *testing.T, fsys vfs.FS, dir string) {
		if empty, err := vfs.IsEmptyDir(fsys, dir); !empty || err != nil {
			t.Errorf("empty folder: %v, %v", empty, err)
		}
		create(t, fsys, path.Join(dir, "f"), "")
		if empty, err := vfs.IsEmptyDir(fsys, dir); empty || err != nil {
			t.Errorf("folder with a file: %v, %v", empty, err)
		}
		if empty, err := vfs.IsEmptyDir(fsys, path.Join(dir, "x")); empty || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("missing folder: %v, %v", empty, err)
		}
	})
}
