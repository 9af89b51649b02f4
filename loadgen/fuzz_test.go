package loadgen

import (
	"bytes"
	"errors"
	"testing"

	"github.com/walbench/walbench/walsim/pgformat"
)

// FuzzTrace: no file makes the parser panic or hang; an error is an InputError
// on one line; what it accepts replays to records of exactly the recorded
// lengths, each row once.
func FuzzTrace(f *testing.F) {
	f.Add([]byte(header + goodRow))
	f.Add([]byte(header + "0/28,0/2068,0,Heap2,PRUNE,8047,8,7988,1,r0:5F\n0/2068,0/2090,9,Transaction,COMMIT,34,8,0,0,\n"))
	f.Add(pack(f, header+goodRow))
	f.Fuzz(func(t *testing.T, file []byte) {
		w, err := loadTrace("trace:t", "t", bytes.NewReader(file))
		if err != nil {
			var input *InputError
			if !errors.As(err, &input) || bytes.ContainsAny([]byte(err.Error()), "\n\r") {
				t.Fatalf("error %q of type %T", err, err)
			}
			return
		}
		switches := 0
		for i := range w.table.rows {
			if isSwitch(w.table.rows[i].rmid, w.table.rows[i].info) {
				switches++
			}
		}
		if w.deals.count() == 0 || len(w.deals.records) != w.Records()-switches {
			t.Fatalf("%d of %d records in %d transactions", len(w.deals.records), w.Records(), w.deals.count())
		}
		s := source(w, 0, 1, 1)
		for i := range w.deals.count() {
			if w.realBytes > 1<<22 {
				break // lengths were checked on loading; building them all takes long
			}
			for j, rec := range transactionsOf(s, 1).records {
				var p pgformat.Record
				if err := pgformat.ParseRecord(rec, &p); err != nil {
					t.Fatal(err)
				}
				if row := w.deals.at(i)[j]; len(rec) != int(w.table.rows[row].length) {
					t.Fatalf("row %d became %d bytes, want %d", row, len(rec), w.table.rows[row].length)
				}
			}
		}
		if e, err := w.Exact(1); err == nil && !e.Next() {
			t.Fatal("exact order of nothing")
		}
	})
}
