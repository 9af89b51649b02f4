package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the program too, when it is started under its name: so
// scripts and tests can start it as a process, with the test strategies in it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"walbench": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	traces, err := filepath.Abs("../../loadgen/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("LOADGEN", traces)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "jsonq": jsonq, "plain": plainText, "flip": flip, "cut": cut, "oneline": oneLineOf, "edit": edit,
			"samerun": sameRun,
		},
	})
}

// exits CODE PROGRAM ARG... runs a program that has to end with this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// jsonq FILE PATH WANT looks at one value of a JSON document. PATH is made of
// member names, list indices, and NAME=VALUE, which picks the first list element
// with such a member; "len" is the length of a list. WANT is the value as JSON (a
// string without its quotes), or ~REGEXP.
func jsonq(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: jsonq FILE PATH WANT")
	}
	doc, err := decodeOne(ts.ReadFile(args[0]))
	ts.Check(err)
	got, err := lookup(doc, args[1])
	if err != nil {
		ts.Fatalf("%s: %s: %v", args[0], args[1], err)
	}
	ok := got == args[2]
	if pattern, found := strings.CutPrefix(args[2], "~"); found {
		ok = regexp.MustCompile("^(?:" + pattern + ")$").MatchString(got)
	}
	if ok == neg {
		ts.Fatalf("%s: %s: got %s, want %s (negated: %t)", args[0], args[1], got, args[2], neg)
	}
}

// samerun FILE FILE compares two JSON documents but for what they say of the
// machine, such as its load.
func sameRun(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: samerun FILE FILE")
	}
	var docs [2]any
	for i, name := range args {
		doc, err := decodeOne(ts.ReadFile(name))
		ts.Check(err)
		delete(doc.(map[string]any), "host")
		docs[i] = doc
	}
	if diff := cmp.Diff(docs[0], docs[1]); (diff == "") == neg {
		ts.Fatalf("%s and %s (negated: %t): %s", args[0], args[1], neg, diff)
	}
}

// decodeOne decodes text, which has to be exactly one JSON document.
func decodeOne(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("more than one document")
	}
	return doc, nil
}

func lookup(v any, path string) (string, error) {
	for part := range strings.SplitSeq(path, "/") {
		var err error
		if v, err = step(v, part); err != nil {
			return "", err
		}
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	text, err := json.Marshal(v)
	return string(text), err
}

func step(v any, part string) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if w, ok := v[part]; ok {
			return w, nil
		}
	case []any:
		if part == "len" {
			return len(v), nil
		}
		if i, err := strconv.Atoi(part); err == nil && i < len(v) {
			return v[i], nil
		}
		return pick(v, part)
	}
	return nil, errors.New("no " + part)
}

func pick(list []any, part string) (any, error) {
	name, value, _ := strings.Cut(part, "=")
	for _, e := range list {
		if m, ok := e.(map[string]any); ok && m[name] == value {
			return e, nil
		}
	}
	return nil, errors.New("no element with " + part)
}

// plain FILE... checks that output has no escape sequence, carriage return or
// other control character.
func plainText(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		if i := bytes.IndexFunc([]byte(ts.ReadFile(name)), func(r rune) bool { return r < ' ' && r != '\n' }); (i >= 0) != neg {
			ts.Fatalf("%s: control character at %d", name, i)
		}
	}
}

// oneline FILE checks that there is exactly one line, with the prefix.
func oneLineOf(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(args[0])
	ok := strings.Count(text, "\n") == 1 && strings.HasPrefix(text, prefix) && strings.HasSuffix(text, "\n")
	if ok == neg {
		ts.Fatalf("%s: want one line with %q (negated: %t), got %q", args[0], prefix, neg, text)
	}
}

// flip FILE OFFSET changes one bit of the byte there.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := []byte(ts.ReadFile(args[0]))
	text[offset] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o600))
}

// cut FILE SIZE keeps the first SIZE bytes and fills the rest with zeros.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := []byte(ts.ReadFile(args[0]))
	clear(text[size:])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o600))
}

// edit FILE TO OLD NEW writes FILE to TO with the first OLD replaced.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: edit FILE TO OLD NEW")
	}
	before, after, found := strings.Cut(ts.ReadFile(args[0]), args[2])
	if !found {
		ts.Fatalf("%s: no %q", args[0], args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(before+args[3]+after), 0o600))
}

// call runs the program inside the test.
func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// mustCall is call for what has to work.
func mustCall(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := call(args...)
	if code != exitOK {
		t.Fatalf("walbench %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}
