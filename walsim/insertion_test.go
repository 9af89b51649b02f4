package walsim

import (
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// An insertion places records as a log does, over and over through its buffers.
func TestInsertion(t *testing.T) {
	none, err := strategies.Lookup("none")
	if err != nil {
		t.Fatal(err)
	}
	m := simtime.NewMeter()
	x, tx := NewInsertion(none, m), NewTx(none, m)
	tx.Restart()
	one := newOneRecord(100)
	one.times = 1000
	one.Build(tx, 0)
	const rounds = 400 // about 40 MB
	for range rounds {
		x.Insert(tx)
	}
	if m.Records != rounds*1000 || m.RealBytes != rounds*1000*100 || m.WriteCalls != 0 {
		t.Errorf("%d records, %d bytes, %d writes", m.Records, m.RealBytes, m.WriteCalls)
	}
	if got, want := m.ZeroBytes, x.Pages()*pgformat.PageSize; got != want || x.Pages() < rounds*1000*100/pgformat.PageSize {
		t.Errorf("%d bytes cleared, %d pages", got, x.Pages())
	}
	if n := testing.AllocsPerRun(10, func() { x.Insert(tx) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
