package loadgen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/walsim/pgformat"
)

// endings spell how a record ends its transaction, in the shorthand of the
// tests below.
var endings = map[byte]uint8{
	'c': pgformat.InfoXactCommit, 'a': pgformat.InfoXactAbort, 'p': pgformat.InfoXactPrepare,
	'C': pgformat.InfoXactCommitPrepared, 'A': pgformat.InfoXactAbortPrepared,
}

// group feeds records in shorthand: xid, then a letter if the record ends it,
// then "^top" for a top-level header and "+sub" for each listed subtransaction.
func group(t *testing.T, log string) transactions {
	t.Helper()
	g := newGrouper()
	for i, word := range strings.Fields(log) {
		m := member{index: uint32(i), rmid: pgformat.RMHeap}
		var end string
		if _, err := fmt.Sscanf(word, "%d%s", &m.xid, &end); err != nil && end != "" {
			t.Fatal(err)
		}
		for len(end) > 0 {
			var n int
			switch end[0] {
			case '^':
				_, _ = fmt.Sscanf(end[1:], "%d", &m.top)
				n = 1 + len(fmt.Sprint(m.top))
			case '+':
				var sub uint32
				_, _ = fmt.Sscanf(end[1:], "%d", &sub)
				m.subs = append(m.subs, sub)
				n = 1 + len(fmt.Sprint(sub))
			default:
				m.rmid, m.info, n = pgformat.RMXact, endings[end[0]]|pgformat.InfoXactHasInfo, 1
			}
			end = end[n:]
		}
		g.add(m)
	}
	return g.finish()
}

func TestGrouping(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"one", "1 1 1c", "[0 1 2]"},
		{"order of ends", "1 2 2c 1 1c", "[1 2] [0 3 4]"},
		{"abort ends", "1 2 1a 2c", "[0 2] [1 3]"},
		{"without xid joins the next with one", "0 1 0 0 2 1c 2c", "[0 1 5] [2 3 4 6]"},
		{"without xid before a commit", "1 0 1c", "[0 1 2]"},
		{"rest is one transaction", "1 2 3 1c 2 3 0", "[0 3] [1 2 4 5 6]"},
		{"begun before, never ended, and behind", "1 2c 1", "[1] [0 2]"},
		{"prepare ends, commit prepared is its own", "1 1p 2 2c 0C", "[0 1] [2 3] [4]"},
		{"commit prepared with xid", "1 1p 0 1C", "[0 1] [2 3]"},
		{"abort prepared", "1 1p 0A", "[0 1] [2]"},
		{"top-level header", "5 6^5 6 5c", "[0 1 2 3]"},
		{"header seen late", "5 6 7 6^5 6 5c 7c", "[0 1 3 4 5] [2 6]"},
		{"end of a subtransaction ends nothing", "5 6^5 6a 5c", "[0 1 2 3]"},
		{"unknown subtransaction that aborts", "5 6 6a 5c", "[1 2] [0 3]"},
		{"subtransactions in the commit", "5 6 7 9 5c+6+7 9c", "[0 1 2 4] [3 5]"},
		{"subtransactions in an assignment", "6 6^5+6+7 7 5 5c", "[0 1 2 3 4]"},
		{"a commit that lists itself", "5 5c+5", "[0 1]"},
		{"id used again", "1 1c 1 1c", "[0 1] [2 3]"},
		{"nothing", "", ""},
	} {
		got := group(t, c.log)
		if got.withoutCommit && c.log != "" {
			t.Errorf("%s: taken for a log without commit", c.name)
		}
		if s := show(&got); s != c.want {
			t.Errorf("%s: %q gives %s, want %s", c.name, c.log, s, c.want)
		}
	}
}

func show(t *transactions) string {
	var all []string
	for i := range t.count() {
		all = append(all, fmt.Sprint(t.at(i)))
	}
	return strings.Join(all, " ")
}

func TestUnitsWithoutCommit(t *testing.T) {
	for _, c := range []struct {
		records int
		want    []int
	}{{1, []int{1}}, {99, []int{99}}, {100, []int{100}}, {101, []int{100, 1}}, {300, []int{100, 100, 100}}} {
		got := group(t, strings.Repeat("1 ", c.records))
		var sizes []int
		for i := range got.count() {
			sizes = append(sizes, len(got.at(i)))
		}
		if !got.withoutCommit || !slices.Equal(sizes, c.want) {
			t.Errorf("%d records: units of %v, without commit %t, want %v", c.records, sizes, got.withoutCommit, c.want)
		}
		if notes := got.notes(); len(notes) != 1 {
			t.Errorf("notes %q, want one", notes)
		}
	}
}

func TestUnendedNote(t *testing.T) {
	got := group(t, "1 2 2c 1")
	if want := "2 records of transactions that do not end in it form one transaction"; !slices.Equal(got.notes(), []string{want}) {
		t.Errorf("notes %q, want %q", got.notes(), want)
	}
	if whole := group(t, "1 1c"); len(whole.notes()) != 0 {
		t.Errorf("notes %q, want none", whole.notes())
	}
}

// Whatever the log, every record is in one transaction, once, and in order.
func TestGroupingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrouper()
		n := rapid.IntRange(1, 400).Draw(t, "records")
		few := rapid.Uint32Range(0, 6)
		for i := range n {
			g.add(member{
				index: uint32(i), xid: few.Draw(t, "xid"), top: rapid.SampledFrom([]uint32{0, 0, 0, 1, 2}).Draw(t, "top"),
				rmid: rapid.SampledFrom([]uint8{pgformat.RMHeap, pgformat.RMXact}).Draw(t, "rmid"),
				info: rapid.Uint8().Draw(t, "info"), subs: rapid.SliceOfN(few, 0, 2).Draw(t, "subs"),
			})
		}
		out := g.finish()
		if err := coversOnce(&out, n); err != nil {
			t.Fatal(err)
		}
	})
}

// coversOnce checks that every one of n records is in one transaction, once,
// and that records within a transaction ascend.
func coversOnce(t *transactions, n int) error {
	seen := make([]bool, n)
	total := 0
	for i := range t.count() {
		records := t.at(i)
		if len(records) == 0 {
			return fmt.Errorf("transaction %d is empty", i)
		}
		if !slices.IsSorted(records) {
			return fmt.Errorf("transaction %d is not in order: %v", i, records)
		}
		for _, r := range records {
			if seen[r] {
				return fmt.Errorf("record %d is in two transactions", r)
			}
			seen[r] = true
		}
		total += len(records)
	}
	if total != n {
		return fmt.Errorf("%d of %d records are in transactions", total, n)
	}
	return nil
}
