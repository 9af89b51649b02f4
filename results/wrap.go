package results

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// width of a text on a screen, in characters.
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
