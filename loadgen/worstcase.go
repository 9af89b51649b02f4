package loadgen

import "github.com/walbench/walbench/fpw"

// worstCaseDefaults are the article's numbers, where it gives any: 100 random
// rows, "a few tables, each with a few million rows"; the tables are those of
// the measurements in PostgreSQL 15. One update in ten touches a page for the
// first time since the checkpoint.
var worstCaseDefaults = PageOptions{
	Tables: 4, RowsPerTable: 1_000_000, RowsPerUpdate: 100, Fillfactor: 100,
	Compression: "off", Compressibility: "hex",
}

const (
	// worstCaseTuple is a row of (id int, c int, pad text of 84 characters).
	worstCaseTuple = 117
	// worstCaseChange is what HOT_UPDATE logs of `c = c + 1`: what old and new row
	// do not have in common, with the header (measured).
	worstCaseChange = 11
	// worstCaseNonHot is the share of updates that reach the index of a table that
	// has been updated many times: 0.33 a transaction of 100 (measured).
	worstCaseNonHot = 0.0033
)

// openWorstCase opens worst-case: UPDATE t SET c = c + 1 WHERE id IN (100 random
// ids), on one of a few tables.
func openWorstCase(name, _ string, o Options) (Workload, error) {
	by := worstCaseDefaults
	rows := o.RowsPerUpdate
	orDefault(&rows, by.RowsPerUpdate)
	by.Phase = imagesPhase(float64(rows) / 10)
	c, err := o.config(worstCaseTuple, by)
	if err != nil {
		return nil, err
	}
	c.NonHot = worstCaseNonHot
	c.HotData = [2]int{worstCaseChange, worstCaseChange}
	c.Seed, c.OtherBytes, c.FirstNode = fpw.PlanSeed, commitBytes, firstRelation
	return openUpdates(name, c, 0)
}
