package results

import (
	"encoding/json"
	"fmt"
	"io"
)

// encodeDocument writes v as all documents are written: indented, with its members in
// the order of its type. what names it in errors.
func encodeDocument(w io.Writer, v any, what string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encode %s: %w", what, err)
	}
	return nil
}
