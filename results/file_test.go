package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/golden"
	"github.com/walbench/walbench/internal/vfs"
)

func TestEncodeGolden(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, testRun(t)); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "run.json", b.Bytes())
	for _, word := range []string{"NaN", "Inf"} {
		if bytes.Contains(b.Bytes(), []byte(word)) {
			t.Errorf("%s in the file", word)
		}
	}
}

func TestFileRoundTrip(t *testing.T) {
	fsys := vfs.NewMem()
	want := testRun(t)
	if err := Write(fsys, "r.json", want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(fsys, "r.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Strategies[0].Workload != "worst-case" {
		t.Errorf("first workload: got %s, want worst-case", got.Strategies[0].Workload)
	}
	var first, second bytes.Buffer
	if err := errors.Join(Encode(&first, want), Encode(&second, got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Errorf("encoding again differs:\n%s", diff)
	}
}

// TestNothingIsLeftOut decodes generically: an empty result has every member,
// and lists are empty, not null.
func TestNothingIsLeftOut(t *testing.T) {
	var b bytes.Buffer
	r := &Run{Schema: Schema, Kind: Measured, Strategies: []Strategy{{}}}
	if err := Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"schema", "kind", "complete", "config", "host", "instrument", "warnings", "modelled", "strategies"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	if list, ok := got["warnings"].([]any); !ok || len(list) != 0 {
		t.Errorf("warnings: got %v, want an empty list", got["warnings"])
	}
	s := got["strategies"].([]any)[0].(map[string]any)
	for _, key := range strings.Fields(`workload name suite cores range throughput_tps relative_throughput lock_held_ns_per_commit
		lock_acquisitions locks lock_hold_ns lock_hold_cpu_ns lock_wait_ns commit_latency_ns intended_latency_ns real_bytes
		encrypted_bytes written_bytes log_growth encrypted_bytes_per_real_byte written_bytes_per_real_byte bytes_per_flush
		cipher_setups cipher_calls cipher_ns_per_byte records commits flushes images retries allocs_per_record cpu_ns_per_commit verified
		keystream_audit relative_lock_held relative_lock_hold_p50 instrument_ns_per_hold instrument_share_of_hold
		device_lateness_ns noise_gap_share noise_steal_share`) {
		if _, ok := s[key]; !ok {
			t.Errorf("strategies[0].%s is missing", key)
		}
	}
	hold := s["lock_hold_ns"].(map[string]any)
	want := map[string]any{"mean": nil, "p50": nil, "p99": nil, "max": nil, "phases_ns_mean": nil, "sampled_every": nil}
	if diff := cmp.Diff(want, hold); diff != "" {
		t.Errorf("lock_hold_ns (-want +got):\n%s", diff)
	}
}

func TestReadRefusals(t *testing.T) {
	cases := []struct {
		name, content string
		want          error
		text          string // part of the message
	}{
		{"other schema", `{"schema": "walbench.recover/1"}`, ErrSchema, `r.json: schema "walbench.recover/1", want "walbench.run/1"`},
		{"later schema", `{"schema": "walbench.run/2", "kind": 7}`, ErrSchema, "walbench.run/2"},
		{"no schema", `{"kind": "measured"}`, ErrSchema, "no schema"},
		{"long schema", `{"schema": "` + strings.Repeat("x", 9000) + `"}`, ErrSchema, "xxx..."},
		{"other kind", `{"schema": "walbench.run/1", "kind": "guessed"}`, ErrMalformed, `kind "guessed"`},
		{"empty", ``, ErrMalformed, "r.json: line 1"},
		{"cut off", "{\n\"schema\": \"walbench.run/1\",\n\"kin", ErrMalformed, "line 3"},
		{"not JSON", "\n\nhello", ErrMalformed, "line 3"},
		{"NaN", `{"schema": "walbench.run/1", "kind": "measured", "config": {"rate_per_s": NaN}}`, ErrMalformed, "line 1"},
		{"too large a number", "{\"schema\": \"walbench.run/1\", \"kind\": \"measured\",\n\"config\": {\"rate_per_s\": 1e999}}", ErrMalformed, "line 2"},
		{"wrong type", "{\"schema\": \"walbench.run/1\", \"kind\": \"measured\",\n\"strategies\": 3}", ErrMalformed, "line 2"},
		{"two documents", `{"schema": "walbench.run/1", "kind": "measured"} {}`, ErrMalformed, "line 1"},
		{"a list", `[1]`, ErrMalformed, "line 1"},
	}
	for _, c := range cases {
		fsys := vfs.NewMem()
		if err := vfs.WriteFileAtomic(fsys, "r.json", []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(fsys, "r.json")
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.want, c.text)
			continue
		}
		if msg := err.Error(); strings.Contains(msg, "\n") || len(msg) > 250 {
			t.Errorf("%s: not one short line: %q", c.name, msg)
		}
	}
	if _, err := Read(vfs.NewMem(), "r.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: got %v, want %v", err, fs.ErrNotExist)
	}
}

// TestReadOtherVersions: an older file without members of today and a newer one
// with members of tomorrow are both readable.
func TestReadOtherVersions(t *testing.T) {
	const text = `{"schema": "walbench.run/1", "kind": "measured", "complete": true, "tomorrow": {"x": [1]},
		"config": {"clients": 8, "colour": "blue"}, "strategies": [{"name": "none", "commits": 5, "mood": null}]}`
	r, err := Decode("old.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Strategies[0]; r.Config.Clients != 8 || s.Commits != 5 || s.ThroughputTPS.Median != nil || r.Host != nil {
		t.Errorf("got %+v", r)
	}
	if err := WriteTable(&bytes.Buffer{}, r); err != nil {
		t.Errorf("table of an old file: %v", err)
	}
}

func TestWriteFailures(t *testing.T) {
	mem := vfs.NewMem()
	if err := Write(mem, "r.json", testRun(t)); err != nil {
		t.Fatal(err)
	}
	full := vfs.NewFault(mem, vfs.Rule{Op: vfs.OpShortWrite, Err: syscall.ENOSPC})
	if err := Write(full, "r.json", NewRun(Measured, Config{}, nil)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("full disk: got %v, want %v", err, syscall.ENOSPC)
	}
	if r, err := Read(mem, "r.json"); err != nil || len(r.Strategies) != 4 {
		t.Errorf("old file after a failed write: %v", err)
	}
	large := NewRun(Measured, Config{Seed: MaxSeed + 1}, nil)
	if err := Write(mem, "s.json", large); !errors.Is(err, ErrSeed) {
		t.Errorf("large seed: got %v, want %v", err, ErrSeed)
	}
	nan := testRun(t)
	*nan.Strategies[0].ThroughputTPS.Median = math.NaN()
	if err := Write(mem, "s.json", nan); err == nil {
		t.Error("NaN was written")
	}
	if there, _ := vfs.Exists(mem, "s.json"); there {
		t.Error("a refused result left a file")
	}
}

// FuzzDecode: whatever comes in gives a result that can be written again, or
// one line.
func FuzzDecode(f *testing.F) {
	var b bytes.Buffer
	if err := Encode(&b, testRun(f)); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"schema": "walbench.run/1", "kind": "modelled", "modelled": {"strategies": [{}]}}`))
	f.Add([]byte(`{"schema": "walbench.run/1", "kind": "modelled", "strategies": [{"lock_hold_ns": {"phases_ns_mean": {}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode("x.json", data)
		if err != nil {
			return
		}
		if r.Config.Seed <= MaxSeed {
			if err := Encode(&bytes.Buffer{}, r); err != nil {
				t.Errorf("cannot be encoded again: %v", err)
			}
		}
		if err := WriteTable(&bytes.Buffer{}, r); err != nil {
			t.Errorf("no table: %v", err)
		}
	})
}
