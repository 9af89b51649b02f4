package lint

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows are those of the design: cmd -> experiment -> results, loadgen, relfile
// -> walsim, fpw -> strategies -> simtime, walsim/pgformat -> internal. Every
// package has a row here that names all packages of the module it may import;
// "internal" stands for the packages below it. A new package needs a row.
var arrows = map[string][]string{
	"cmd/walbench":               {"experiment", "experiment/calibrate", "experiment/ciphers", "experiment/reproduce", "experiment/validate", "results", "loadgen", "walsim", "strategies", "strategies/aesctr", "simtime", "walsim/pgformat", "internal"},
	"experiment":                 {"results", "loadgen", "walsim", "strategies", "strategies/aesctr", "simtime", "walsim/pgformat", "internal"},
	"experiment/calibrate":       {"experiment", "experiment/ciphers", "results", "results/published/profiles", "loadgen", "walsim", "strategies", "strategies/aesctr", "simtime", "walsim/pgformat", "internal"},
	"experiment/ciphers":         {"experiment", "results", "strategies", "strategies/aesctr", "internal"},
	"experiment/reproduce":       {"experiment", "results", "results/published/profiles", "strategies", "simtime", "internal"},
	"experiment/validate":        {"experiment", "experiment/calibrate", "results", "strategies", "simtime", "internal"},
	"results":                    {"walsim/pgformat", "internal"}, // it knows nothing of how a number was made
	"results/published/profiles": {"simtime", "internal"},         // data that comes with the program
	"fpw":                        {"walsim/pgformat", "internal"}, // it gets the redo pointer as an argument
	"loadgen":                    {"walsim", "fpw", "strategies", "simtime", "walsim/pgformat", "internal"},
	"walsim":                     {"strategies", "simtime", "walsim/pgformat", "internal"},
	"strategies":                 {"strategies/aesctr", "simtime", "walsim/pgformat", "internal"}, // it knows nothing of walsim itself
	"strategies/aesctr":          {"internal"},
	"internal/aesctrgen":         {}, // run by go generate
	"simtime":                    {"internal"},
	"walsim/pgformat":            {"internal"},
	"internal/vfs":               {"internal"},
	"internal/golden":            {"internal"}, // for tests only
	"internal/hostinfo":          {"internal"},
	"internal/lint":              {"internal"},
	"internal/sizeflag":          {"internal"},
}

// homes are modules that only some packages may use directly.
var homes = map[string][]string{
	"github.com/spf13/cobra":            {"cmd/walbench"},
	"github.com/spf13/pflag":            {"cmd/walbench"},
	"golang.org/x/term":                 {"cmd/walbench"},
	"github.com/olekukonko/tablewriter": {"results"},
	"golang.org/x/perf":                 {"results", "experiment/ciphers"},
	"golang.org/x/crypto":               {"experiment/ciphers"},
	"github.com/klauspost/cpuid":        {"internal/hostinfo", "strategies/aesctr"},
	"github.com/jackc/pgx":              {"loadgen/postgres"},
	"github.com/klauspost/compress":     {"fpw"},
	"github.com/pierrec/lz4":            {"fpw"},
	"github.com/mmcloughlin/avo":        {"internal/aesctrgen"},
	"golang.org/x/sys":                  {"internal/vfs", "internal/hostinfo", "simtime", "experiment/calibrate", "experiment/validate"},
	"github.com/rogpeppe/go-internal":   {}, // like those below for tests only
	"github.com/google/go-cmp":          {"internal/golden"},
	"github.com/cockroachdb/datadriven": {},
	"pgregory.net/rapid":                {},
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath string
	Imports    []string // of the package itself, not of its tests
	Deps       []string // all of them, direct or not
}

// arrowProblems checks one package of the module against the table.
func arrowProblems(p listed) []string {
	name := strings.TrimPrefix(p.ImportPath, module+"/")
	allowed, known := arrows[name]
	if !known {
		return []string{name + ": no row in the table `arrows` of internal/lint/imports_test.go: " +
			"add one that names what it may import, and follow design section 3"}
	}
	var list []string
	for _, path := range p.Imports {
		if to, ours := strings.CutPrefix(path, module+"/"); ours && !arrowAllowed(allowed, to) {
			list = append(list, name+" imports "+to+": against the arrows (see `arrows` in internal/lint/imports_test.go)")
		}
		if home := homeOf(path); home != "" && !slices.Contains(homes[home], name) {
			list = append(list, name+" imports "+path+": only "+strings.Join(append([]string{"tests"}, homes[home]...), ", ")+" may")
		}
	}
	for _, path := range p.Deps {
		if to, ours := strings.CutPrefix(path, module+"/"); ours && arrowAllowed(arrows[to], name) {
			list = append(list, name+" depends on "+to+", which may import it: the table has a circle")
		}
	}
	return list
}

func arrowAllowed(allowed []string, to string) bool {
	return slices.Contains(allowed, to) || (strings.HasPrefix(to, "internal/") && slices.Contains(allowed, "internal"))
}

// homeOf is the entry of homes that path belongs to, or "".
func homeOf(path string) string {
	for home := range homes {
		if under(path, home) {
			return home
		}
	}
	return ""
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func TestArrows(t *testing.T) {
	packages := listPackages(t)
	var names []string
	for _, p := range packages {
		names = append(names, strings.TrimPrefix(p.ImportPath, module+"/"))
		for _, problem := range arrowProblems(p) {
			t.Error(problem)
		}
	}
	for name := range arrows {
		if !slices.Contains(names, name) {
			t.Errorf("`arrows` has a row for %s, which does not exist", name)
		}
	}
}

func TestArrowsFind(t *testing.T) {
	for name, tc := range map[string]struct {
		p    listed
		want string
	}{
		"fine":     {listed{module + "/walsim", []string{"fmt", module + "/strategies", module + "/internal/vfs"}, nil}, ""},
		"upwards":  {listed{module + "/strategies", []string{module + "/walsim"}, nil}, "strategies imports walsim"},
		"sideways": {listed{module + "/results", []string{module + "/loadgen"}, nil}, "results imports loadgen"},
		"out":      {listed{module + "/internal/vfs", []string{module + "/simtime"}, nil}, "internal/vfs imports simtime"},
		"indirect": {listed{module + "/walsim", nil, []string{module + "/experiment"}}, "the table has a circle"},
		"new":      {listed{module + "/novelty", nil, nil}, "add one that names what it may import"},
		"homeless": {listed{module + "/walsim", []string{"github.com/spf13/cobra"}, nil}, "walsim imports github.com/spf13/cobra"},
		"for tests": {listed{module + "/cmd/walbench", []string{"github.com/rogpeppe/go-internal/testscript"}, nil},
			"only tests may"},
	} {
		t.Run(name, func(t *testing.T) {
			got := arrowProblems(tc.p)
			switch {
			case tc.want == "" && len(got) > 0:
				t.Errorf("got %q, want no problem", got)
			case tc.want != "" && (len(got) != 1 || !strings.Contains(got[0], tc.want)):
				t.Errorf("got %q, want one problem with %q", got, tc.want)
			}
		})
	}
}
