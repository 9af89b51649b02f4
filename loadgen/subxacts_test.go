package loadgen

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// words is main data of 32-bit numbers.
func words(all ...uint32) []byte {
	var b []byte
	for _, w := range all {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func TestDescribe(t *testing.T) {
	const hasInfo = pgformat.InfoXactHasInfo
	for _, c := range []struct {
		name string
		rmid uint8
		info uint8
		main []byte
		top  uint32
		subs []uint32
	}{
		{"plain commit", pgformat.RMXact, pgformat.InfoXactCommit, words(1, 2), 0, nil},
		{"commit with subtransactions", pgformat.RMXact, pgformat.InfoXactCommit | hasInfo, words(1, 2, 2, 2, 8, 9), 0, []uint32{8, 9}},
		{"with a database before them", pgformat.RMXact, pgformat.InfoXactCommit | hasInfo, words(1, 2, 3, 5, 1663, 1, 8), 0, []uint32{8}},
		{"without the flag they are something else", pgformat.RMXact, pgformat.InfoXactCommit | hasInfo, words(1, 2, 4, 1, 8), 0, nil},
		{"abort", pgformat.RMXact, pgformat.InfoXactAbort | hasInfo, words(1, 2, 2, 1, 8), 0, []uint32{8}},
		{"assignment", pgformat.RMXact, infoXactAssignment, words(5, 2, 8, 9), 5, []uint32{8, 9}},
		{"count larger than the list", pgformat.RMXact, infoXactAssignment, words(5, 0xFFFFFFFF, 8), 5, []uint32{8}},
		{"cut in a number", pgformat.RMXact, infoXactAssignment, words(5, 2, 8, 9)[:15], 5, []uint32{8}},
		{"cut in front of the flags", pgformat.RMXact, pgformat.InfoXactCommit | hasInfo, words(1)[:3], 0, nil},
		{"nothing at all", pgformat.RMXact, infoXactAssignment, nil, 0, nil},
		{"another resource manager", pgformat.RMHeap, pgformat.InfoXactCommit | hasInfo, words(1, 2, 2, 1, 8), 0, nil},
	} {
		spec := pgformat.Spec{RMID: c.rmid, Info: c.info, Xid: 7, Main: c.main, MainLen: len(c.main)}
		rec := make([]byte, spec.Len())
		spec.Encode(rec, 0, nil)
		m := describe(3, rec, parse(t, rec), []uint32{99})
		if m.index != 3 || m.xid != 7 || m.top != c.top || !slices.Equal(m.subs, c.subs) {
			t.Errorf("%s: %+v, want top %d and subtransactions %v", c.name, m, c.top, c.subs)
		}
	}
}
