package ciphers

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/walbench/walbench/results"
)

// section is one table of the report's text.
type section struct {
	title string
	calls func(Call) bool
	value func(*Row) *float64
	text  func(float64) string
}

// WriteText prints the report for people: a table for each call with the best
// nanoseconds of a record, and what follows from them.
func (r *Report) WriteText(w io.Writer) error {
	if err := r.writeHead(w); err != nil {
		return err
	}
	for _, call := range Calls() {
		only := func(c Call) bool { return c == call }
		list := []section{
			{"ns per record, best: " + string(call), only, func(r *Row) *float64 { return &r.NsPerRecord }, figure},
			{"times as fast as the rival, median of rounds: " + string(call), only, func(r *Row) *float64 { return r.RatioToRival }, figure},
		}
		for _, s := range list {
			if err := r.writeSection(w, s); err != nil {
				return err
			}
		}
	}
	all := func(Call) bool { return true }
	for _, s := range []section{
		{"times the cost of a plain copy, best of both", all, func(r *Row) *float64 { return r.RatioToMemcpyBest }, figure},
		{"share of what the AES units allow, best", all, func(r *Row) *float64 { return r.AESUtilisation }, percent},
	} {
		if err := r.writeSection(w, s); err != nil {
			return err
		}
	}
	return r.writeSetups(w)
}

func (r *Report) writeHead(w io.Writer) error {
	if r.Host.CPU.Brand != nil {
		if _, err := fmt.Fprintln(w, *r.Host.CPU.Brand); err != nil {
			return err
		}
	}
	if r.ClockGHzBefore != nil {
		if _, err := fmt.Fprintf(w, "clock %.2f GHz before, %.2f after (estimated); %.1f adds/ns; other work %.1f%%\n",
			*r.ClockGHzBefore, *r.ClockGHzAfter, r.AddsPerNs, 100*r.GapShare); err != nil {
			return err
		}
	}
	for _, rival := range r.Rivals {
		if _, err := fmt.Fprintf(w, "rival: %s (%s)\n", rival.Version, rival.Compiler); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d rounds\n", r.Rounds)
	return err
}

// label names a row's line; with several calls in one table it says which.
func (r *Row) label(withCall bool) string {
	name := r.Suite + "/" + r.Implementation
	if withCall && r.Call != PerRecord {
		name += " " + string(r.Call)
	}
	return name
}

func (r *Report) writeSection(w io.Writer, s section) error {
	var sizes []Size
	var labels []string
	cells := map[string]string{}
	withCall := s.calls(PerRecord) && s.calls(Batch)
	for i := range r.Rows {
		row := &r.Rows[i]
		v := s.value(row)
		if !s.calls(row.Call) || v == nil {
			continue
		}
		label := row.label(withCall)
		if !slices.Contains(sizes, row.Size()) {
			sizes = append(sizes, row.Size())
		}
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
		cells[label+row.Size().String()] = s.text(*v)
	}
	if len(labels) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", s.title); err != nil {
		return err
	}
	return writeCells(w, labels, sizes, cells)
}

func writeCells(w io.Writer, labels []string, sizes []Size, cells map[string]string) error {
	header := []string{"suite"}
	for _, size := range sizes {
		header = append(header, size.String())
	}
	var rows [][]string
	for _, label := range labels {
		row := []string{label}
		for _, size := range sizes {
			cell := cells[label+size.String()]
			if cell == "" {
				cell = "-"
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return results.WriteFigures(w, header, rows)
}

// writeSetups prints what a context costs, and what a record allocates.
func (r *Report) writeSetups(w io.Writer) error {
	var rows [][]string
	seen := map[string]int{}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.SetupNs == nil {
			continue
		}
		label := row.label(true)
		at, ok := seen[label]
		if !ok {
			at = len(rows)
			seen[label] = at
			rows = append(rows, []string{label, figure(*row.SetupNs), figure(row.Allocs)})
		}
		if rows[at][2] != figure(row.Allocs) { // it depends on the size
			rows[at][2] = "0-" + figure(max(row.Allocs, 1))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w, "\nset-up of a context for a fresh key"); err != nil {
		return err
	}
	return results.WriteFigures(w, []string{"suite", "ns", "allocations a record"}, rows)
}

// figure has three digits or so.
func figure(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 0, 64) + "%" }
