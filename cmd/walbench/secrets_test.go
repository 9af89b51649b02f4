package main

import (
	"bytes"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The master key is in nothing that the program prints or writes.
func TestMasterKeyIsNowhere(t *testing.T) {
	dir := t.TempDir()
	const key = "c0ffee00112233445566778899aabbccddeeff0102030405060708090a0b0c0d"
	keyFile := filepath.Join(dir, "key")
	if err := os.WriteFile(keyFile, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := mustCall(t, "run", "--strategy", "none,in-lock,before-lock,batched-ctr", "--suite", "aes-128-ctr", "--workload", "insert", "--clients", "2",
		"--commits", "100", "--runs", "1", "--segment-size", "1MB", "--master-key-file", keyFile,
		"--device", "file:"+dir+"/logs", "--json", dir+"/r.json", "--out", dir+"/out")
	out += mustCall(t, "recover", "--records", "--master-key-file", keyFile, "--json", dir+"/recover.json",
		"--plain", dir+"/plain", dir+"/logs/batched-ctr_aes-128-ctr")
	raw, err := hex.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	looked := checkAbsent(t, dir, keyFile, []byte(key), raw)
	if looked < 20 {
		t.Errorf("looked into %d files only", looked)
	}
	if bytes.Contains([]byte(out), []byte(key)) {
		t.Error("the key was printed")
	}
}

// checkAbsent looks for secrets in every file below dir but one.
func checkAbsent(t *testing.T, dir, except string, secrets ...[]byte) (looked int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == except {
			return err
		}
		text, err := os.ReadFile(name)
		for _, s := range secrets {
			if bytes.Contains(text, s) || bytes.Contains(bytes.ToLower(text), s) {
				t.Errorf("%s holds the master key", name)
			}
		}
		looked++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return looked
}

// A key that a run draws itself is left in the log's folder alone, and nobody
// else may read it.
func TestDrawnMasterKey(t *testing.T) {
	dir := t.TempDir()
	mustCall(t, "run", "--strategy", "none,in-lock", "--workload", "small", "--clients", "1", "--commits", "20", "--runs", "1",
		"--segment-size", "1MB", "--device", "file:"+dir+"/logs", "--json", dir+"/r.json")
	name := filepath.Join(dir, "logs", "in-lock_aes-128-ctr", "master.key")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o600 {
		t.Errorf("mode %04o, want 0600", got)
	}
	key, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	checkAbsent(t, dir, name, bytes.TrimSpace(key))
}
