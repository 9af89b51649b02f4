package walsim

import (
	"bytes"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// fuzzBase is a short log: some pages of one segment, with records of one and of
// several pages, and the first page of the next one.
func fuzzBase() *testLog {
	l := newTestLog()
	l.fillUntil(0x10B000)
	l.add(pgformat.Spec{RMID: pgformat.RMXLog, Info: pgformat.InfoXLogSwitch})
	l.at = 0x200000
	l.fillUntil(0x201000)
	return l
}

// FuzzReader writes patch over the log at an offset, cuts the files, and reads.
// The reader must not panic, must not take much memory, and must end where its
// last record does; records before the change are all there, and the plain copy
// gives the same again.
func FuzzReader(f *testing.F) {
	f.Add(uint32(0), []byte{0x10, 0xD1}, uint32(1<<20), uint32(1<<13), uint8(0))
	f.Add(uint32(0x2000), []byte{0x10, 0xD1, 5, 0, 1, 0, 0, 0, 0, 0x20}, uint32(0x9000), uint32(1<<13), uint8(0))
	f.Add(uint32(0x2000), []byte{0x10, 0xD1, 8, 0}, uint32(1<<20), uint32(0), uint8(30))
	f.Add(uint32(40), []byte{0xFF, 0xFF, 0xFF, 0x3F}, uint32(39), uint32(1<<13), uint8(5))
	base := fuzzBase()
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, cut1, cut2 uint32, durable uint8) {
		img := bytes.Clone(base.bytes)
		off := int(at) % (0x10000)
		if at&1 != 0 {
			off += 1 << 20
		}
		copy(img[off:], patch)
		segs := []segment{
			{"000000010000000000000001", img[:min(int(cut1), 1<<20)]},
			{"000000010000000000000002", img[1<<20:][:min(int(cut2), 1<<20)]},
		}
		fsys := memLog(t, segs...)
		if n := int(durable) % (2 * len(base.ends)); n < len(base.ends) {
			base.control(t, fsys, base.lsns[0], base.ends[n])
		}
		var last pgformat.LSN
		var sum Summary
		var err error
		used := allocated(func() {
			sum, err = Recover(ReaderOptions{FS: fsys, Dir: "wal"}, func(r RecoveredRecord) error {
				if r.LSN < last || r.EndLSN <= r.LSN {
					t.Fatalf("record %v to %v behind %v", r.LSN, r.EndLSN, last)
				}
				last = r.EndLSN
				return nil
			})
		})
		if used > 4<<20 {
			t.Fatalf("%d bytes allocated", used)
		}
		if err != nil {
			return
		}
		if sum.Records > 0 && sum.End.LSN != last || sum.End.Next < sum.End.LSN {
			t.Fatalf("last record ends at %v, log at %v, next %v", last, sum.End.LSN, sum.End.Next)
		}
		if sum.End.Kind == EndDamaged != (sum.End.Damage != nil) {
			t.Fatalf("%+v", sum.End)
		}
		checkFuzzCopy(t, ReaderOptions{FS: fsys, Dir: "wal"}, sum)
	})
}

func checkFuzzCopy(t *testing.T, o ReaderOptions, want Summary) {
	if want.Records == 0 {
		return
	}
	if _, err := WritePlain(o, "out"); err != nil {
		t.Fatal(err)
	}
	o.Dir = "out"
	got, err := Recover(o, nil)
	if err != nil || got.Records != want.Records || got.End.LSN != want.End.LSN {
		t.Fatalf("%v: copy has %d records up to %v, want %d up to %v (%s)",
			err, got.Records, got.End.LSN, want.Records, want.End.LSN, got.End.Reason)
	}
}
