package ciphers

import (
	"fmt"
	"io"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/strategies/aesctr"
)

// articleSize is the block size of the source article's table.
const articleSize = 4096

// articleSuites are the rows of the source article's table: what memory allows,
// then the three modes with both key sizes.
var articleSuites = []string{
	Read, Memcpy, "aes-128-ctr", "aes-256-ctr", "aes-128-xts", "aes-256-xts", "aes-128-gcm", "aes-256-gcm",
}

// Article is what the source article's table of bandwidths measures: sequential
// blocks of 4 kB, one call each, by the selected implementation and the standard
// library.
func Article() Config {
	i, _ := aesctr.Selected() // commands refuse a wrong choice before
	return Config{
		Suites: articleSuites, Implementations: []string{"go", i.Name, "stdlib"},
		Calls: []Call{PerRecord}, Sizes: []Size{{articleSize, articleSize}},
	}
}

// WriteArticle prints the report of an Article run as that table, in GB/s: the
// best implementation of each suite here, and the rival beside it.
func (r *Report) WriteArticle(w io.Writer) error {
	if err := r.writeHead(w); err != nil {
		return err
	}
	header := []string{"4 kB blocks", "GB/s", "median", "by"}
	for _, rival := range r.Rivals {
		header = append(header, rival.Name)
	}
	var rows [][]string
	for _, suite := range articleSuites {
		if ours := r.fastest(suite, false); ours != nil {
			rows = append(rows, r.articleRow(ours))
		}
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return results.WriteFigures(w, header, rows)
}

func (r *Report) articleRow(ours *Row) []string {
	gb := figure(articleSize / ours.NsPerRecordMedian)
	row := []string{ours.Suite, figure(ours.GBPerS), gb, ours.Implementation}
	if len(r.Rivals) == 0 {
		return row
	}
	theirs := "-"
	if t := r.fastest(ours.Suite, true); t != nil {
		theirs = figure(t.GBPerS)
	}
	return append(row, theirs)
}

// fastest is the row of the suite that took least, of the rivals' or of ours.
func (r *Report) fastest(suite string, rival bool) *Row {
	var best *Row
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Suite == suite && row.theirs == rival && (best == nil || row.NsPerRecord < best.NsPerRecord) {
			best = row
		}
	}
	return best
}
