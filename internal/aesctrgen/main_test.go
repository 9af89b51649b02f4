package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	list, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		got, err := os.ReadFile(filepath.Join("../../strategies/aesctr", f.name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("%s is not what the generator prints: run go generate ./strategies/aesctr", f.name)
		}
	}
}
