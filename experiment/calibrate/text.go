package calibrate

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// WriteText prints a profile for people: every number with its source and what it
// comes from, then the warnings.
func WriteText(w io.Writer, p *simtime.Profile) error {
	var b bytes.Buffer
	for _, l := range wrap(fmt.Sprintf("%s: %s, %s", p.Name, p.Machine, p.Date), results.TableWidth) {
		b.WriteString(l + "\n")
	}
	b.WriteString("\n")
	fmt.Fprintf(&b, nameFormat, "number", "value", "source", "from")
	last := ""
	for _, name := range p.Inputs() {
		n, _ := p.Input(name)
		from := n.From
		if from == last {
			from = "the same"
		}
		last = n.From
		writeNumber(&b, name, n, from)
	}
	for i, warning := range p.Warnings {
		if i == 0 {
			b.WriteString("\nwarnings:\n")
		}
		for j, l := range wrap(warning, results.TableWidth-warningIndent) {
			fmt.Fprintf(&b, "%*s %s\n", warningIndent-1, ordinal(i, j), l)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

const (
	nameFormat    = "%-30s %16s %-8s %s\n"
	fromAt        = 30 + 1 + 16 + 1 + 8 + 1 // where the last column begins
	warningIndent = 5
)

// ordinal is the number of warning i in front of its first line.
func ordinal(i, line int) string {
	if line > 0 {
		return ""
	}
	return fmt.Sprintf("%d.", i+1)
}

func writeNumber(b *bytes.Buffer, name string, n simtime.Number, from string) {
	for i, l := range wrap(from, results.TableWidth-fromAt) {
		if i == 0 {
			fmt.Fprintf(b, nameFormat, name, fmt.Sprint(n.Value), n.Source, l)
		} else {
			fmt.Fprintf(b, "%*s%s\n", fromAt, "", l)
		}
	}
}

// wrap breaks text at spaces into lines of at most width characters, longer words
// apart.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
