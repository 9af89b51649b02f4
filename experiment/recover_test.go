package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
)

// recoverable makes a log of two designs under one master key in memory and
// returns the file system and a configuration that reads the log of in-lock.
func recoverable(t *testing.T) (*vfs.Mem, RecoverConfig) {
	t.Helper()
	fsys := vfs.NewMem()
	if err := vfs.WriteFileAtomic(fsys, "key", []byte(strings.Repeat("0f", 16)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := NewRun(Config{
		FS: fsys, Strategies: []string{"in-lock", "before-lock"}, Device: "file:logs", MasterKey: "key",
		Workloads: []string{"insert"}, Commits: 100, Runs: 1, Clients: 2, SegmentSize: 1 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Execute(nil, nil); err != nil {
		t.Fatal(err)
	}
	if ok, err := vfs.Exists(fsys, "logs/in-lock_aes-128-ctr/control"); err != nil || !ok {
		t.Fatal("the run has left no log", err)
	}
	return fsys, RecoverConfig{FS: fsys, Inputs: []string{"logs/in-lock_aes-128-ctr"}, MasterKey: "key"}
}

func TestRecoverReport(t *testing.T) {
	_, cfg := recoverable(t)
	var lines bytes.Buffer
	cfg.Records = &lines
	cfg.Plain = "plain"
	report, err := Recover(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(lines.String(), "\n"); report.Records != 200 || n != 200 || report.RealBytes != 100*(71+34) {
		t.Errorf("got %d records of %d bytes in %d lines, want 200 of 10500", report.Records, report.RealBytes, n)
	}
	if report.End != "clean" || report.KeysUsed != 1 || report.Damage != nil || report.MBPerS == nil {
		t.Errorf("got %+v", report)
	}
	again, err := Recover(RecoverConfig{FS: cfg.FS, Inputs: []string{"plain"}})
	if err != nil {
		t.Fatal(err)
	}
	if again.Records != report.Records || again.EndLSN != report.EndLSN || again.KeysUsed != 0 {
		t.Errorf("plain log: got %+v, want the records of %+v", again, report)
	}
}

// What a design adds to records is no part of the real bytes.
func TestRecoverRealBytes(t *testing.T) {
	_, cfg := recoverable(t)
	cfg.Inputs = []string{"logs/before-lock_aes-128-ctr"}
	report, err := Recover(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if report.RealBytes != 100*(71+34) || report.summary.StoredBytes != report.RealBytes+200*12 {
		t.Errorf("got %d real and %d stored bytes, want 10500 and 12900", report.RealBytes, report.summary.StoredBytes)
	}
}

// The JSON document has the members that scripts rely on, and unknown is null.
func TestRecoverJSON(t *testing.T) {
	_, cfg := recoverable(t)
	report, err := Recover(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"schema", "host", "warnings", "segments", "records", "real_bytes", "first_lsn", "end_lsn", "end",
		"damage", "keys_used", "mb_per_s",
	}
	for _, name := range want {
		if _, ok := doc[name]; !ok {
			t.Errorf("no member %q", name)
		}
	}
	if len(doc) != len(want) || string(doc["damage"]) != "null" || string(doc["warnings"]) != "[]" {
		t.Errorf("got %s", b.String())
	}
}

// A failing machine is no mistake of the user's, and damage is neither.
func TestRecoverErrors(t *testing.T) {
	fsys, cfg := recoverable(t)
	segment := "000000010000000000000001"
	for name, tc := range map[string]struct {
		rule   vfs.Rule
		change func(*RecoverConfig)
		want   error
		usage  bool
		report bool
	}{
		"read":         {rule: vfs.Rule{Op: vfs.OpRead, Path: segment, Sticky: true}, want: syscall.EIO},
		"keys":         {rule: vfs.Rule{Op: vfs.OpRead, Path: "keys"}, want: syscall.EIO},
		"full disk":    {rule: vfs.Rule{Op: vfs.OpWrite, Path: "plain", Err: syscall.ENOSPC}, want: syscall.ENOSPC, report: true},
		"sync":         {rule: vfs.Rule{Op: vfs.OpSync, Path: "plain"}, want: syscall.EIO, report: true},
		"permission":   {rule: vfs.Rule{Op: vfs.OpOpen, Path: segment, Err: syscall.EACCES}, want: syscall.EACCES, usage: true},
		"missing":      {change: func(c *RecoverConfig) { c.Inputs = []string{"nowhere"} }, want: syscall.ENOENT, usage: true},
		"no key":       {change: func(c *RecoverConfig) { c.MasterKey = "" }, usage: true},
		"missing key":  {change: func(c *RecoverConfig) { c.MasterKey = "nokey" }, want: syscall.ENOENT, usage: true},
		"output taken": {change: func(c *RecoverConfig) { c.Plain = "logs" }, usage: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := cfg
			c.Plain = "plain-" + strings.ReplaceAll(name, " ", "-")
			if tc.rule.Op != vfs.OpAny {
				c.FS = vfs.NewFault(fsys, tc.rule)
			}
			if tc.change != nil {
				tc.change(&c)
			}
			report, err := Recover(c)
			var usage *UsageError
			if err == nil || errors.As(err, &usage) != tc.usage || (report != nil) != tc.report {
				t.Errorf("got report %t and error %v, want %t, and the user's mistake: %t", report != nil, err, tc.report, tc.usage)
			}
			if tc.want != nil && !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestRecoverRecordsCannotBePrinted(t *testing.T) {
	_, cfg := recoverable(t)
	cfg.Records = fullWriter{}
	var usage *UsageError
	if _, err := Recover(cfg); !errors.Is(err, syscall.ENOSPC) || errors.As(err, &usage) {
		t.Errorf("got %v, want %v", err, syscall.ENOSPC)
	}
}
