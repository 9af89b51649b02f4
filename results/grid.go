package results

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// grid is a table with one row a strategy: its names, then figures.
type grid struct {
	headers []string // of the figures
	figures func(*Strategy) []string
}

// layout is one way to fit a table into the width.
type layout struct {
	stacked bool // the suite stands under the strategy, in the same column
	gap     int  // spaces between columns
}

// layouts, from the most readable to the narrowest, which always fits.
var layouts = []layout{{false, 2}, {false, 1}, {true, 2}, {true, 1}}

// write prints the table in the first layout that fits.
func (g *grid) write(b *bytes.Buffer, rows []*Strategy) error {
	text, err := firstFit(layouts, func(l layout) (string, error) {
		header := []string{"strategy", "suite"}
		if l.stacked {
			header = []string{"strategy\n suite"}
		}
		var cells [][]string
		for _, s := range rows {
			cells = append(cells, append(l.names(s), g.figures(s)...))
		}
		return l.render(header, g.headers, cells)
	})
	b.WriteString(text)
	return err
}

// firstFit is a table in the first of the layouts in which it is not wider than
// TableWidth, or else in the last.
func firstFit(layouts []layout, render func(layout) (string, error)) (text string, err error) {
	for _, l := range layouts {
		if text, err = render(l); err != nil {
			return "", err
		}
		if widest(text) <= TableWidth {
			break
		}
	}
	return text, nil
}

// render makes a table of rows whose cells stand under names and figures.
func (l layout) render(names, figures []string, rows [][]string) (string, error) {
	var b bytes.Buffer
	t := l.newTable(&b, len(figures))
	t.Header(slices.Concat(names, figures))
	for _, row := range rows {
		if err := t.Append(row); err != nil {
			return "", fmt.Errorf("table row: %w", err)
		}
	}
	if err := t.Render(); err != nil {
		return "", fmt.Errorf("table: %w", err)
	}
	return trimLines(b.String()), nil
}

// newTable makes an empty table with so many columns of figures. Two things the
// library would do are switched off: it rewrites headers (p99 would become
// "P 99"), and the option for that is forgotten by a configuration that comes
// after it, so all is in one; and it aligns numbers left.
func (l layout) newTable(b *bytes.Buffer, figures int) *tablewriter.Table {
	left := 2
	if l.stacked {
		left = 1
	}
	align := slices.Repeat([]tw.Align{tw.AlignRight}, left+figures)
	for i := range left {
		align[i] = tw.AlignLeft
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignRight, PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Left: tw.Empty, Right: strings.Repeat(" ", l.gap), Overwrite: true}},
	}
	config := tablewriter.Config{Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off}}
	look := tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleASCII),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off, ShowFooterLine: tw.Off},
		},
	}
	return tablewriter.NewTable(b, tablewriter.WithRenderer(renderer.NewBlueprint(look)), tablewriter.WithConfig(config))
}

// longestName bounds names that come from files, so that a line always fits.
const longestName = 20

func (l layout) names(s *Strategy) []string {
	name, suite := cut(s.Name), cut(s.Suite)
	if suite == "" || suite == "none" {
		suite = missing
	}
	if !l.stacked {
		return []string{name, suite}
	}
	if suite == missing {
		return []string{name}
	}
	return []string{name + "\n " + suite}
}

func cut(name string) string { return cutTo(name, longestName) }

func cutTo(name string, longest int) string {
	if runes := []rune(printable(name)); len(runes) > longest {
		return string(runes[:longest-1]) + "~"
	}
	return printable(name)
}
