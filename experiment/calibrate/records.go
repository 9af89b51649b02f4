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
	warmRecords    = 4 * flushPages // made before each sample, untimed
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
		tx := walsim.NewTx(none, b.meter)
		work := func(count int) {
			for i := range count {
				if i%flushPages == 0 {
					tx.Restart()
				}
				content.Off = i * 4099 % len(content.Pool)
				tx.Add(spec, content)
			}
		}
		b.add(name, 0, func(count int) (simtime.Duration, error) {
			work(warmRecords)
			start := b.p.Now()
			work(count)
			return b.p.Now().Sub(start), nil
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
	return b.addInsertion(none)
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
	m := &makers{tally: tally}
	for i := range m.sources {
		m.sources[i] = w.Source(loadgen.SourceOptions{Updater: i, Updaters: len(m.sources), Seed: 1})
		m.txs[i] = walsim.NewTx(d, b.meter)
	}
	b.add("transaction "+workload, 0, func(count int) (took simtime.Duration, err error) {
		m.make(b.p, warmTransactions)
		return m.make(b.p, count), nil
	})
	return nil
}

// makers make transactions in turn, as updaters that share a core do: by its next
// turn, what one has touched lies in the caches behind what the others have.
type makers struct {
	sources [sharingCore]loadgen.Source
	txs     [sharingCore]*walsim.Tx
	tally   *recordTally
	next    int
}

const (
	sharingCore = 4
	// warmTransactions come before each sample, untimed: the probes before it have
	// taken the caches and the predictor of branches, which an updater that does
	// nothing else finds as it left them. Without them a transaction of worst-case took
	// three times as long as in a log.
	warmTransactions = 32 * sharingCore
)

// make makes so many transactions, and says how long that took.
func (m *makers) make(p simtime.Proc, count int) (took simtime.Duration) {
	for range count {
		source, tx := m.sources[m.next], m.txs[m.next]
		m.next = (m.next + 1) % sharingCore
		start := p.Now()
		source.Next()
		tx.Restart()
		source.Build(tx, firstRedo)
		took += p.Now().Sub(start)
		m.tally.transactions++
		m.tally.records += int64(tx.Records())
		m.tally.bytes += tx.Bytes()
	}
	return took
}

// firstRedo is the redo pointer of all transactions: that of a log's start.
const firstRedo = pgformat.LSN(pgformat.DefaultSegmentSize)
