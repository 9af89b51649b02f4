package loadgen

import "github.com/walbench/walbench/fpw"

// oltpDefaults are pgbench's accounts at scale 20, long after a checkpoint.
var oltpDefaults = PageOptions{
	Tables: 1, RowsPerTable: 2_000_000, RowsPerUpdate: 1, Fillfactor: 100, Phase: "late",
	Compression: "off", Compressibility: "hex",
}

// Measured with pgbench -N (PostgreSQL 15).
const (
	accountTuple = 121    // aid, bid, abalance int, filler char(84)
	historyTuple = 48     // tid, bid, aid, delta int, mtime timestamp, filler null
	oltpNonHot   = 0.0018 // of all updates reach the index
	// oltpOtherBytes are INSERT into history and commit.
	oltpOtherBytes = 79 + commitBytes
)

// openOLTP opens oltp: pgbench -N, an update of one random row and an insert into
// a history table.
func openOLTP(name, _ string, o Options) (Workload, error) {
	c, err := o.config(accountTuple, oltpDefaults)
	if err != nil {
		return nil, err
	}
	c.NonHot, c.HotData = oltpNonHot, [2]int{12, 14}
	c.Seed, c.OtherBytes, c.FirstNode = fpw.PlanSeed, oltpOtherBytes, firstRelation+1
	return openUpdates(name, c, historyTuple)
}

// imagesPhase is the phase that holds n images a transaction.
func imagesPhase(n float64) string { return fpw.Phase{Kind: fpw.Images, Images: n}.String() }
