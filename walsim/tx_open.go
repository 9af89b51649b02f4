package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// NewTx makes a Tx apart from any log, for whoever measures how long records take
// to make: those of design d, counted by m. It belongs to one process.
func NewTx(d *strategies.Design, m *simtime.Meter) *Tx { return &Tx{design: d, meter: m} }

// Restart clears t for another transaction of the same updater.
func (t *Tx) Restart() { t.begin(FirstXid, t.sum.sum) }

// Bytes is the length of all records added so far.
func (t *Tx) Bytes() (n int64) {
	for i := range t.recs {
		n += int64(len(t.recs[i].Buf))
	}
	return n
}
