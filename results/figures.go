package results

import (
	"bytes"
	"fmt"
	"io"
)

// WriteFigures prints a table in the look of all tables here: names in the first
// column, figures in the others. It is for what is no run result.
func WriteFigures(w io.Writer, header []string, rows [][]string) error {
	var b bytes.Buffer
	t := newTable(&b, 1, len(header)-1, 2)
	t.Header(header)
	for _, row := range rows {
		if err := t.Append(row); err != nil {
			return fmt.Errorf("table row: %w", err)
		}
	}
	if err := t.Render(); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	_, err := io.WriteString(w, trimLines(b.String()))
	return err
}
