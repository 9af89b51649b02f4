package profiles

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/simtime"
)

// Every file of the folder is a profile of its own name, written as the program
// writes profiles.
func TestCommitted(t *testing.T) {
	paths, err := fs.Glob(files, "*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Lookup(strings.TrimSuffix(path, extension))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if p.Name != strings.TrimSuffix(path, extension) {
			t.Errorf("%s: its name is %s", path, p.Name)
		}
		var again bytes.Buffer
		if err := simtime.EncodeProfile(&again, p); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if diff := cmp.Diff(string(data), again.String()); diff != "" {
			t.Errorf("%s is not as the program writes it (-file +written):\n%s", path, diff)
		}
	}
}

func TestLookup(t *testing.T) {
	if !slices.Contains(Names(), ReferenceName) || Reference().Name != ReferenceName {
		t.Errorf("profiles %q, want %s among them", Names(), ReferenceName)
	}
	for _, name := range []string{"", "nope", "reference.json", "../profiles/reference"} {
		var unknown *UnknownError
		if _, err := Lookup(name); !errors.As(err, &unknown) || unknown.Name != name {
			t.Errorf("%q: error %v, want an UnknownError", name, err)
		}
	}
}
