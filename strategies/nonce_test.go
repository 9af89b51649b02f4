package strategies

import (
	"encoding/binary"
	"io/fs"
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim/pgformat"
)

func modeOf(m uint32) fs.FileMode { return fs.FileMode(m) }

func TestRecordNoncesNeverRepeat(t *testing.T) {
	seen := map[RecordNonce]bool{}
	for key := range KeyID(3) {
		for updater := range uint16(5) {
			n := newRecordNonces(key, updater)
			for range 2000 {
				var got RecordNonce
				if c := n.next(&got); c != got.counter() || c != aesctr.CounterOf([16]byte(append(got[:], 0, 0, 0, 0))) {
					t.Fatalf("nonce %x: counter %x, read back %x", got, c, got.counter())
				}
				if seen[got] || got.KeyID() != key || binary.BigEndian.Uint16(got[4:]) != updater {
					t.Fatalf("nonce %x of key %d, updater %d", got, key, updater)
				}
				seen[got] = true
			}
		}
	}
}

func TestRecordNoncesEndInsteadOfRepeating(t *testing.T) {
	n := newRecordNonces(1, 1)
	n.sequence = maxSequence - 1
	var got RecordNonce
	n.next(&got)
	if want := (RecordNonce{0, 0, 0, 1, 0, 1, 255, 255, 255, 255, 255, 255}); got != want {
		t.Errorf("last nonce %x, want %x", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic behind the last nonce")
		}
	}()
	n.next(&got)
}

func TestPositionCountersCoverEachByteOnce(t *testing.T) {
	type place struct {
		iv   aesctr.Counter
		byte int
	}
	seen := map[place]bool{}
	for _, tli := range []uint32{1, 2, 0x10001} {
		for _, base := range []pgformat.LSN{0, 0xFFFFFFF0, 0xFFFFFFFF0} {
			for l := base; l < base+64; l++ {
				iv, skip := PositionCounter(tli, l)
				if p := (place{iv, skip}); seen[p] {
					t.Fatalf("timeline %d, %v: keystream byte used before", tli, l)
				} else {
					seen[p] = true
				}
			}
		}
	}
}

// What a flush writes of a page does not depend on how often, or in which
// pieces, the page was flushed before; the tail stays zero.
func TestInLockFlushIsRepeatable(t *testing.T) {
	d, err := Lookup("in-lock")
	if err != nil {
		t.Fatal(err)
	}
	suite, _ := LookupSuite("aes-128-ctr")
	inst, err := d.New(Start{Key: newStartKey(), KeyID: 1, Suite: suite, TLI: 1, SegmentSize: pgformat.DefaultSegmentSize})
	if err != nil {
		t.Fatal(err)
	}
	m := simtime.NewMeter()
	flush := inst.Updater(0, m).Flush
	const at = pgformat.LSN(0x1000000)
	in := make([]byte, 3*pgformat.PageSize)
	for i := range in {
		in[i] = byte(i)
	}
	write := func(end int) []byte {
		n := (end + pgformat.PageSize - 1) / pgformat.PageSize * pgformat.PageSize
		out := make([]byte, n)
		for i := range out {
			out[i] = 0xEE // Flush must fill all of it
		}
		flush(&Flush{Meter: m, TLI: 1, At: at, End: at + pgformat.LSN(end), In: in[:n], Out: out, SegmentSize: pgformat.DefaultSegmentSize})
		return out
	}
	whole := write(len(in))
	for _, end := range []int{41, 100, 8191, 8192, 8192 + 25, 12345, 3*8192 - 1} {
		out := write(end)
		for i, b := range out {
			if want := whole[i]; i < end && b != want || i >= end && b != 0 {
				t.Fatalf("filled to %d: byte %d is %#x", end, i, b)
			}
		}
	}
}
