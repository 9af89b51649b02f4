package loadgen

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitFields(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
		err  error
	}{
		{"a,b,c", []string{"a", "b", "c"}, nil},
		{"", []string{""}, nil},
		{",", []string{"", ""}, nil},
		{"a,,b,", []string{"a", "", "b", ""}, nil},
		{`"a,b",c`, []string{"a,b", "c"}, nil},
		{`c,"a,b"`, []string{"c", "a,b"}, nil},
		{`"say ""x""",""`, []string{`say "x"`, ""}, nil},
		{`"",""`, []string{"", ""}, nil},
		{`a"b,c`, []string{`a"b`, "c"}, nil},
		{`"open,c`, nil, errQuote},
		{`a,"`, nil, errQuote},
		{`"a"b,c`, nil, errQuote},
	} {
		got, err := splitFields([]byte(c.line), nil)
		if !errors.Is(err, c.err) {
			t.Errorf("%q: error %v, want %v", c.line, err, c.err)
		}
		if err == nil && !slices.Equal(names(got), c.want) {
			t.Errorf("%q: %q, want %q", c.line, names(got), c.want)
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxLineBytes)
	for _, c := range []struct {
		name, text string
		want       [][]string
		line       int
		err        error
	}{
		{"no end of line at the end", "a,b\nc,d", [][]string{{"a", "b"}, {"c", "d"}}, 2, io.EOF},
		{"carriage returns", "a,b\r\nc,d\r\n", [][]string{{"a", "b"}, {"c", "d"}}, 2, io.EOF},
		{"byte order mark", "\ufeffa,b\n", [][]string{{"a", "b"}}, 1, io.EOF},
		{"empty lines at the end", "a\n\n\r\n\n", [][]string{{"a"}}, 4, io.EOF},
		{"nothing", "", nil, 0, io.EOF},
		{"one byte", "a", [][]string{{"a"}}, 1, io.EOF},
		{"line too long", "a\n" + long + "\nb\n", [][]string{{"a"}}, 2, errLineLength},
		{"line just short enough", long[1:] + "\nb\n", [][]string{{long[1:]}, {"b"}}, 2, io.EOF},
	} {
		for _, packed := range []bool{false, true} {
			l, err := newLines(text(t, c.text, packed))
			if err != nil {
				t.Fatal(err)
			}
			var got [][]string
			var fields [][]byte
			for {
				if fields, err = l.row(); err != nil {
					break
				}
				got = append(got, names(fields))
			}
			if !errors.Is(err, c.err) || l.number != c.line {
				t.Errorf("%s, packed %t: stopped at line %d with %v, want line %d, %v", c.name, packed, l.number, err, c.line, c.err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" && len(diff) < 1000 {
				t.Errorf("%s, packed %t: %s", c.name, packed, diff)
			} else if diff != "" {
				t.Errorf("%s, packed %t: lines differ", c.name, packed)
			}
		}
	}
}

// text is s as a file, compressed or not.
func text(t testing.TB, s string, packed bool) io.Reader {
	t.Helper()
	if !packed {
		return strings.NewReader(s)
	}
	return bytes.NewReader(pack(t, s))
}

func pack(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
