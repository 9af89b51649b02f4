package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/validate"
)

func TestValidateExitCodes(t *testing.T) {
	for want, err := range map[int]error{
		exitInconclusive: fmt.Errorf("%w: 7 of 24", validate.ErrNoisy),
		exitFailed:       fmt.Errorf("%w: much", validate.ErrBeyond),
		exitInterrupted:  errors.Join(experiment.ErrInterrupted, nil),
	} {
		if got := exitCode(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}

// A validation that is stopped keeps what it has, marked as partial.
func TestInterruptValidate(t *testing.T) {
	json := filepath.Join(t.TempDir(), "validation.json")
	p := start(t, "validate", "--profile", "reference", "--lock", "single", "--json", json)
	time.Sleep(time.Second) // anywhere in it
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.end(t); code != exitInterrupted {
		t.Fatalf("exit code %d, want %d (%s)", code, exitInterrupted, p.stderr.String())
	}
	text, err := os.ReadFile(json)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := decodeOne(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"schema": "walbench.validate/1", "complete": "false", "verdict": "inconclusive"} {
		if got, err := lookup(doc, path); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", path, got, err, want)
		}
	}
}
