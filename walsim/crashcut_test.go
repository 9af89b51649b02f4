package walsim

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// cutLog writes a log whose last page holds records of several sizes, one of
// them begun on the page before, and returns where each record ends.
func cutLog(t *testing.T, d *strategies.Design, s *strategies.Suite) (h *harness, ends []pgformat.LSN) {
	h = newHarness(t, d, s)
	h.run(t, 1, func(int) [][]int {
		return [][]int{{7000}, {1500, 100}, {99}, {28}, {300}}
	})
	h.mustReadBack(t)
	_, err := Recover(h.options(t), func(r RecoveredRecord) error {
		ends = append(ends, h.o.SegmentSize.Advance(r.LSN, len(r.Rec)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, ends
}

// A crash may leave any prefix of the last page, with zeros behind it or nothing
// at all: what is whole is read, what is not is the end, and nothing is called
// damage.
func TestCutAtEveryByteOfTheLastPage(t *testing.T) {
	for name, cut := range map[string]func(*testing.T, *harness, string, int64){"zeroed": zeroFrom, "truncated": truncate} {
		t.Run(name, func(t *testing.T) {
			eachLock(t, func(t *testing.T) {
				eachDesignOnce(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
					h, ends := cutLog(t, d, s)
					file, off := h.lastPage(t)
					o := h.options(t)
					for n := h.position.Insert.PageOffset(); n >= 0; n-- {
						cut(t, h, file, off+int64(n))
						checkCut(t, o, ends, h.position.Insert.Page()+pgformat.LSN(n))
					}
				})
			})
		})
	}
}

func checkCut(t *testing.T, o ReaderOptions, ends []pgformat.LSN, cut pgformat.LSN) {
	t.Helper()
	want := 0
	for _, end := range ends {
		if end <= cut {
			want++
		}
	}
	sum, err := Recover(o, nil)
	if err != nil {
		t.Fatalf("cut at %v: %v", cut, err)
	}
	// A cut may leave a whole record if only zeros were cut off.
	if sum.Records < int64(want) || sum.Records > int64(want)+1 || sum.End.Kind == EndDamaged {
		t.Fatalf("cut at %v: %d records, end %v (%s), want %d records and no damage", cut, sum.Records, sum.End.Kind, sum.End.Reason, want)
	}
}

// lastPage is the file that holds the last page, and its offset there.
func (h *harness) lastPage(t *testing.T) (file string, off int64) {
	at := h.position.Insert
	seg := h.o.SegmentSize
	return filepath.Join(h.o.Dir, seg.Name(1, seg.Segno(at))), seg.Offset(at.Page())
}

func zeroFrom(t *testing.T, h *harness, name string, off int64) {
	t.Helper()
	f, err := h.fs.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(make([]byte, 16), off); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, h *harness, name string, size int64) {
	t.Helper()
	f, err := h.fs.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
}

// A flipped byte below the durable point is damage, named by segment and
// offset; behind it the log just ends there.
func TestFlippedByteBelowTheDurablePoint(t *testing.T) {
	eachDefault(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
		h := newHarness(t, d, s)
		h.run(t, 1, func(int) [][]int { return repeat(120, 9000, 100, 20000) })
		h.mustReadBack(t)
		var starts []pgformat.LSN
		if _, err := Recover(h.options(t), func(r RecoveredRecord) error {
			starts = append(starts, r.LSN)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(starts); i += 7 {
			checkFlip(t, h, starts, i)
		}
	})
}

func checkFlip(t *testing.T, h *harness, starts []pgformat.LSN, i int) {
	t.Helper()
	seg := h.o.SegmentSize
	at := seg.Advance(starts[i], 27) // in the record's body, perhaps on its second page
	flip(t, h, at)
	defer flip(t, h, at)
	sum, err := Recover(h.options(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Records != int64(i) {
		t.Fatalf("byte at %v flipped: %d records, want %d", at, sum.Records, i)
	}
	if starts[i] >= h.position.Durable {
		if sum.End.Kind != EndTorn {
			t.Fatalf("byte at %v flipped, durable to %v: end %v, want torn", at, h.position.Durable, sum.End.Kind)
		}
		return
	}
	dm := sum.End.Damage
	if dm == nil || dm.Segment != seg.Name(1, seg.Segno(starts[i])) || dm.Offset != seg.Offset(starts[i]) {
		t.Fatalf("byte at %v flipped, durable to %v: end %v, damage %+v, want it in the record at %v",
			at, h.position.Durable, sum.End.Kind, dm, starts[i])
	}
}

func flip(t *testing.T, h *harness, at pgformat.LSN) {
	t.Helper()
	seg := h.o.SegmentSize
	f, err := h.fs.OpenFile(filepath.Join(h.o.Dir, seg.Name(1, seg.Segno(at))), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, seg.Offset(at)); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 0x10
	if _, err := f.WriteAt(b, seg.Offset(at)); err != nil {
		t.Fatal(err)
	}
}
