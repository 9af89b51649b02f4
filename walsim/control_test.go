package walsim

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// testControl is a control file's content that tells versions apart.
func testControl(n uint64) Control {
	at := pgformat.LSN(0x1000000 + n<<8)
	return Control{
		SysID: 7000 + n, TLI: 3, SegSize: 16 << 20,
		StartLSN: at, OldestLSN: at + 1, DurableLSN: at + 2, RedoLSN: at + 3,
	}
}

func mustControl(t testing.TB, fsys vfs.FS, want Control) {
	t.Helper()
	got, err := LoadControl(fsys, "wal")
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestControlRoundTrip(t *testing.T) {
	fsys := memLog(t)
	f, err := CreateControl(fsys, "wal", testControl(0))
	if err != nil {
		t.Fatal(err)
	}
	mustControl(t, fsys, testControl(0))
	for n := uint64(1); n < 6; n++ {
		if err := f.Write(testControl(n)); err != nil {
			t.Fatal(err)
		}
		mustControl(t, fsys, testControl(n))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f, c, err := OpenControl(fsys, "wal")
	if err != nil || c != testControl(5) {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := errors.Join(f.Write(testControl(6)), f.Close()); err != nil {
		t.Fatal(err)
	}
	mustControl(t, fsys, testControl(6))
}

// A write cut short after any byte leaves the version before, or, once it is
// whole, the new one; and the next write after that counts.
func TestControlTornAtEachByte(t *testing.T) {
	for _, old := range []uint64{1, 2} { // the write goes to either slot
		fsys := memLog(t)
		f, err := CreateControl(fsys, "wal", testControl(0))
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= old; n++ {
			if err := f.Write(testControl(n)); err != nil {
				t.Fatal(err)
			}
		}
		before := readFile(t, fsys, "wal/control")
		if err := f.Write(testControl(9)); err != nil {
			t.Fatal(err)
		}
		after := readFile(t, fsys, "wal/control")
		for cut := range len(after) + 1 {
			torn := append(append([]byte{}, after[:cut]...), before[cut:]...)
			want := testControl(old)
			if string(torn) == string(after) {
				want = testControl(9)
			}
			if cut%4096 > 600 {
				continue // nothing differs there
			}
			checkTorn(t, torn, want)
		}
	}
}

func checkTorn(t *testing.T, torn []byte, want Control) {
	t.Helper()
	fsys := memLog(t, segment{ControlName, torn})
	mustControl(t, fsys, want)
	f, _, err := OpenControl(fsys, "wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Write(testControl(10)), f.Close()); err != nil {
		t.Fatal(err)
	}
	mustControl(t, fsys, testControl(10))
}

func readFile(t testing.TB, fsys vfs.FS, name string) []byte {
	t.Helper()
	data, err := vfs.ReadFile(fsys, name, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestControlErrors(t *testing.T) {
	if _, err := LoadControl(memLog(t), "wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for _, data := range [][]byte{nil, make([]byte, 100), make([]byte, 8192)} {
		if _, err := LoadControl(memLog(t, segment{ControlName, data}), "wal"); !errors.Is(err, ErrControl) {
			t.Errorf("%d bytes: %v, want ErrControl", len(data), err)
		}
	}
	fsys := memLog(t)
	f, err := CreateControl(fsys, "wal", testControl(0))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := CreateControl(fsys, "wal", testControl(1)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second one: %v", err)
	}
	data := readFile(t, fsys, "wal/control")
	data[controlSlotStep+16] ^= 1
	if _, err := LoadControl(memLog(t, segment{ControlName, data}), "wal"); !errors.Is(err, ErrControl) {
		t.Errorf("flipped byte: %v", err)
	}
}

func TestControlIsDurable(t *testing.T) {
	inner := memLog(t)
	fsys := vfs.NewFault(inner)
	f, err := CreateControl(fsys, "wal", testControl(0))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	syncs, dirs := fsys.Count(vfs.OpSync), fsys.Count(vfs.OpSyncDir)
	if syncs != 1 || dirs != 1 {
		t.Errorf("creation: %d syncs, %d of the folder, want 1 and 1", syncs, dirs)
	}
	if err := f.Write(testControl(1)); err != nil || fsys.Count(vfs.OpSync) != 2 {
		t.Errorf("write: %v, %d syncs, want 2", err, fsys.Count(vfs.OpSync))
	}
	for _, op := range []vfs.Op{vfs.OpWrite, vfs.OpShortWrite, vfs.OpSync} {
		fsys.SetRules(vfs.Rule{Op: op})
		if err := f.Write(testControl(2)); err == nil {
			t.Errorf("%v failed, Write did not", op)
		}
	}
}

func TestControlWriteDoesNotAllocate(t *testing.T) {
	f, err := CreateControl(vfs.OS(), t.TempDir(), testControl(0))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := testing.AllocsPerRun(20, func() {
		if err := f.Write(testControl(1)); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
