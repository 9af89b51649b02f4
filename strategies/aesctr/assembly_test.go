package aesctr

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wide are the registers whose upper halves stay dirty: SSE code that runs after
// them (SHA-256, OpenSSL) is up to 89 times slower until somebody clears them.
var wide = regexp.MustCompile(`\b[YZ]\d+\b`)

// dirtyReturns finds functions of generated assembly that touch wide registers
// and have a return without VZEROUPPER right before it.
func dirtyReturns(text string) (problems []string) {
	for i, body := range strings.Split(text, "\nTEXT ") {
		if i == 0 || !wide.MatchString(body) {
			continue // what is before the first function
		}
		name, _, _ := strings.Cut(body, "(")
		last, returns := "", 0
		for line := range strings.Lines(body) {
			line, _, _ = strings.Cut(line, "//")
			line = strings.TrimSpace(line)
			if line == "RET" {
				returns++
				if last != "VZEROUPPER" {
					problems = append(problems, fmt.Sprintf("%s returns after %q", name, last))
				}
			}
			if line != "" {
				last = line
			}
		}
		if returns == 0 {
			problems = append(problems, name+" never returns")
		}
	}
	return problems
}

func TestUpperHalvesAreCleared(t *testing.T) {
	files, err := filepath.Glob("*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly found: %v", err)
	}
	vectored := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range dirtyReturns(string(text)) {
			t.Errorf("%s: %s", name, p)
		}
		if strings.HasPrefix(name, "vaes") && wide.Match(text) {
			vectored++
		}
	}
	if vectored < 2 {
		t.Errorf("%d of the files %q use wide registers: the test looks at the wrong ones", vectored, files)
	}
}

func TestDirtyReturnsFinds(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"clean":         {"\nTEXT ·f(SB), $0\n\tVPXOR Y1, Y1, Y1\n\tVZEROUPPER\n\tRET\n", nil},
		"narrow":        {"\nTEXT ·f(SB), $0\n\tPXOR X1, X1\n\tRET\n", nil},
		"comment":       {"\nTEXT ·f(SB), $0\n\tVPXOR Y1, Y1, Y1\n\tVZEROUPPER\n\t// done\n\n\tRET\n", nil},
		"dirty":         {"\nTEXT ·f(SB), $0\n\tVPXOR Y1, Y1, Y1\n\tRET\n", []string{"·f returns after \"VPXOR Y1, Y1, Y1\""}},
		"one path":      {"\nTEXT ·f(SB), $0\n\tVPXORD Z1, Z1, Z1\n\tVZEROUPPER\n\tRET\nl:\n\tRET\n", []string{"·f returns after \"l:\""}},
		"second only":   {"\nTEXT ·f(SB), $0\n\tRET\n\nTEXT ·g(SB), $0\n\tVPXOR Y1, Y1, Y1\n\tRET\n", []string{"·g returns after \"VPXOR Y1, Y1, Y1\""}},
		"never returns": {"\nTEXT ·f(SB), $0\n\tVPXOR Y1, Y1, Y1\n\tJMP ·g(SB)\n", []string{"·f never returns"}},
	} {
		if got := dirtyReturns(tc.text); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
