package results

import (
	"bytes"
	"io"
	"slices"
)

// Matrix is a table whose rows have two names in front of their figures.
type Matrix struct {
	Names   [2]string // titles of the names
	Columns []string  // titles of the figures
	Rows    []MatrixRow
}

// MatrixRow is one row; it has as many figures as there are columns.
type MatrixRow struct {
	Names   [2]string
	Figures []string
}

// Write prints the table, with narrower gaps if it would get wider than
// TableWidth.
func (m *Matrix) Write(w io.Writer) error {
	var rows [][]string
	for i := range m.Rows {
		rows = append(rows, slices.Concat(m.Rows[i].Names[:], m.Rows[i].Figures))
	}
	text, err := firstFit([]layout{{false, 2}, {false, 1}}, func(l layout) (string, error) {
		return l.render(m.Names[:], m.Columns, rows)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// Figure formats a figure that is not negative with three digits, or as "-" if
// there is none.
func Figure(v *float64) string {
	if v == nil {
		return missing
	}
	return threeDigits(*v)
}

// WriteNotes prints numbered warnings behind an empty line, the first of them that
// the result is partial if it is not complete; nothing if there are none.
func WriteNotes(w io.Writer, complete bool, notes []string) error {
	var b bytes.Buffer
	writeNotes(&b, complete, notes)
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(w, "\n"+b.String())
	return err
}

// WriteParagraph prints text in lines of at most TableWidth.
func WriteParagraph(w io.Writer, text string) error {
	var b bytes.Buffer
	writeWrapped(&b, "", "  ", text)
	_, err := w.Write(b.Bytes())
	return err
}
