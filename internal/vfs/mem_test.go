package vfs_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/internal/vfs"
)

// TestMemAgreesWithOS carries out the same random operations on a real folder
// and in memory: same failures, same content, same listings.
func TestMemAgreesWithOS(t *testing.T) {
	names := []string{"a", "b", "d", "d/a", "d/e", "d/e/a", "a/b"}
	base := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			t.Fatal(err)
		}
		pair := fsPair{t: t, dir: dir + "/", mem: vfs.NewMem()}
		if err := pair.mem.MkdirAll(pair.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		name := rapid.SampledFrom(names)
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				flag := rapid.SampledFrom([]int{0, os.O_CREATE, os.O_CREATE | os.O_EXCL, os.O_TRUNC}).Draw(t, "flag")
				off := rapid.Int64Range(0, 200_000).Draw(t, "offset")
				data := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "data")
				pair.onFile(name.Draw(t, "name"), os.O_RDWR|flag, func(f vfs.File) error {
					_, err := f.WriteAt(data, off)
					return err
				})
			},
			"truncate": func(t *rapid.T) {
				size := rapid.Int64Range(0, 200_000).Draw(t, "size")
				pair.onFile(name.Draw(t, "name"), os.O_RDWR, func(f vfs.File) error { return f.Truncate(size) })
			},
			"rename": func(t *rapid.T) {
				from, to := name.Draw(t, "from"), name.Draw(t, "to")
				pair.both("rename", func(fsys vfs.FS) error { return fsys.Rename(pair.dir+from, pair.dir+to) })
			},
			"remove": func(t *rapid.T) {
				n := name.Draw(t, "name")
				pair.both("remove", func(fsys vfs.FS) error { return fsys.Remove(pair.dir + n) })
			},
			"mkdir": func(t *rapid.T) {
				n := name.Draw(t, "name")
				pair.both("mkdir", func(fsys vfs.FS) error { return fsys.MkdirAll(pair.dir+n, 0o700) })
			},
			"": func(t *rapid.T) { pair.compare(t, pair.dir) },
		})
	})
}

type fsPair struct {
	t   *rapid.T
	dir string
	mem *vfs.Mem
}

// both carries out f on either file system and wants the same error number.
func (p *fsPair) both(op string, f func(vfs.FS) error) {
	want, got := f(vfs.OS()), f(p.mem)
	if errno(want) != errno(got) {
		p.t.Fatalf("%s: in memory %v, real %v", op, got, want)
	}
}

func errno(err error) syscall.Errno {
	var e syscall.Errno
	if err != nil && !errors.As(err, &e) {
		return ^syscall.Errno(0) // an error that carries no number
	}
	return e
}

func (p *fsPair) onFile(name string, flag int, f func(vfs.File) error) {
	p.both(name, func(fsys vfs.FS) error {
		file, err := fsys.OpenFile(p.dir+name, flag, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		return f(file)
	})
}

// compare walks both trees below dir.
func (p *fsPair) compare(t *rapid.T, dir string) {
	want, err1 := vfs.OS().ReadDir(dir)
	got, err2 := p.mem.ReadDir(dir)
	if err1 != nil || err2 != nil || len(want) != len(got) {
		t.Fatalf("%s: in memory %v (%v), real %v (%v)", dir, got, err2, want, err1)
	}
	for i, w := range want {
		if w != got[i] {
			t.Fatalf("%s: in memory %+v, real %+v", dir, got[i], w)
		}
		if w.Dir {
			p.compare(t, dir+w.Name+"/")
			continue
		}
		a, err1 := vfs.ReadFile(vfs.OS(), dir+w.Name, 1<<20)
		b, err2 := vfs.ReadFile(p.mem, dir+w.Name, 1<<20)
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Fatalf("%s%s: content differs (%v, %v)", dir, w.Name, err1, err2)
		}
	}
}

func TestMemRefusesWildOffsets(t *testing.T) {
	f := openFilled(t, 10)
	for _, off := range []int64{1 << 40, 1<<63 - 1} {
		if _, err := f.WriteAt([]byte("x"), off); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("write at %d: got %v, want %v", off, err, syscall.EFBIG)
		}
		if err := f.Truncate(off); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("truncate to %d: got %v, want %v", off, err, syscall.EFBIG)
		}
		if n, err := f.ReadAt(make([]byte, 8), off); n != 0 || err != io.EOF {
			t.Errorf("read at %d: got %d, %v, want 0, EOF", off, n, err)
		}
	}
}

// openFilled is an open file in memory of size zero bytes.
func openFilled(t testing.TB, size int) vfs.File {
	t.Helper()
	f, err := vfs.NewMem().OpenFile("f", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(make([]byte, size), 0); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestMemOverwriteAllocatesNothing(t *testing.T) {
	f := openFilled(t, 1<<20)
	page := make([]byte, 8192)
	off := int64(0)
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := f.WriteAt(page, off); err != nil {
			t.Fatal(err)
		}
		if _, err := f.ReadAt(page, off); err != nil {
			t.Fatal(err)
		}
		off = (off + 5000) % (1<<20 - 8192)
	})
	if allocs != 0 {
		t.Errorf("got %v allocations a write and read, want 0", allocs)
	}
}

func BenchmarkMemOverwrite(b *testing.B) {
	f := openFilled(b, 16<<20)
	page := make([]byte, 8192)
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	off := int64(0)
	for b.Loop() {
		if _, err := f.WriteAt(page, off); err != nil {
			b.Fatal(err)
		}
		off = (off + 8192) % (16 << 20)
	}
}

func TestMemNames(t *testing.T) {
	mem := vfs.NewMem()
	mkdir(t, mem, "d")
	create(t, mem, "d/f", "x")
	for _, name := range []string{"/d/f", "./d/f", "d//f", "d/../d/f", "../d/./f"} {
		if got := content(t, mem, name); got != "x" {
			t.Errorf("%s: got %q, want %q", name, got, "x")
		}
	}
	for _, root := range []string{"/", ".", ".."} {
		if infos, err := mem.ReadDir(root); err != nil || len(infos) != 1 {
			t.Errorf("%s: got %+v, %v, want folder d alone", root, infos, err)
		}
		if err := mem.Remove(root); !errors.Is(err, syscall.EBUSY) {
			t.Errorf("remove %s: got %v, want %v", root, err, syscall.EBUSY)
		}
	}
}
