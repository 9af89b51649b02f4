package ciphers

import (
	"fmt"
	"io"

	"github.com/walbench/walbench/results"
)

// articleBytes is the size of its blocks.
const articleBytes = 4096

// WriteArticle prints the article's table: what one thread does in 4 kB blocks,
// in GB/s.
func (p *Report) WriteArticle(w io.Writer) error {
	m := results.Matrix{Names: [2]string{"4 kB blocks", "by"}, Columns: []string{"GB/s"}}
	if len(p.Rivals) > 0 {
		m.Columns = append(m.Columns, p.Rivals[0].Name+" GB/s", "ratio")
	}
	for _, suite := range ArticleSuites() {
		ours, rival := p.fastest(suite)
		if ours == nil {
			continue
		}
		row := results.MatrixRow{Names: [2]string{suite, ours.Implementation}, Figures: []string{results.Figure(&ours.GBPerS)}}
		if len(p.Rivals) > 0 {
			row.Figures = append(row.Figures, results.Figure(speed(rival)), results.Figure(ours.RatioToRival))
		}
		m.Rows = append(m.Rows, row)
	}
	headline := fmt.Sprintf("one thread, block after block, a nonce each, working set 2 x 16 kB; fastest implementation, best of %s",
		p.roundsText())
	if err := writeTable(w, headline, &m); err != nil {
		return err
	}
	return p.writeFoot(w)
}

// fastest finds the fastest row of a suite among those of the article's kind, and
// the rival's.
func (p *Report) fastest(suite string) (ours, rival *Row) {
	for _, r := range p.rowsOf(func(r *Row) bool { return r.Suite == suite && r.Call == CallPerRecord && r.SizeBytes == articleBytes }) {
		switch {
		case r.Implementation == RivalOpenSSL:
			rival = r
		case ours == nil || r.GBPerS > ours.GBPerS:
			ours = r
		}
	}
	return ours, rival
}

func speed(r *Row) *float64 {
	if r == nil {
		return nil
	}
	return &r.GBPerS
}
