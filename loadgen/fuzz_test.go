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
		if w.realBytes < 1<<22 { // lengths were checked on loading; encoding them all takes long
			checkRows(t, &w.table)
		}
		if _, err := w.segmentSize(); err != nil && !errors.Is(err, ErrInput) {
			t.Fatal(err)
		}
	})
}

func checkRows(t *testing.T, rows *table) {
	for i := range rows.rows {
		rec := rows.record(i)
		var p pgformat.Record
		if err := pgformat.ParseRecord(rec, &p); err != nil {
			t.Fatal(err)
		}
		if len(rec) != int(rows.rows[i].length) || p.ImageBytes != int(rows.rows[i].imageBytes) {
			t.Fatalf("row %d became %d bytes with %d of images, want %+v", i, len(rec), p.ImageBytes, rows.rows[i])
		}
	}
}
