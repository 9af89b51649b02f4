package vfs_test

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
)

// script does one of each operation on files a and b and returns what failed.
func script(fsys vfs.FS) map[string]error {
	failed := map[string]error{}
	note := func(op string, err error) {
		if err != nil {
			failed[op] = err
		}
	}
	f, err := fsys.OpenFile("a", os.O_RDWR|os.O_CREATE, 0o600)
	note("open", err)
	if err == nil {
		_, err = f.WriteAt([]byte("0123456789"), 0)
		note("write", err)
		_, err = f.ReadAt(make([]byte, 1), 0)
		note("read", err)
		note("sync", f.Sync())
		note("truncate", f.Truncate(20))
		_, err = f.Size()
		note("size", err)
		note("close", f.Close())
	}
	note("mkdir", fsys.MkdirAll("d", 0o700))
	_, err = fsys.Stat("d")
	note("stat", err)
	_, err = fsys.ReadDir("d")
	note("readdir", err)
	note("syncdir", fsys.SyncDir("d"))
	note("rename", fsys.Rename("a", "b"))
	note("remove", fsys.Remove("b"))
	return failed
}

func TestFaultEachOperation(t *testing.T) {
	ops := map[string]vfs.Op{
		"open": vfs.OpOpen, "write": vfs.OpWrite, "read": vfs.OpRead, "sync": vfs.OpSync,
		"truncate": vfs.OpTruncate, "size": vfs.OpStat, "close": vfs.OpClose, "mkdir": vfs.OpMkdir,
		"readdir": vfs.OpReadDir, "syncdir": vfs.OpSyncDir, "rename": vfs.OpRename, "remove": vfs.OpRemove,
	}
	for name, op := range ops {
		t.Run(name, func(t *testing.T) {
			fsys := vfs.NewFault(vfs.NewMem(), vfs.Rule{Op: op, Err: syscall.ENOSPC})
			failed := script(fsys)
			if !errors.Is(failed[name], syscall.ENOSPC) {
				t.Errorf("%s: got %v, want %v", name, failed[name], syscall.ENOSPC)
			}
			if fsys.Count(op) == 0 {
				t.Errorf("%s was not counted", name)
			}
			if again := script(fsys); again[name] != nil {
				t.Errorf("a rule for the first %s failed the second too: %v", name, again[name])
			}
		})
	}
}

func TestFaultWithoutRules(t *testing.T) {
	fsys := vfs.NewFault(vfs.NewMem())
	if failed := script(fsys); len(failed) != 0 {
		t.Errorf("failures without a rule: %v", failed)
	}
	if got := fsys.Count(vfs.OpAny); got != 13 {
		t.Errorf("operations: got %d, want 13", got)
	}
}

func TestFaultNthAndSticky(t *testing.T) {
	cases := []struct {
		name string
		rule vfs.Rule
		want []bool // which of five syncs of file "seg-1" fail
	}{
		{"default", vfs.Rule{Op: vfs.OpSync}, []bool{true, false, false, false, false}},
		{"third", vfs.Rule{Op: vfs.OpSync, Nth: 3}, []bool{false, false, true, false, false}},
		{"from the third on", vfs.Rule{Op: vfs.OpSync, Nth: 3, Sticky: true}, []bool{false, false, true, true, true}},
		{"path", vfs.Rule{Op: vfs.OpSync, Path: "seg-", Nth: 2}, []bool{false, true, false, false, false}},
		{"other path", vfs.Rule{Op: vfs.OpSync, Path: "control", Sticky: true}, make([]bool, 5)},
		{"other operation", vfs.Rule{Op: vfs.OpWrite, Sticky: true}, make([]bool, 5)},
		{"any operation", vfs.Rule{Op: vfs.OpAny, Nth: 2}, []bool{true, false, false, false, false}},
	}
	for _, c := range cases {
		fsys := vfs.NewFault(vfs.NewMem(), c.rule)
		f, err := fsys.OpenFile("seg-1", os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]bool, 5)
		for i := range got {
			err := f.Sync()
			got[i] = err != nil
			if err != nil && !errors.Is(err, syscall.EIO) {
				t.Errorf("%s: got %v, want the default error %v", c.name, err, syscall.EIO)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFaultShortWrite(t *testing.T) {
	mem := vfs.NewMem()
	fsys := vfs.NewFault(mem, vfs.Rule{Op: vfs.OpShortWrite, Err: syscall.ENOSPC})
	f, err := fsys.OpenFile("f", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	n, err := f.WriteAt([]byte("0123456789"), 0)
	if n != 5 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %d, %v, want 5, %v", n, err, syscall.ENOSPC)
	}
	if got := content(t, mem, "f"); got != "01234" {
		t.Errorf("file: got %q, want %q", got, "01234")
	}
}

// TestFaultObserve checks that the observer runs before the operation.
func TestFaultObserve(t *testing.T) {
	mem := vfs.NewMem()
	fsys := vfs.NewFault(mem)
	var seen []string
	fsys.Observe(func(op vfs.Op, name string) {
		there, _ := vfs.Exists(mem, name)
		state := "missing"
		if there {
			state = "there"
		}
		seen = append(seen, op.String()+" "+name+" "+state)
	})
	create(t, fsys, "a", "x")
	if err := fsys.Rename("a", "b"); err != nil {
		t.Fatal(err)
	}
	want := []string{"open a missing", "write a there", "close a there", "rename b missing"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
