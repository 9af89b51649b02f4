package walsim

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// sizes are record lengths around every border of the format: smallest, main
// data headers, page and buffer sizes, a record over several pages.
var sizes = []int{24, 27, 28, 99, 100, 280, 281, 282, 291, 293, 4096, 8151, 8152, 8160, 8167, 8168, 8169, 8192, 8193, 20000}

func TestEveryDesignReadsBack(t *testing.T) {
	eachDesign(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
		h := newHarness(t, d, s)
		h.run(t, 3, func(u int) [][]int {
			list := repeat(30, sizes...)
			return append(list, repeat(100, sizes[u])...)
		})
		sum := h.mustReadBack(t)
		if want := int64(3*30*len(sizes) + 3*100); sum.Records != want {
			t.Errorf("%d records, want %d", sum.Records, want)
		}
		if sum.RealBytes != h.meter.RealBytes || sum.StoredBytes != h.meter.StoredBytes {
			t.Errorf("real and stored bytes %d %d, counted %d %d", sum.RealBytes, sum.StoredBytes, h.meter.RealBytes, h.meter.StoredBytes)
		}
		if sum.End.LSN != h.position.Insert || h.position.Flushed != h.position.Insert {
			t.Errorf("end %v, inserted %v, flushed %v", sum.End.LSN, h.position.Insert, h.position.Flushed)
		}
	})
}

// A record longer than the longest call of any cipher.
func TestLargeRecordInEverySuite(t *testing.T) {
	eachDesign(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
		h := newHarness(t, d, s)
		h.run(t, 1, func(int) [][]int { return [][]int{{100, 1<<20 + 77, 3000}} })
		h.mustReadBack(t)
	})
}

// Nobody may wait for buffer space while holding a lock that a publisher needs:
// records far larger than the buffers, from many updaters.
func TestLargeRecordsSmallBuffers(t *testing.T) {
	eachDefault(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
		h := newHarness(t, d, s)
		h.run(t, 8, func(u int) [][]int { return [][]int{{1 << 20}, {100, 1<<20 + 77, 3000}, {1 << 19}} })
		h.mustReadBack(t)
	})
}

func TestStartInMidSegment(t *testing.T) {
	for _, start := range []pgformat.LSN{0x1000000, 0x1000028, 0x1002018, 0x10FFFF8, 0x1054320, 0x8EEEE728} {
		eachDefault(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
			h := newHarness(t, d, s)
			h.o.Start = start
			h.run(t, 1, func(int) [][]int { return repeat(40, 100, 9000) })
			if sum := h.mustReadBack(t); sum.FirstLSN != h.o.SegmentSize.RecordStart(start) {
				t.Errorf("first record at %v, want %v", sum.FirstLSN, start)
			}
		})
	}
}

// The redo pointer moves between the decision about images and the lock: the
// transaction is built again for the new one, with a fresh nonce.
func TestRedoPointerMoves(t *testing.T) {
	eachDefault(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
		h := newHarness(t, d, s)
		clock(t).Run("test", func(p simtime.Proc) {
			l, u := h.open(t, p)
			if l == nil {
				return
			}
			b := &lengths{content: pgformat.Content{Pool: testPool}, list: []int{100, 200}}
			if _, err := u.Commit(b); err != nil {
				t.Error(err)
			}
			calls := 0
			b.before = func() {
				if calls++; calls == 1 {
					if _, err := l.Checkpoint(p); err != nil {
						t.Error(err)
					}
				}
			}
			if _, err := u.Commit(b); err != nil {
				t.Error(err)
			}
			if pos := l.Position(p); calls != 2 || b.redo != pos.Redo || p.Meter().Retries != 1 {
				t.Errorf("%d builds, last for %v, want 2 for %v; %d retries", calls, b.redo, pos.Redo, p.Meter().Retries)
			}
			if err := l.Close(p); err != nil {
				t.Error(err)
			}
		})
		h.mustReadBack(t)
		if d.Trailer != nil && s != nil && d.Name != "test-place" {
			checkNonces(t, h)
		}
	})
}

// checkNonces requires that the nonces of the first, thrown away build were not
// used again: the records carry sequence numbers 1 2 and 5 6. Where records go in one
// by one, only the first of the two was prepared in vain.
func checkNonces(t *testing.T, h *harness) {
	t.Helper()
	var got []byte
	o := h.options(t)
	_, err := Recover(o, func(r RecoveredRecord) error {
		got = append(got, r.Rec[len(r.Rec)-1])
		return nil
	})
	want := "\x01\x02\x05\x06"
	if current.lock == Postgres {
		want = "\x01\x02\x04\x05"
	}
	if err != nil || string(got) != want {
		t.Errorf("sequence numbers %v, want %v (%v)", got, []byte(want), err)
	}
}

// An error of the device is final, and what was acknowledged before it reads
// back; whatever else is there was at least written.
func TestDeviceErrorSticks(t *testing.T) {
	faults := map[string]vfs.Rule{
		"sync fails":       {Op: vfs.OpSync, Path: "0000000100000000", Nth: 20},
		"write fails":      {Op: vfs.OpWrite, Path: "0000000100000000", Nth: 30},
		"short write":      {Op: vfs.OpShortWrite, Path: "0000000100000000", Nth: 30},
		"no next segment":  {Op: vfs.OpRename, Path: "00000001000000000000000A", Nth: 1},
		"control not kept": {Op: vfs.OpSync, Path: ControlName, Nth: 3},
	}
	for name, rule := range faults {
		t.Run(name, func(t *testing.T) {
			eachDefault(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) { deviceError(t, d, s, rule) })
		})
	}
}

func deviceError(t *testing.T, d *strategies.Design, s *strategies.Suite, rule vfs.Rule) {
	h := newHarness(t, d, s)
	h.o.FS = vfs.NewFault(h.fs, rule)
	h.run(t, 3, func(u int) [][]int { return repeat(200, 100, 30000) })
	failed := 0
	for u, err := range h.errs {
		if errors.Is(err, ErrFailed) {
			failed++
		} else if err != nil {
			t.Errorf("updater %d: error %v, want one that wraps ErrFailed", u, err)
		}
	}
	if failed == 0 {
		t.Error("no updater was told of the error")
	}
	found, sum := h.readBack(t)
	for u, x := range h.updaters {
		if a, i := x.Acknowledged().Records, x.Issued().Records; found[u].Records < a || found[u].Records > i {
			t.Errorf("updater %d: read back %d records, acknowledged %d, issued %d", u, found[u].Records, a, i)
		}
	}
	if sum.End.Kind == EndDamaged {
		t.Errorf("end damaged: %+v", sum.End.Damage)
	}
}

func TestCreateRefusesAFolderWithContent(t *testing.T) {
	h := newHarness(t, mustDesign(t, "none"), nil)
	if err := h.fs.MkdirAll("log", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileAtomic(h.fs, filepath.Join("log", "precious"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	clock(t).Run("test", func(p simtime.Proc) {
		if _, err := Create(p, h.o); !errors.Is(err, ErrDirectory) {
			t.Errorf("error %v, want ErrDirectory", err)
		}
	})
}

func TestClosedLogRefuses(t *testing.T) {
	h := newHarness(t, mustDesign(t, "none"), nil)
	clock(t).Run("test", func(p simtime.Proc) {
		l, u := h.open(t, p)
		if l == nil {
			return
		}
		for range 2 {
			if err := l.Close(p); err != nil {
				t.Error(err)
			}
		}
		if _, err := u.Commit(&lengths{list: []int{100}, content: pgformat.Content{Pool: testPool}}); !errors.Is(err, ErrClosed) {
			t.Errorf("error %v, want ErrClosed", err)
		}
	})
}

func TestRecycling(t *testing.T) {
	eachDefault(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
		h := newHarness(t, d, s)
		clock(t).Run("test", func(p simtime.Proc) { recycle(t, h, p) })
		found, sum := h.readBack(t)
		if sum.End.Kind != EndClean || sum.End.LSN != h.position.Insert {
			t.Errorf("end %v at %v, want clean at %v: %s", sum.End.Kind, sum.End.LSN, h.position.Insert, sum.End.Reason)
		}
		if found[0].Records == 0 || found[0].Records > 150 {
			t.Errorf("%d records left, want some of the last", found[0].Records)
		}
		entries, err := h.fs.ReadDir(h.o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !IsLogFile(e.Name) || filepath.Ext(e.Name) == ".tmp" {
				t.Errorf("stray file %s", e.Name)
			}
		}
		if n := len(entries); n > 10 {
			t.Errorf("%d files left after recycling: %v", n, entries)
		}
	})
}

func recycle(t *testing.T, h *harness, p simtime.Proc) {
	l, u := h.open(t, p)
	if l == nil {
		return
	}
	b := &lengths{content: pgformat.Content{Pool: testPool}, list: []int{100, 20000}}
	for i := range 1000 {
		end, err := u.Commit(b)
		if err == nil && i%100 == 99 {
			err = l.Recycle(p, end)
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
	h.position = l.Position(p)
	if err := l.Close(p); err != nil {
		t.Error(err)
	}
}

func TestDiscardKeepsNothing(t *testing.T) {
	h := newHarness(t, mustDesign(t, "in-lock"), mustSuite(t, "aes-128-ctr"))
	h.o.Discard = true
	h.run(t, 2, func(int) [][]int { return repeat(100, 100, 9000) })
	if h.meter.WrittenBytes == 0 || h.meter.EncryptedBytes == 0 {
		t.Errorf("counted %+v, want work", h.meter.Counts)
	}
	if _, err := h.fs.Stat(filepath.Join("log", ControlName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("control file: %v, want none", err)
	}
}

func mustDesign(tb testing.TB, name string) *strategies.Design {
	tb.Helper()
	d, err := strategies.Lookup(name)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func mustSuite(tb testing.TB, name string) *strategies.Suite {
	tb.Helper()
	s, err := strategies.LookupSuite(name)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
