package calibrate

import (
	"fmt"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// insertion times the placing of whole transactions in the buffers, the same ones in
// every sample: as many as updaters may share a core, made beforehand.
type insertion struct {
	x     *walsim.Insertion
	txs   [insertedTransactions]*walsim.Tx
	tally insertTally
}

const insertedTransactions = 8

// insertTally is what one pass over the transactions is made of.
type insertTally struct {
	records, pages       int64
	copyCalls, copyBytes int64
	crcCalls, crcBytes   int64
}

// addInsertion adds the placing of the records of worst-case. An operation is a
// transaction; a sample is a pass over all of them, behind so many that the buffers have
// been gone round once.
func (b *bench) addInsertion(none *strategies.Design) error {
	w, err := loadgen.Open(loadgen.Default, loadgen.Options{})
	if err != nil {
		return err
	}
	m := simtime.NewMeter()
	s := &insertion{x: walsim.NewInsertion(none, m)}
	for i := range s.txs {
		source := w.Source(loadgen.SourceOptions{Updater: i, Updaters: len(s.txs), Seed: 1})
		s.txs[i] = walsim.NewTx(none, b.meter)
		source.Next()
		s.txs[i].Restart()
		source.Build(s.txs[i], firstRedo)
	}
	s.pass()
	s.tally = insertTally{
		records: m.Records, pages: s.x.Pages(), copyCalls: m.CopyCalls, copyBytes: m.CopyBytes, crcCalls: m.CRCCalls, crcBytes: m.CRCBytes,
	}
	b.inserted = &s.tally
	b.add("insert", insertedTransactions, func(int) (simtime.Duration, error) {
		for before := s.x.Pages(); s.x.Pages()-before < ringBytes/pgformat.PageSize; {
			s.pass()
		}
		start := b.p.Now()
		s.pass()
		return b.p.Now().Sub(start), nil
	})
	return nil
}

func (s *insertion) pass() {
	for _, tx := range s.txs {
		s.x.Insert(tx)
	}
}

// addReserve adds what a record takes under the lock besides the operations that have
// numbers of their own: what placing whole transactions takes, less those operations,
// for each record; and no less than the arithmetic of its place alone.
func (n *numbers) addReserve() {
	alone, whole := n.bench.read("reserve"), n.bench.read("insert")
	t := n.bench.inserted
	of := func(name string) int64 { return n.list[name].Value }
	passPs := whole.best * insertedTransactions
	named := t.copyCalls*of("copy_call_ps") + t.copyBytes*of("copy_byte_fs")/fsPerPs +
		t.crcCalls*of("crc_call_ps") + t.crcBytes*of("crc_byte_fs")/fsPerPs +
		t.pages*(of("zero_call_ps")+pgformat.PageSize*of("zero_byte_fs")/fsPerPs+of("page_ps"))
	n.set("reserve_ps", max(alone.best, (passPs-named)/t.records), simtime.Measured, fmt.Sprintf(
		"placing %d records of worst-case takes %s, of which %s are copies, checksums and pages; at least the arithmetic of a place, %s: best of %d rounds (medians %s, %s)",
		t.records, nanoseconds(passPs), nanoseconds(named), nanoseconds(alone.best), n.rounds, nanoseconds(whole.median*insertedTransactions), nanoseconds(alone.median)))
}
