package loadgen

import (
	"bytes"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

func TestSmallIsOneRecordOf100Bytes(t *testing.T) {
	r := transactionsOf(source(open(t, "small"), 0, 1, 1), 3)
	if len(r.records) != 3 {
		t.Fatalf("3 transactions gave %d records", len(r.records))
	}
	for i, rec := range r.records {
		if len(rec) != 100 || pgformat.TotLen(rec) != 100 {
			t.Errorf("record %d has %d bytes and says %d, want 100", i, len(rec), pgformat.TotLen(rec))
		}
		p := parse(t, rec)
		if got := pgformat.RMName(p.Header.RMID) + "/" + pgformat.RecordType(15, p.Header.RMID, p.Header.Info); got != "LogicalMessage/MESSAGE" {
			t.Errorf("record %d is %s", i, got)
		}
		// xl_logical_message by hand: database 5, not transactional, prefix of 9
		// bytes with its zero, message of 41.
		want := "\x05\x00\x00\x00" + "\x00\x00\x00\x00" + "\x09\x00\x00\x00\x00\x00\x00\x00" +
			"\x29\x00\x00\x00\x00\x00\x00\x00" + "walbench\x00"
		main := rec[len(rec)-p.MainLen:]
		if p.MainLen != 74 || !bytes.HasPrefix(main, []byte(want)) {
			t.Errorf("record %d: main data of %d bytes %x, want 74 that begin %x", i, p.MainLen, main, want)
		}
		if i > 0 && bytes.Equal(rec, r.records[i-1]) {
			t.Errorf("record %d repeats the one before", i)
		}
	}
}
