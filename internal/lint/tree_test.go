package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/walbench/walbench"

// source is one parsed Go file.
type source struct {
	path  string // slash-separated, relative to the root of the module
	fset  *token.FileSet
	ast   *ast.File
	lines []string
}

func (s *source) dir() string { return path.Dir(s.path) }
func (s *source) test() bool  { return strings.HasSuffix(s.path, "_test.go") }

// problem is one breach of a rule.
type problem struct {
	at   token.Position
	text string
}

func (p problem) String() string {
	return fmt.Sprintf("%s:%d: %s", p.at.Filename, p.at.Line, p.text)
}

func (s *source) problem(at token.Pos, format string, args ...any) problem {
	return problem{s.fset.Position(at), fmt.Sprintf(format, args...)}
}

func parseSource(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{path: name, fset: fset, ast: f, lines: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}, nil
}

// tree parses every Go file of the module, once for all tests.
var tree = sync.OnceValues(func() ([]*source, error) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return nil, err
	}
	var list []*source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDir(name, root, d.Name())
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		s, err := readSource(root, name)
		list = append(list, s)
		return err
	})
	return list, err
})

// skipDir leaves out what the go command leaves out.
func skipDir(name, root, base string) error {
	if name != root && (base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
		return filepath.SkipDir
	}
	return nil
}

func readSource(root, name string) (*source, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return nil, err
	}
	return parseSource(filepath.ToSlash(rel), text)
}

// sources returns the parsed tree and fails the test if there is none.
func sources(t *testing.T) []*source {
	t.Helper()
	list, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("found %d Go files only: the walk over the module is broken", len(list))
	}
	return list
}

// checkTree runs rule over the files that pick chooses.
func checkTree(t *testing.T, pick func(*source) bool, rule func(*source) []problem) {
	t.Helper()
	checked := 0
	for _, s := range sources(t) {
		if !pick(s) {
			continue
		}
		checked++
		for _, p := range rule(s) {
			t.Error(p)
		}
	}
	if checked == 0 {
		t.Error("the rule was applied to no file at all")
	}
}

// snippet is a small file that a rule is tried on.
type snippet struct {
	name string
	path string // where the file pretends to be; default walsim/x.go
	text string
	want string // part of the only problem's text; "" for none
}

// checkSnippets proves that rule finds what it should, and nothing else.
func checkSnippets(t *testing.T, rule func(*source) []problem, snippets []snippet) {
	t.Helper()
	for _, sn := range snippets {
		t.Run(sn.name, func(t *testing.T) {
			if sn.path == "" {
				sn.path = "walsim/x.go"
			}
			s, err := parseSource(sn.path, []byte(sn.text))
			if err != nil {
				t.Fatal(err)
			}
			checkProblems(t, rule(s), sn.want)
		})
	}
}

func checkProblems(t *testing.T, got []problem, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("got %v, want no problem", got)
	case want != "" && len(got) != 1:
		t.Errorf("got %d problems %v, want one with %q", len(got), got, want)
	case want != "" && !strings.Contains(got[0].text, want):
		t.Errorf("got %q, want it to contain %q", got[0].text, want)
	}
}
