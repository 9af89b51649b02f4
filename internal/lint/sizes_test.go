package lint

import (
	"go/ast"
	"strings"
	"testing"
	"unicode/utf8"
)

// The size rules. Tests are free of them: tables may be long.
const (
	maxFuncLines    = 70
	maxFileLines    = 600
	maxCommentWidth = 100 // columns, a tab counting as one
)

func notTest(s *source) bool { return !s.test() }

// sizes finds functions and files that are too long.
func sizes(s *source) []problem {
	var list []problem
	if n := len(s.lines); n > maxFileLines {
		list = append(list, s.problem(s.ast.Package, "file of %d lines, at most %d: split it by concept", n, maxFileLines))
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			return true
		}
		if n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; n > maxFuncLines {
			list = append(list, s.problem(f.Pos(), "function %s of %d lines, at most %d", f.Name.Name, n, maxFuncLines))
		}
		return true
	})
	return list
}

// commentWidth finds comment lines that are too wide to read. Lines with code
// before the comment are not meant.
func commentWidth(s *source) []problem {
	var list []problem
	for _, group := range s.ast.Comments {
		for _, c := range group.List {
			at := s.fset.Position(c.Pos())
			width := utf8.RuneCountInString(s.lines[at.Line-1])
			if width > maxCommentWidth && ownLine(s, at.Line, at.Column) && !strings.HasPrefix(c.Text, "//go:") {
				list = append(list, s.problem(c.Pos(), "comment line of %d columns, at most %d", width, maxCommentWidth))
			}
		}
	}
	return list
}

// ownLine says whether nothing but white space stands before column.
func ownLine(s *source, line, column int) bool {
	return strings.TrimSpace(s.lines[line-1][:column-1]) == ""
}

// packageComments finds packages without a comment that is attached to the
// package clause, where go doc finds it.
func packageComments(files []*source) []problem {
	first, documented := map[string]*source{}, map[string]bool{}
	var dirs []string
	for _, s := range files {
		if first[s.dir()] == nil {
			first[s.dir()] = s
			dirs = append(dirs, s.dir())
		}
		if documents(s) {
			documented[s.dir()] = true
		}
	}
	var list []problem
	for _, dir := range dirs {
		if s := first[dir]; !documented[dir] {
			list = append(list, s.problem(s.ast.Package, "package %s has no comment %q attached to its package clause", dir, opening(s)+" ..."))
		}
	}
	return list
}

func documents(s *source) bool {
	return s.ast.Doc != nil && strings.HasPrefix(s.ast.Doc.Text(), opening(s)+" ")
}

// opening is how a package comment begins: godoc's rule for packages and for
// commands.
func opening(s *source) string {
	if s.ast.Name.Name == "main" {
		dir := s.dir()
		return strings.ToUpper(dir[strings.LastIndex(dir, "/")+1:][:1]) + dir[strings.LastIndex(dir, "/")+2:]
	}
	return "Package " + s.ast.Name.Name
}

// skipsAllowed are the only test files that may leave a test out, and why.
var skipsAllowed = map[string]string{
	"cmd/walbench/pgwaldump_test.go":    "needs PostgreSQL; WALBENCH_REQUIRE_PG makes it fail instead",
	"cmd/walbench/arm64_test.go":        "needs qemu-user; WALBENCH_REQUIRE_QEMU makes it fail instead",
	"internal/vfs/wholefile_test.go":    "needs pipes and links of the operating system",
	"strategies/aesctr/openssl_test.go": "needs OpenSSL; WALBENCH_REQUIRE_OPENSSL makes it fail instead",
	"loadgen/trace_test.go":             "more traces than the repository holds, if a folder is named",
	"experiment/ciphers/rival_test.go":  "needs a C compiler and OpenSSL; WALBENCH_REQUIRE_OPENSSL makes it fail instead",
}

// skips finds tests that leave themselves out: calls only, since a field may be
// called Skip.
func skips(s *source) []problem {
	var list []problem
	ast.Inspect(s.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch sel.Sel.Name {
		case "Skip", "Skipf", "SkipNow":
			if skipsAllowed[s.path] == "" {
				list = append(list, s.problem(sel.Pos(), "%s: a test that can leave itself out proves nothing; "+
					"add the file to skipsAllowed if there is no other way", sel.Sel.Name))
			}
		}
		return true
	})
	return list
}

func TestSizes(t *testing.T)        { checkTree(t, notTest, sizes) }
func TestCommentWidth(t *testing.T) { checkTree(t, func(*source) bool { return true }, commentWidth) }
func TestSkips(t *testing.T)        { checkTree(t, (*source).test, skips) }

func TestPackageComments(t *testing.T) {
	var files []*source
	for _, s := range sources(t) {
		if !s.test() {
			files = append(files, s)
		}
	}
	for _, p := range packageComments(files) {
		t.Error(p)
	}
}

func TestSizesFind(t *testing.T) {
	body := func(n int) string { return "package x\nfunc f() {\n" + strings.Repeat("\tf()\n", n-2) + "}\n" }
	checkSnippets(t, sizes, []snippet{
		{name: "longest function", text: body(maxFuncLines)},
		{name: "too long", text: body(maxFuncLines + 1), want: "function f of 71 lines"},
		{name: "longest file", text: "package x\n" + strings.Repeat("// a\n", maxFileLines-1)},
		{name: "too long file", text: "package x\n" + strings.Repeat("// a\n", maxFileLines), want: "file of 601 lines"},
	})
}

func TestCommentWidthFinds(t *testing.T) {
	line := func(n int) string { return "// " + strings.Repeat("é", n-3) }
	checkSnippets(t, commentWidth, []snippet{
		{name: "widest", text: "package x\n" + line(maxCommentWidth)},
		{name: "too wide", text: "package x\n" + line(maxCommentWidth+1), want: "comment line of 101 columns"},
		{name: "beside code", text: "package x\nvar longEnough = 1 " + line(maxCommentWidth)},
		{name: "indented", text: "package x\nfunc f() {\n\t" + line(maxCommentWidth) + "\n}", want: "comment line of 101 columns"},
	})
}

func TestSkipsFind(t *testing.T) {
	checkSnippets(t, skips, []snippet{
		{name: "skip", text: "package x\nfunc f() { t.Skip() }", want: "Skip"},
		{name: "skipf", text: "package x\nfunc f() { b.Skipf(\"\") }", want: "Skipf"},
		{name: "none", text: "package x\nfunc f() { t.Fatal() }"},
		{name: "a field", text: "package x\nfunc f() int { return r.Skip }"},
		{name: "allowed", path: "cmd/walbench/pgwaldump_test.go", text: "package x\nfunc f() { t.Skip() }"},
	})
}

func TestPackageCommentsFind(t *testing.T) {
	for name, tc := range map[string]struct{ path, text, want string }{
		"attached":     {"a/x.go", "// Package x is one.\npackage x\n", ""},
		"command":      {"cmd/tool/main.go", "// Tool does it.\npackage main\n", ""},
		"none":         {"a/x.go", "package x\n", "Package x"},
		"detached":     {"a/x.go", "// Package x is one.\n\npackage x\n", "Package x"},
		"another name": {"a/x.go", "// Package y is one.\npackage x\n", "Package x"},
		"bare command": {"cmd/tool/main.go", "package main\n", "Tool"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := parseSource(tc.path, []byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			checkProblems(t, packageComments([]*source{s}), tc.want)
		})
	}
}

// Every exception has to be needed.
func TestSkipsAllowedAreUsed(t *testing.T) {
	files := map[string]bool{}
	for _, s := range sources(t) {
		files[s.path] = true
	}
	for name := range skipsAllowed {
		if !files[name] {
			t.Errorf("skipsAllowed names %s, which does not exist", name)
		}
	}
}
