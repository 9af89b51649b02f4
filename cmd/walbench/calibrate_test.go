package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/results/published/profiles"
)

// The tables of a profile's numbers in docs/format.md have those of a profile,
// which has all of them or could not be read.
func TestDocsProfileNumbers(t *testing.T) {
	p, d := profiles.Reference(), readDoc(t, "docs/format.md")
	for name, want := range map[string][]string{
		"profile": slices.Sorted(maps.Keys(p.Numbers)),
		"suite":   slices.Sorted(maps.Keys(p.Suites["aes-128-ctr"])),
	} {
		var got []string
		for _, row := range d.tableAfter(t, "<!-- numbers: "+name+" -->") {
			got = append(got, spansOf(row[0])...)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-code +document):\n%s", name, diff)
		}
	}
}

// A calibration that is stopped leaves no profile and no file on its device.
func TestInterruptCalibrate(t *testing.T) {
	disk, cache := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	json := filepath.Join(t.TempDir(), "profile.json")
	p := start(t, "calibrate", "--device", "file:"+disk, "--json", json)
	awaitMatch(t, filepath.Join(disk, "walbench-calibrate-*"))
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.end(t); code != exitInterrupted {
		t.Fatalf("exit code %d, want %d (%s)", code, exitInterrupted, p.stderr.String())
	}
	if _, err := os.Stat(json); err == nil {
		t.Error("there is a profile")
	}
	for _, dir := range []string{disk, cache} {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
	if p.stdout.Len() > 0 {
		t.Errorf("standard output %q", p.stdout.String())
	}
}

// awaitMatch waits until a file matches the pattern.
func awaitMatch(t *testing.T, pattern string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if names, err := filepath.Glob(pattern); err != nil || len(names) > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s did not appear", pattern)
		}
	}
}
