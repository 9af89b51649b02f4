package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/strategies"
)

// The documents of the project are tested: their commands are run, and what
// they name has to exist. docs/hacking.md says how blocks are marked.

var updateDocs = flag.String("update-docs", "",
	"write the output of commands into the documents: fixed (all but timed blocks) or all")

const repository = "../.."

// docFile is one document, in lines.
type docFile struct {
	name  string // from the repository's root
	lines []string
}

func docFiles(t *testing.T) []*docFile {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	var list []*docFile
	for _, name := range append(names, filepath.Join(repository, "README.md")) {
		name, err := filepath.Rel(repository, name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, readDoc(t, name))
	}
	return list
}

func readDoc(t *testing.T, name string) *docFile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return &docFile{name, strings.Split(string(text), "\n")}
}

// The ways a block of commands is tested.
const (
	blockFixed  = "fixed"
	blockTimed  = "timed"
	blockNotRun = "not run"
)

// docBlock is a console block: lines from to to-1 between its fences.
type docBlock struct {
	mode     string
	from, to int
	steps    []docStep
}

// docStep is one command of a block with the output that the document shows.
type docStep struct {
	command string
	output  []string
}

var blockMark = regexp.MustCompile(`^<!-- (timed|not run: .+) -->$`)

// blocks finds the console blocks of a document.
func (d *docFile) blocks() (list []docBlock) {
	for i := 0; i < len(d.lines); i++ {
		if d.lines[i] != "```console" {
			continue
		}
		b := docBlock{mode: blockFixed, from: i + 1}
		if m := blockMark.FindStringSubmatch(d.lines[i-1]); m != nil {
			b.mode, _, _ = strings.Cut(m[1], ":")
		}
		for i++; d.lines[i] != "```"; i++ {
			if command, found := strings.CutPrefix(d.lines[i], "$ "); found {
				b.steps = append(b.steps, docStep{command: command})
			} else {
				s := &b.steps[len(b.steps)-1]
				s.output = append(s.output, d.lines[i])
			}
		}
		b.to = i
		list = append(list, b)
	}
	return list
}

// prose calls f for every line outside of fenced blocks.
func (d *docFile) prose(f func(line string)) {
	fenced := false
	for _, line := range d.lines {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced {
			f(line)
		}
	}
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// spans lists what stands in `code` outside of blocks.
func (d *docFile) spans() (list []string) {
	d.prose(func(line string) { list = append(list, spansOf(line)...) })
	return list
}

func spansOf(text string) (list []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// programWords are the words of a command behind the program's name.
func programWords(command string) (words []string, ok bool) {
	for _, name := range []string{"walbench", "go run ./cmd/walbench"} {
		if rest, found := strings.CutPrefix(command+" ", name+" "); found {
			return strings.Fields(rest), true
		}
	}
	return nil, false
}

// TestDocs runs the commands of the documents.
func TestDocs(t *testing.T) {
	if !slices.Contains([]string{"", "fixed", "all"}, *updateDocs) {
		t.Fatalf("-update-docs=%s: want fixed or all", *updateDocs)
	}
	// The test binary knows strategies that the program does not.
	program := filepath.Join(t.TempDir(), "walbench")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	ran := map[string]int{}
	for _, d := range docFiles(t) {
		t.Run(d.name, func(t *testing.T) {
			r := docRunner{program: program, dir: docFolder(t)}
			blocks := d.blocks()
			for i := range blocks {
				r.block(t, &blocks[i])
				ran[blocks[i].mode]++
			}
			if *updateDocs != "" {
				d.update(t, blocks)
			}
		})
	}
	if ran[blockFixed] == 0 || ran[blockTimed] == 0 || ran[blockNotRun] == 0 {
		t.Errorf("blocks found: %v; the documents have some of each kind", ran)
	}
}

// docFolder is an empty folder in which the repository's folders can be reached.
func docFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"loadgen", "walsim"} {
		target, err := filepath.Abs(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// docRunner runs the commands of one document.
type docRunner struct{ program, dir string }

func (r *docRunner) block(t *testing.T, b *docBlock) {
	t.Helper()
	for i := range b.steps {
		s := &b.steps[i]
		words, ours := programWords(s.command)
		switch {
		case b.mode == blockNotRun && !ours:
			checkMake(t, s.command)
		case b.mode == blockNotRun:
			checkWords(t, s.command, words, true)
		case !ours:
			t.Errorf("$ %s: not a command of walbench: mark the block as not run", s.command)
		case b.mode == blockTimed:
			r.timed(t, s, words)
		default:
			r.fixed(t, s)
		}
	}
}

// fixed compares a whole output.
func (r *docRunner) fixed(t *testing.T, s *docStep) {
	t.Helper()
	command, head, _ := strings.Cut(s.command, " | head -")
	words, _ := programWords(command)
	got := r.run(t, words)
	if n, err := strconv.Atoi(head); err == nil {
		got = got[:min(n, len(got))]
	}
	diff := cmp.Diff(masked(s.output), masked(got))
	switch {
	case diff == "":
	case *updateDocs != "":
		s.output = got
	default:
		t.Errorf("$ %s: output differs (-document +now):\n%s", s.command, diff)
	}
}

// speed is the only thing about a log that is not the same every time.
var speed = regexp.MustCompile(`\d+ MB/s`)

func masked(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = speed.ReplaceAllString(line, "N MB/s")
	}
	return out
}

// timed compares what has to stay the same of a table with times in it, from a
// run that is as short as it can be.
func (r *docRunner) timed(t *testing.T, s *docStep, words []string) {
	t.Helper()
	if *updateDocs == "all" {
		s.output = r.run(t, words)
		return
	}
	short := shortened(words)
	counted := slices.Contains(words, "--commits") && strings.Contains(s.command, "--clients 1 ")
	if diff := cmp.Diff(tableShape(s.output, counted), tableShape(r.run(t, short), counted)); diff != "" {
		t.Errorf("$ %s: the table has changed (-document +now):\n%s", s.command, diff)
	}
}

// shortened are the words of a command that takes as little time as it can.
func shortened(words []string) []string {
	switch words[0] {
	case "ciphers":
		return append(slices.Clone(words), "--rounds", "1")
	case "reproduce":
		return append(slices.Clone(words), "--scale", "0.01")
	}
	short := append(slices.Clone(words), "--runs", "1")
	if !slices.Contains(words, "--commits") {
		short = append(short, "--commits", "50")
	}
	return short
}

// tableShape lists the headline, the words of the column titles, and the names
// in the rows, whatever layout was chosen, those that follow themselves once (a
// suite has more implementations on some machines); and with counted what is encrypted,
// written and added for each byte, before the two columns of throughput, and
// whether the log read back.
func tableShape(lines []string, counted bool) (shape []string) {
	rule := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "-----") })
	if rule < 0 {
		return []string{"no table"}
	}
	headline, _, _ := strings.Cut(lines[0], " run")
	headline, _, _ = strings.Cut(headline, "; best of") // of ciphers
	shape = append(shape, strings.TrimRight(headline, " 0123456789"))
	titles := strings.Fields(strings.Join(lines[1:rule], " "))
	slices.Sort(titles)
	shape = append(shape, strings.Join(titles, " "))
	names := strategies.Names()
	for _, s := range strategies.Suites() {
		names = append(names, s.Name)
	}
	for _, line := range lines[rule+1:] {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			break
		}
		for _, f := range fields[:min(2, len(fields))] {
			// Which implementation of a cipher runs depends on the machine.
			if f, _, _ = strings.Cut(f, "/"); slices.Contains(names, f) {
				shape = append(shape, f)
			}
		}
		if n := len(fields); counted && n > 6 {
			shape = append(append(shape, fields[n-6:n-3]...), fields[n-1])
		}
	}
	if !counted {
		shape = slices.Compact(shape)
	}
	return shape
}

// run returns both outputs of the program, in lines.
func (r *docRunner) run(t *testing.T, words []string) []string {
	t.Helper()
	cmd := exec.Command(r.program, words...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("walbench %s: %v\n%s", strings.Join(words, " "), err, out)
	}
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// update writes the document with the outputs that the blocks have now.
func (d *docFile) update(t *testing.T, blocks []docBlock) {
	t.Helper()
	for _, b := range slices.Backward(blocks) {
		var lines []string
		for _, s := range b.steps {
			lines = append(append(lines, "$ "+s.command), s.output...)
		}
		d.lines = slices.Replace(d.lines, b.from, b.to, lines...)
	}
	text := strings.Join(d.lines, "\n")
	if err := os.WriteFile(filepath.Join(repository, d.name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkMake checks that a target of the Makefile exists.
func checkMake(t *testing.T, command string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	target, found := strings.CutPrefix(command, "make ")
	if !found || !strings.Contains(string(text), "\n"+target+":") {
		t.Errorf("$ %s: no such target", command)
	}
}

// checkWords checks that command and flags exist, and with values that the
// values of flags can be parsed.
func checkWords(t *testing.T, command string, words []string, values bool) {
	t.Helper()
	root := (&app{screen: newScreen(io.Discard), stdout: io.Discard}).root()
	cmd, rest, err := root.Find(words)
	if err != nil || cmd == root && len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		t.Errorf("%s: no such command (%v)", command, err)
		return
	}
	cmd.InitDefaultHelpFlag()
	if values {
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		return
	}
	for _, word := range rest {
		name, isFlag := strings.CutPrefix(word, "--")
		if isFlag && cmd.Flags().Lookup(name) == nil {
			t.Errorf("%s: no flag --%s", command, name)
		}
	}
}

// Commands and flags in the text exist. A span counts as a command if it begins
// with the program's name, or with that of a command and goes on.
func TestDocsCommandsInText(t *testing.T) {
	root := (&app{screen: newScreen(io.Discard), stdout: io.Discard}).root()
	commands, flags := map[string]bool{}, map[string]bool{"help": true}
	for _, cmd := range root.Commands() {
		commands[cmd.Name()] = true
		for word := range strings.FieldsSeq(cmd.Flags().FlagUsages()) {
			if name, found := strings.CutPrefix(word, "--"); found {
				flags[name] = true
			}
		}
	}
	checked := 0
	for _, d := range docFiles(t) {
		for _, span := range d.spans() {
			words, ours := programWords(span)
			if fields := strings.Fields(span); !ours && len(fields) > 1 && commands[fields[0]] {
				words, ours = fields, true
			}
			if ours {
				checkWords(t, d.name+": "+span, words, false)
				checked++
			}
			if name, found := strings.CutPrefix(strings.Fields(span)[0], "--"); found && !flags[name] {
				t.Errorf("%s: %s: no command has this flag", d.name, span)
			}
		}
	}
	if checked < 5 {
		t.Errorf("%d commands found in the text; there are more", checked)
	}
}

// tableAfter is the table behind the line mark: the cells of its rows.
func (d *docFile) tableAfter(t *testing.T, mark string) (rows [][]string) {
	t.Helper()
	i := slices.Index(d.lines, mark)
	if i < 0 {
		t.Fatalf("%s: no line %q", d.name, mark)
	}
	for i++; d.lines[i] == ""; i++ {
	}
	for i += 2; strings.HasPrefix(d.lines[i], "|"); i++ {
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(d.lines[i], "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no table behind %q", d.name, mark)
	}
	return rows
}

// The exit codes in the README are those of the help text.
func TestDocsExitCodes(t *testing.T) {
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^ +(\d+) `).FindAllStringSubmatch(rootExitCodes, -1) {
		want = append(want, m[1])
	}
	for _, row := range readDoc(t, "README.md").tableAfter(t, "## Exit codes") {
		got = append(got, row[0])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exit codes (-help +README):\n%s", diff)
	}
}

// The README gives a reason for each module that go.mod requires directly, and
// for no other.
func TestDocsModules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(text), -1) {
		want[m[1]] = true
	}
	got := map[string]bool{}
	for _, row := range readDoc(t, "README.md").tableAfter(t, "## Libraries") {
		for name := range strings.SplitSeq(row[0], ", ") {
			got[name] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modules (-go.mod +README):\n%s", diff)
	}
}

// What tests the documents can fail.
func TestDocsFind(t *testing.T) {
	table := func(name string, growth any) []string {
		return strings.Split(fmt.Sprintf("small: 1 updater, 3 runs\na b\n-----\n%s  -  1  2  3  %v  99  1.00  ok", name, growth), "\n")
	}
	base := tableShape(table("in-lock", 3), true)
	if cmp.Diff(base, tableShape(table("none", 3), true)) == "" || cmp.Diff(base, tableShape(table("in-lock", 4), true)) == "" {
		t.Error("another strategy, or another count, has the same shape")
	}
	if cmp.Diff(tableShape(table("in-lock", 3), false), tableShape(table("in-lock", 4), false)) != "" {
		t.Error("times are part of the shape")
	}
	d := docFile{lines: strings.Split("x\n<!-- timed -->\n```console\n$ a\nb\n$ c\n```\n`d e` f `g`", "\n")}
	want := []docBlock{{mode: blockTimed, from: 3, to: 6, steps: []docStep{{"a", []string{"b"}}, {"c", nil}}}}
	if diff := cmp.Diff(want, d.blocks(), cmp.AllowUnexported(docBlock{}, docStep{})); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"d e", "g"}, d.spans()); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
