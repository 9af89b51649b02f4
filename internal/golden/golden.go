// Package golden compares what a test made with a file under testdata, which
// `go test PACKAGE -update` writes anew. What changes in the file is then read in
// the diff of the commit.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Check fails t unless the file name in the folder testdata holds got; with
// -update it writes the file first.
func Check(t testing.TB, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := write(file, got); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-file +now); -update rewrites it:\n%s", file, diff)
	}
}

func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
