package results

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// TableWidth is the widest line WriteTable prints, in characters.
const TableWidth = 100

// WriteTable prints r for people: for each workload a headline and a table,
// measured and modelled ones apart, and the numbered warnings under all of them.
func WriteTable(w io.Writer, r *Run) error {
	var b bytes.Buffer
	notes := slices.Clone(r.Warnings)
	cores := r.measuredCores()
	if r.Kind == ModelledKind {
		cores = r.modelledCores()
	}
	if err := writeBlocks(&b, r, r.Config.Clients, cores, r.Strategies); err != nil {
		return err
	}
	notes = append(notes, readBackNotes(r.Strategies)...)
	if m := r.Modelled; m != nil {
		clients := r.Config.Clients
		if m.Clients != nil {
			clients = *m.Clients
		}
		cores := fmt.Sprintf("modelled on %s with profile %s", plural(m.Cores, "core"), m.Profile)
		if err := writeBlocks(&b, r, clients, cores, m.Strategies); err != nil {
			return err
		}
		notes = append(notes, readBackNotes(m.Strategies)...)
	}
	writeNotes(&b, r.Complete, notes)
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Run) measuredCores() string {
	if r.Host == nil {
		return "measured"
	}
	return "measured on " + plural(min(r.Host.Cores.Usable, r.Host.GOMAXPROCS), "core")
}

func (r *Run) modelledCores() string {
	s := "modelled"
	if r.Config.VirtualCores != nil {
		s += " on " + plural(*r.Config.VirtualCores, "core")
	}
	if r.Config.Profile != nil {
		s += " with profile " + *r.Config.Profile
	}
	return s
}

// writeBlocks prints one headline and table for each workload in the list.
func writeBlocks(b *bytes.Buffer, r *Run, clients int, cores string, list []Strategy) error {
	for _, workload := range workloadsOf(list) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		var rows []*Strategy
		runs := 0
		for i := range list {
			if list[i].Workload == workload {
				rows = append(rows, &list[i])
				runs = max(runs, len(list[i].Repetitions))
			}
		}
		line := fmt.Sprintf("%s: %s, %s lock, device %s, %s, %s", workload, plural(clients, "updater"),
			r.Config.Lock, r.Config.Device, plural(runs, "run"), cores)
		writeWrapped(b, "", "  ", line)
		if err := writeRows(b, rows); err != nil {
			return err
		}
	}
	return nil
}

// workloadsOf lists the workloads in the order of their blocks.
func workloadsOf(list []Strategy) []string {
	var names []string
	for i := range list {
		if !slices.Contains(names, list[i].Workload) {
			names = append(names, list[i].Workload)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return workloadRank(a) - workloadRank(b) })
	return names
}

// layout is one way to fit a table into the width.
type layout struct {
	stacked bool // the suite stands under the strategy, in the same column
	gap     int  // spaces between columns
}

// layouts, from the most readable to the narrowest, which always fits.
var layouts = []layout{{false, 2}, {false, 1}, {true, 2}, {true, 1}}

// writeRows prints the table in the first layout that fits.
func writeRows(b *bytes.Buffer, rows []*Strategy) error {
	for i, l := range layouts {
		text, err := l.render(rows)
		if err != nil {
			return err
		}
		if i == len(layouts)-1 || widest(text) <= TableWidth {
			b.WriteString(text)
			return nil
		}
	}
	return nil
}

// figureHeaders are the columns behind strategy and suite.
var figureHeaders = []string{"commits\n/s", "vs\nnone", "range", "held ns\n/commit", "hold\np50", "hold\np99",
	"encr\nB/B", "writ\nB/B", "log\ngrowth", "read\nback"}

func (l layout) render(rows []*Strategy) (string, error) {
	var b bytes.Buffer
	t := l.newTable(&b)
	header := []string{"strategy", "suite"}
	if l.stacked {
		header = []string{"strategy\n suite"}
	}
	t.Header(append(header, figureHeaders...))
	for _, s := range rows {
		if err := t.Append(append(l.names(s), figures(s)...)); err != nil {
			return "", fmt.Errorf("table row: %w", err)
		}
	}
	if err := t.Render(); err != nil {
		return "", fmt.Errorf("table: %w", err)
	}
	return trimLines(b.String()), nil
}

// newTable makes an empty table. Two things the library would do are switched
// off: it rewrites headers (p99 would become "P 99"), and the option for that is
// forgotten by a configuration that comes after it, so all is in one; and it
// aligns numbers left.
func (l layout) newTable(b *bytes.Buffer) *tablewriter.Table {
	left := 2
	if l.stacked {
		left = 1
	}
	align := slices.Repeat([]tw.Align{tw.AlignRight}, left+len(figureHeaders))
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

func cut(name string) string {
	if runes := []rune(printable(name)); len(runes) > longestName {
		return string(runes[:longestName-1]) + "~"
	}
	return printable(name)
}

// printable takes control characters out of s: a result file may come from
// anywhere, and a terminal obeys them.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// figures are a row's cells behind strategy and suite.
func figures(s *Strategy) []string {
	relative, low, high := s.relative()
	return []string{
		amount(s.ThroughputTPS.Median), share(relative), span(low, high),
		amount(s.LockHeldNsPerCommit), duration(s.LockHoldNs.P50), duration(s.LockHoldNs.P99),
		perByte(s.EncryptedBytesPerRealByte), perByte(s.WrittenBytesPerRealByte), percent(s.LogGrowth),
		readBack(s),
	}
}

// relative is the relative throughput and its range: over repetitions if
// measured, over assumed costs if modelled.
func (s *Strategy) relative() (median, low, high *float64) {
	if s.RelativeThroughput == nil {
		return nil, nil, nil
	}
	r := s.RelativeThroughput
	switch {
	case s.Range != nil:
		return r.Median, s.Range.Low, s.Range.High
	case len(s.ThroughputTPS.Runs) < 2:
		return r.Median, nil, nil
	}
	return r.Median, r.Low, r.High
}

// readBack says in a word whether the log was read back and was right.
func readBack(s *Strategy) string {
	v := s.Verified
	switch {
	case v == nil && s.Cores != nil:
		return missing // a model that only counts has no bytes
	case v == nil:
		return "not kept"
	case v.OK():
		return "ok"
	case v.Phantom == 0:
		return smallCount(v.Lost) + " lost"
	}
	return smallCount(v.Lost+v.Phantom) + " bad"
}

func smallCount(n int64) string {
	f := float64(n)
	if n < 1000 {
		return amount(&f)
	}
	return ">999"
}

// readBackNotes spells out what a cell has no room for.
func readBackNotes(list []Strategy) []string {
	var notes []string
	for i := range list {
		s := &list[i]
		if v := s.Verified; v != nil && !v.OK() {
			notes = append(notes, fmt.Sprintf("VERIFICATION FAILED: %s, %s: of %s records acknowledged %s were read back, %s lost, %s phantom",
				s.Workload, s.Name, grouped(v.RecordsAcknowledged), grouped(v.RecordsRecovered), grouped(v.Lost), grouped(v.Phantom)))
		}
		if a := s.KeystreamAudit; a != nil && a.Reused > 0 {
			notes = append(notes, fmt.Sprintf("KEYSTREAM REUSED: %s, %s: %s of %s encrypted bytes share keystream with another plaintext",
				s.Workload, s.Name, grouped(a.Reused), grouped(a.Bytes)))
		}
	}
	return notes
}

func writeNotes(b *bytes.Buffer, complete bool, notes []string) {
	if !complete {
		notes = append([]string{"the run was interrupted: this is a partial result"}, notes...)
	}
	if len(notes) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("warnings:\n")
	for i, n := range notes {
		writeWrapped(b, fmt.Sprintf("%3d. ", i+1), "     ", n)
	}
}

// writeWrapped prints text behind first, broken at spaces, with further lines
// behind rest. A word longer than a line is broken anywhere.
func writeWrapped(b *bytes.Buffer, first, rest, text string) {
	line, empty := first, true
	flush := func() {
		b.WriteString(line + "\n")
		line, empty = rest, true
	}
	for _, word := range strings.Fields(text) {
		word = printable(word)
		if !empty && width(line)+1+width(word) > TableWidth {
			flush()
		}
		if !empty {
			line += " "
		}
		for runes := []rune(word); ; {
			room := TableWidth - width(line)
			if len(runes) <= room {
				line, empty = line+string(runes), false
				break
			}
			line += string(runes[:room])
			runes = runes[room:]
			flush()
		}
	}
	flush()
}

func width(s string) int { return utf8.RuneCountInString(s) }

func widest(text string) int {
	n := 0
	for l := range strings.SplitSeq(text, "\n") {
		n = max(n, width(l))
	}
	return n
}

func trimLines(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return b.String()
}
