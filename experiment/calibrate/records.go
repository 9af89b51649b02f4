package calibrate

import (
	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// recordTally is what the transactions of a probe were made of.
type recordTally struct{ transactions, records, bytes int64 }

// Lengths in bytes of the two records whose making is timed alone.
const (
	plainDataBytes = 64
	imageBytes     = 8000
)

// addRecords adds the making of records: two sizes alone, and the transactions of
// two workloads, which choose rows besides. The design adds nothing to records.
func (b *bench) addRecords() error {
	none, err := strategies.Lookup("none")
	if err != nil {
		return err
	}
	content := &pgformat.Content{Pool: b.ring[:1<<16]}
	for name, spec := range recordSpecs() {
		b.loop(name, func(count int) {
			tx := walsim.NewTx(none, b.meter)
			for i := range count {
				if i%flushPages == 0 {
					tx.Restart()
				}
				content.Off = i * 4099 % len(content.Pool)
				tx.Add(spec, content)
			}
		})
	}
	for _, w := range []struct {
		name  string
		tally *recordTally
	}{{"small", &b.small}, {loadgen.Default, &b.worst}} {
		if err := b.addTransactions(w.name, none, w.tally); err != nil {
			return err
		}
	}
	return nil
}

func recordSpecs() map[string]*pgformat.Spec {
	rel := pgformat.Rel{Spc: 1663, DB: 5, Node: 16384}
	plain := pgformat.Block{Rel: rel, HasData: true, DataLen: plainDataBytes}
	image := pgformat.Block{
		Rel: rel, HasImage: true, ImageLen: imageBytes, ImageInfo: pgformat.ImageHasHole | pgformat.ImageApply,
		HoleOffset: 100, HoleLen: pgformat.PageSize - imageBytes,
	}
	return map[string]*pgformat.Spec{
		"record plain": {RMID: pgformat.RMHeap, Blocks: []pgformat.Block{plain}, MainLen: 3},
		"record image": {RMID: pgformat.RMHeap, Blocks: []pgformat.Block{image}, MainLen: 3},
	}
}

// addTransactions adds the making of a workload's transactions, and tallies what
// they are made of.
func (b *bench) addTransactions(workload string, d *strategies.Design, tally *recordTally) error {
	w, err := loadgen.Open(workload, loadgen.Options{})
	if err != nil {
		return err
	}
	source := w.Source(loadgen.SourceOptions{Updaters: 1, Seed: 1})
	tx := walsim.NewTx(d, b.meter)
	b.add("transaction "+workload, 0, func(count int) (took simtime.Duration, err error) {
		for range count {
			start := b.p.Now()
			source.Next()
			tx.Restart()
			source.Build(tx, firstRedo)
			took += b.p.Now().Sub(start)
			tally.transactions++
			tally.records += int64(tx.Records())
			tally.bytes += tx.Bytes()
		}
		return took, nil
	})
	return nil
}

// firstRedo is the redo pointer of all transactions: that of a log's start.
const firstRedo = pgformat.LSN(pgformat.DefaultSegmentSize)
