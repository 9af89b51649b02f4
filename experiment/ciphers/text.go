package ciphers

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/walbench/walbench/results"
)

// WriteText prints the report for people: for each call a table of times, with a
// rival one of ratios, then what a context costs, and the warnings.
func (p *Report) WriteText(w io.Writer) error {
	for _, call := range Calls() {
		if err := p.writeCall(w, call); err != nil {
			return err
		}
	}
	if err := p.writeContexts(w); err != nil {
		return err
	}
	return p.writeFoot(w)
}

func (p *Report) writeCall(w io.Writer, call string) error {
	rows := p.rowsOf(func(r *Row) bool { return r.Call == call })
	if len(rows) == 0 {
		return nil
	}
	headline := fmt.Sprintf("%s: ns per record, by record size in bytes; best of %s", call, p.roundsText())
	if err := writeGrid(w, headline, rows, func(r *Row) *float64 { return &r.NsBest }); err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r *Row) bool { return r.RatioToRival == nil })
	if len(rows) == 0 {
		return nil
	}
	headline = fmt.Sprintf("%s: how many times as long %s takes, median of paired rounds", call, *rows[0].Rival)
	return writeGrid(w, headline, rows, func(r *Row) *float64 { return r.RatioToRival })
}

func (p *Report) roundsText() string {
	if p.Rounds == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", p.Rounds)
}

func (p *Report) rowsOf(wanted func(*Row) bool) (list []*Row) {
	for i := range p.Rows {
		if wanted(&p.Rows[i]) {
			list = append(list, &p.Rows[i])
		}
	}
	return list
}

// writeGrid prints a figure of rows: one line a suite and implementation, one
// column a size.
func writeGrid(w io.Writer, headline string, rows []*Row, figure func(*Row) *float64) error {
	var sizes []Size
	var ids [][2]string
	cells := map[[2]string]map[Size]string{}
	for _, r := range rows {
		id := [2]string{r.Suite, r.Implementation}
		if cells[id] == nil {
			ids, cells[id] = append(ids, id), map[Size]string{}
		}
		cells[id][r.size] = results.Figure(figure(r))
		if !slices.Contains(sizes, r.size) {
			sizes = append(sizes, r.size)
		}
	}
	m := results.Matrix{Names: [2]string{"suite", "by"}}
	for _, s := range sizes {
		m.Columns = append(m.Columns, strings.ReplaceAll(s.String(), "iB", ""))
	}
	for _, id := range inBlocks(ids) {
		row := results.MatrixRow{Names: id}
		for _, s := range sizes {
			row.Figures = append(row.Figures, orMissing(cells[id][s]))
		}
		m.Rows = append(m.Rows, row)
	}
	return writeTable(w, headline, &m)
}

// inBlocks brings the rows of a suite together, in the order of their first: a
// rival's rows are made last.
func inBlocks(ids [][2]string) [][2]string {
	var suites []string
	for _, id := range ids {
		if !slices.Contains(suites, id[0]) {
			suites = append(suites, id[0])
		}
	}
	slices.SortStableFunc(ids, func(a, b [2]string) int { return slices.Index(suites, a[0]) - slices.Index(suites, b[0]) })
	return ids
}

func orMissing(text string) string {
	if text == "" {
		return results.Figure(nil)
	}
	return text
}

func writeTable(w io.Writer, headline string, m *results.Matrix) error {
	if err := results.WriteParagraph(w, headline); err != nil {
		return err
	}
	if err := m.Write(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// writeContexts prints what does not depend on the size.
func (p *Report) writeContexts(w io.Writer) error {
	m := results.Matrix{Names: [2]string{"suite", "by"}, Columns: []string{"set-up ns", "allocs /record", "AES use"}}
	var ids [][2]string
	for i := range p.Rows {
		if id := [2]string{p.Rows[i].Suite, p.Rows[i].Implementation}; !slices.Contains(ids, id) && p.Rows[i].SetupNs > 0 {
			ids = append(ids, id)
		}
	}
	for _, id := range inBlocks(ids) {
		rows := p.rowsOf(func(r *Row) bool { return r.Suite == id[0] && r.Implementation == id[1] })
		use := largest(rows, func(r *Row) *float64 { return r.AESUtilisation })
		percent := results.Figure(nil)
		if use != nil {
			percent = fmt.Sprintf("%.0f%%", *use*100)
		}
		m.Rows = append(m.Rows, results.MatrixRow{Names: id, Figures: []string{
			results.Figure(smallest(rows, func(r *Row) *float64 { return &r.SetupNs })), countText(largest(rows, func(r *Row) *float64 { return r.Allocs })), percent,
		}})
	}
	if len(m.Rows) == 0 {
		return nil
	}
	return writeTable(w, "contexts: to make one for a fresh key; allocations, and the share of what the AES units can do, at most", &m)
}

func countText(v *float64) string {
	if v == nil {
		return results.Figure(nil)
	}
	return fmt.Sprintf("%.0f", *v)
}

// largest is the largest figure of rows; nil if none has one.
func largest(rows []*Row, figure func(*Row) *float64) (best *float64) {
	for _, r := range rows {
		if v := figure(r); v != nil && (best == nil || *v > *best) {
			best = v
		}
	}
	return best
}

func smallest(rows []*Row, figure func(*Row) *float64) (best *float64) {
	for _, r := range rows {
		if v := figure(r); v != nil && (best == nil || *v < *best) {
			best = v
		}
	}
	return best
}

// writeFoot prints what the run was measured with, and the warnings.
func (p *Report) writeFoot(w io.Writer) error {
	text := "one thread"
	if a, b := p.ClockBefore, p.ClockAfter; a != nil && b != nil {
		text += fmt.Sprintf("; clock %.2f GHz before, %.2f GHz after", *a, *b)
	}
	text += fmt.Sprintf("; %.1f additions a ns", p.AddsPerNs)
	if p.GapShare != nil {
		text += fmt.Sprintf("; %.1f%% of the time lost in gaps", *p.GapShare*100)
	}
	for _, r := range p.Rivals {
		text += fmt.Sprintf("; %s: %s, built by %s", r.Name, r.Version, r.Compiler)
	}
	if err := results.WriteParagraph(w, text); err != nil {
		return err
	}
	return results.WriteNotes(w, p.Complete, p.Warnings)
}
