package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// seamed says whether a file lies behind the seams: everything in it has to
// work on a virtual clock and on a file system that crashes.
func seamed(s *source) bool {
	if s.test() || under(s.dir(), "loadgen/postgres") {
		return false // a live server has the real clock only
	}
	return under(s.dir(), "walsim") || under(s.dir(), "strategies") || under(s.dir(), "loadgen")
}

func under(dir, parent string) bool {
	return dir == parent || strings.HasPrefix(dir, parent+"/")
}

// bannedImports may not be imported behind the seams at all, with what to use
// in place of them.
var bannedImports = map[string]string{
	"context":                "a deadline is real time: pass what is needed",
	"log":                    "return an error",
	"log/slog":               "return an error",
	"net":                    "only loadgen/postgres talks to a server",
	"os/exec":                "the log starts no programs",
	"os/signal":              "only the command line handles signals",
	"io/ioutil":              "use internal/vfs",
	"syscall":                "use internal/vfs or simtime.Proc",
	"golang.org/x/sys/unix":  "use internal/vfs or simtime.Proc",
	"golang.org/x/sync":      "use simtime.Proc",
	"golang.org/x/time/rate": "use simtime.Proc",
}

// bannedNames are functions and types that go round simtime.Proc or
// internal/vfs. "*" is every name of the package; names with a leading "+" are
// allowed nevertheless, a trailing "*" stands for any rest.
var bannedNames = map[string]struct {
	names []string
	use   string
}{
	"sync":          {[]string{"*"}, "use a simtime.Mutex or simtime.Cond through simtime.Proc"},
	"time":          {[]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Timer", "Ticker"}, "use simtime.Proc"},
	"os":            {[]string{"*", "+O_*", "+Err*", "+FileMode", "+PathError", "+Getenv"}, "use internal/vfs"},
	"path/filepath": {[]string{"Walk", "WalkDir", "Glob", "EvalSymlinks", "Abs"}, "use internal/vfs"},
	"runtime":       {[]string{"Gosched", "LockOSThread", "UnlockOSThread", "Goexit"}, "use simtime.Proc"},
	"hash/crc32":    {[]string{"*"}, "use pgformat.CRC, counted by the Meter"},
}

// crcFile is where the CRC is computed.
const crcFile = "walsim/pgformat/crc.go"

// atomicExcuse has to stand in a comment above or beside a declaration that uses
// sync/atomic.
const atomicExcuse = "virtual clock cannot hang"

// seams finds what goes round simtime.Proc and internal/vfs in one file.
func seams(s *source) []problem {
	list := seamImports(s)
	names := importNames(s)
	for _, decl := range s.ast.Decls {
		excused := excusedAtomics(s, decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			if what := channelOrGo(n); what != "" {
				list = append(list, s.problem(n.Pos(), "%s: use simtime.Proc", what))
			}
			if sel, ok := n.(*ast.SelectorExpr); ok {
				list = append(list, seamSelector(s, names, sel, excused)...)
			}
			return true
		})
	}
	return list
}

func seamImports(s *source) []problem {
	var list []problem
	for _, spec := range s.ast.Imports {
		name, path := importName(spec), importPath(spec)
		use, banned := bannedImports[path]
		for parent, u := range bannedImports {
			if strings.HasPrefix(path, parent+"/") {
				use, banned = u, true
			}
		}
		_, part := bannedNames[path]
		switch {
		case banned:
			list = append(list, s.problem(spec.Pos(), "import of %s: %s", path, use))
		case (part || path == "sync/atomic") && name == ".":
			list = append(list, s.problem(spec.Pos(), "dot import of %s: its names must be visible", path))
		case isCipher(path) && !under(s.dir(), "strategies"):
			list = append(list, s.problem(spec.Pos(), "import of %s: only strategies encrypts", path))
		}
	}
	return list
}

// isCipher says whether path moves bytes through a cipher or draws keys. Plain
// hashes, from which seeds are derived, do not.
func isCipher(path string) bool {
	switch path {
	case "crypto/aes", "crypto/cipher", "crypto/des", "crypto/rand", "crypto/rc4":
		return true
	}
	return strings.HasPrefix(path, "golang.org/x/crypto/")
}

// channelOrGo names the construct if n starts a goroutine or needs a channel.
func channelOrGo(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "go statement"
	case *ast.ChanType:
		return "channel type"
	case *ast.SendStmt:
		return "channel send"
	case *ast.SelectStmt:
		return "select statement"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "channel receive"
		}
	}
	return ""
}

// seamSelector checks one mention of a package's name.
func seamSelector(s *source, names map[string]string, sel *ast.SelectorExpr, excused bool) []problem {
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return nil
	}
	path, name := names[x.Name], sel.Sel.Name
	if path == "sync/atomic" && !excused {
		return []problem{s.problem(sel.Pos(), "atomic.%s without a comment that says why the %s on it", name, atomicExcuse)}
	}
	ban, ok := bannedNames[path]
	if !ok || !matches(ban.names, name) || (path == "hash/crc32" && s.path == crcFile) {
		return nil
	}
	return []problem{s.problem(sel.Pos(), "%s.%s: %s", path, name, ban.use)}
}

// matches says whether the list of bannedNames bans name.
func matches(list []string, name string) bool {
	banned := false
	for _, pattern := range list {
		pattern, allow := strings.CutPrefix(pattern, "+")
		prefix, wild := strings.CutSuffix(pattern, "*")
		if pattern == name || (wild && strings.HasPrefix(name, prefix)) {
			if allow {
				return false
			}
			banned = true
		}
	}
	return banned
}

// importNames maps the names that a file knows packages by to their paths.
func importNames(s *source) map[string]string {
	names := map[string]string{}
	for _, spec := range s.ast.Imports {
		names[importName(spec)] = importPath(spec)
	}
	return names
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		panic("lint: " + err.Error()) // the parser has checked it
	}
	return path
}

func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path := importPath(spec)
	return path[strings.LastIndex(path, "/")+1:]
}

// excusedAtomics says whether the excuse stands in decl's comment or inside it.
func excusedAtomics(s *source, decl ast.Decl) bool {
	from, to := decl.Pos(), decl.End()
	if doc := declDoc(decl); doc != nil {
		from = doc.Pos()
	}
	lastLine := s.fset.Position(to).Line
	return slices.ContainsFunc(s.ast.Comments, func(c *ast.CommentGroup) bool {
		inside := c.Pos() >= from && (c.Pos() < to || s.fset.Position(c.Pos()).Line == lastLine)
		return inside && strings.Contains(strings.Join(strings.Fields(c.Text()), " "), atomicExcuse)
	})
}

func declDoc(decl ast.Decl) *ast.CommentGroup {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

func TestSeams(t *testing.T) { checkTree(t, seamed, seams) }

func TestSeamsFind(t *testing.T) {
	checkSnippets(t, seams, []snippet{
		{name: "clean", text: "package x\nimport (\"os\"; \"time\")\nvar a, b, c = os.O_RDWR, os.ErrNotExist, time.Second"},
		{name: "go", text: "package x\nfunc f() { go f() }", want: "go statement"},
		{name: "chan", text: "package x\ntype t chan int", want: "channel type"},
		{name: "send", text: "package x\nfunc f() { c <- 1 }", want: "channel send"},
		{name: "receive", text: "package x\nfunc f() { <-c }", want: "channel receive"},
		{name: "select", text: "package x\nfunc f() { select {} }", want: "select statement"},
		{name: "mutex", text: "package x\nimport \"sync\"\ntype t struct{ mu sync.Mutex }", want: "sync.Mutex"},
		{name: "renamed", text: "package x\nimport z \"sync\"\nvar w z.WaitGroup", want: "sync.WaitGroup"},
		{name: "dot", text: "package x\nimport . \"sync\"\nvar w WaitGroup", want: "dot import"},
		{name: "now", text: "package x\nimport \"time\"\nvar t = time.Now()", want: "time.Now"},
		{name: "sleep as a value", text: "package x\nimport \"time\"\nvar f = time.Sleep", want: "time.Sleep"},
		{name: "os", text: "package x\nimport \"os\"\nvar f, _ = os.Open(\"a\")", want: "os.Open: use internal/vfs"},
		{name: "os type", text: "package x\nimport \"os\"\nvar f *os.File", want: "os.File"},
		{name: "walk", text: "package x\nimport \"path/filepath\"\nvar f = filepath.WalkDir", want: "filepath.WalkDir"},
		{name: "exec", text: "package x\nimport \"os/exec\"\nvar f exec.Cmd", want: "import of os/exec"},
		{name: "below a banned path", text: "package x\nimport \"net/http\"\nvar f http.Client", want: "import of net/http"},
		{name: "crc", text: "package x\nimport \"hash/crc32\"\nvar f = crc32.Update", want: "hash/crc32.Update"},
		{name: "crc at home", path: crcFile, text: "package x\nimport \"hash/crc32\"\nvar f = crc32.Update"},
		{name: "cipher", text: "package x\nimport \"crypto/aes\"\nvar f = aes.NewCipher", want: "only strategies encrypts"},
		{name: "cipher at home", path: "strategies/x.go", text: "package x\nimport \"crypto/aes\"\nvar f = aes.NewCipher"},
		{name: "atomic", text: "package x\nimport \"sync/atomic\"\nvar n atomic.Int64", want: "atomic.Int64 without"},
		{name: "excused above", text: "package x\nimport \"sync/atomic\"\n\n// n: the virtual\n// clock cannot hang on it, nobody waits for it.\nvar n atomic.Int64"},
		{name: "excused beside", text: "package x\nimport \"sync/atomic\"\nvar n atomic.Int64 // the virtual clock cannot hang: a counter"},
		{name: "excused elsewhere", text: "package x\nimport \"sync/atomic\"\n\n// m: the virtual clock cannot hang.\nvar m int\n\nvar n atomic.Int64", want: "atomic.Int64 without"},
	})
}

func TestSeamedFiles(t *testing.T) {
	for path, want := range map[string]bool{
		"walsim/log.go": true, "walsim/pgformat/lsn.go": true, "strategies/aesctr/x.go": true, "loadgen/loop.go": true,
		"walsim/log_test.go": false, "loadgen/postgres/server.go": false, "experiment/run.go": false, "walsimx/a.go": false,
	} {
		if got := seamed(&source{path: path}); got != want {
			t.Errorf("%s: got %t, want %t", path, got, want)
		}
	}
}
