package main

import (
	"io"
	"strings"
	"unicode/utf8"
)

// listWidth is the widest line of a listing, in characters.
const listWidth = 100

// columns is a listing in columns. Each is as wide as its content, but at most
// its limit; text that does not fit goes on in the next line. The last column
// takes what is left of listWidth.
type columns struct {
	titles []string
	limits []int // of all columns but the last
	rows   [][]string
}

func (c *columns) add(cells ...string) { c.rows = append(c.rows, cells) }

// write prints the listing with its titles in capitals.
func (c *columns) write(w io.Writer) error {
	titles := make([]string, len(c.titles))
	for i, t := range c.titles {
		titles[i] = strings.ToUpper(t)
	}
	rows := append([][]string{titles}, c.rows...)
	widths := c.widths(rows)
	var b strings.Builder
	for _, row := range rows {
		writeRow(&b, row, widths)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// gap is the space between two columns.
const gap = 2

func (c *columns) widths(rows [][]string) []int {
	widths := make([]int, len(c.titles))
	left := listWidth
	for i, limit := range c.limits {
		for _, row := range rows {
			widths[i] = min(limit, max(widths[i], utf8.RuneCountInString(row[i])))
		}
		left -= widths[i] + gap
	}
	widths[len(widths)-1] = left
	return widths
}

// writeRow prints one row on as many lines as its longest cell needs.
func writeRow(b *strings.Builder, row []string, widths []int) {
	lines := 1
	wrapped := make([][]string, len(row))
	for i, cell := range row {
		wrapped[i] = wrap(cell, widths[i])
		lines = max(lines, len(wrapped[i]))
	}
	for n := range lines {
		var line strings.Builder
		for i, cell := range wrapped {
			text := ""
			if n < len(cell) {
				text = cell[n]
			}
			line.WriteString(text)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]+gap-utf8.RuneCountInString(text)))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// wrap breaks text into lines of at most width characters, between words where
// it can.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for utf8.RuneCountInString(word) > width {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			runes := []rune(word)
			lines, word = append(lines, string(runes[:width])), string(runes[width:])
		}
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
