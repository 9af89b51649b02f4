package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/walbench/walbench/experiment/ciphers"
	"github.com/walbench/walbench/internal/vfs"
)

// A signal keeps the rounds that were measured, marked as partial.
func TestInterruptCiphers(t *testing.T) {
	report := filepath.Join(t.TempDir(), "r.json")
	p := start(t, "ciphers", "--suite", "aes-128-ctr", "--size", "64", "--rounds", "100000000", "--json", report)
	// Nothing outside tells when the first round is over: here it takes some
	// milliseconds. Before it the report would be as partial, but empty.
	time.Sleep(2 * time.Second)
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.end(t); code != exitInterrupted {
		t.Fatalf("exit code %d, want %d (%s)", code, exitInterrupted, p.stderr.String())
	}
	if !strings.Contains(p.stderr.String(), "interrupted") || !strings.Contains(p.stdout.String(), "partial") {
		t.Errorf("got table %q and message %q", p.stdout.String(), p.stderr.String())
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := decodeOne(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := lookup(doc, "complete"); err != nil || got != "false" {
		t.Errorf("complete: got %s, %v, want false", got, err)
	}
}

// A signal while the rival is being built ends the compiler and what that has
// started, and its folder goes; also if a second one follows at once.
func TestInterruptRivalBuild(t *testing.T) {
	for name, work := range map[string]string{"alone": "while :; do :; done", "with a child": "/bin/sleep 1000"} {
		for signals := 1; signals <= 2; signals++ {
			t.Run(fmt.Sprintf("%s, %d signals", name, signals), func(t *testing.T) { interruptBuild(t, work, signals) })
		}
	}
}

func interruptBuild(t *testing.T, work string, signals int) {
	bin, temp := t.TempDir(), t.TempDir()
	begun := filepath.Join(bin, "begun")
	script := "#!/bin/sh\n: >" + begun + "\n" + work + "\n"
	if err := os.WriteFile(filepath.Join(bin, "cc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("TMPDIR", temp)
	p := start(t, "ciphers", "--rival", "openssl")
	await(t, begun)
	for range signals {
		if err := p.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	if code := p.end(t); code != exitInterrupted {
		t.Fatalf("exit code %d, want %d (%s)", code, exitInterrupted, p.stderr.String())
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("temporary folder holds %v (%v), want nothing", left, err)
	}
}

// A report without rows leaves an earlier one alone.
func TestEmptyCiphersReport(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.json")
	if err := os.WriteFile(name, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout strings.Builder
	a := &app{fs: vfs.OS(), stdout: &stdout, screen: newScreen(io.Discard)}
	if err := a.writeCiphers(&ciphersFlags{json: name}, &ciphers.Report{}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "{}\n" || stdout.Len() > 0 {
		t.Errorf("the earlier report is now %q (%v), printed %q", text, err, stdout.String())
	}
}

// Without a compiler the rival fails before anything is measured, in one line.
func TestRivalWithoutCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, stdout, stderr := call("ciphers", "--rival", "openssl", "--json", "-")
	if code != exitFailed || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "install gcc and libssl-dev") {
		t.Errorf("exit code %d, output %q, message %q", code, stdout, stderr)
	}
}
