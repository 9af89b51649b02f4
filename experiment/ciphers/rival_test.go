package ciphers

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/walbench/walbench/experiment"
)

// needRival starts the real program. Without a compiler or headers the tests that
// need it are left out, unless WALBENCH_REQUIRE_OPENSSL is set.
func needRival(t *testing.T) *rival {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	v, err := startRival(t.TempDir(), nil)
	if errors.Is(err, ErrToolchain) && os.Getenv("WALBENCH_REQUIRE_OPENSSL") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.close(); err != nil {
			t.Error(err)
		}
	})
	isEmpty(t, temp)
	return v
}

func isEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("temporary folder holds %v (%v), want nothing", entries, err)
	}
}

// The rival encrypts the same records, at the same places, under the same nonces
// as our subjects.
func TestRivalEncrypts(t *testing.T) {
	v := needRival(t)
	if !strings.HasPrefix(v.info.Version, "OpenSSL ") || v.info.Compiler == "" {
		t.Errorf("version %q, compiler %q", v.info.Version, v.info.Compiler)
	}
	list := rivalSubjects(catalog())
	if len(list) != 10 {
		t.Errorf("%d subjects, want 3 + 1 + 1 for each of two key sizes", len(list))
	}
	for _, s := range list {
		for _, size := range oracleSizes {
			if !s.takes(size) {
				continue
			}
			r := newRing(size)
			memory, err := v.show(s, r)
			if err != nil {
				t.Fatalf("%s %s %v: %v", s.suite, s.call, size, err)
			}
			copy(r.dst, memory)
			if !bytes.Equal(got(r), (oracle{s.suite, s.call}).want(t, r)) {
				t.Errorf("%s %s %v: the records are not what the oracle makes of them", s.suite, s.call, size)
			}
		}
	}
}

func TestRivalTimes(t *testing.T) {
	v := needRival(t)
	r := newRing(Size{100, 100})
	for _, s := range rivalSubjects(catalog()) {
		timer := rivalTimer{v, s}
		few, err := timer.time(r, len(r.recs))
		if err != nil {
			t.Fatal(err)
		}
		setup, err := timer.setup()
		if err != nil || few <= 0 || setup <= 0 || timer.allocs(r, 1) != nil {
			t.Errorf("%s %s: %v ns, setup %v ns (%v)", s.suite, s.call, few, setup, err)
		}
	}
	for _, question := range []string{"nonsense", "run aes-128-ctr batch 0 0 1 1", "run des-nope per-record 8 8 1 1", "setup nope 1"} {
		if answer, err := v.ask("%s", question); !errors.Is(err, errRival) {
			t.Errorf("%q: answer %q, %v; want an error", question, answer, err)
		}
	}
}

// A whole run with a rival: its rows, and ratios to it where it has the same call.
func TestRivalRun(t *testing.T) {
	needRival(t)
	r := mustNew(t, Config{
		Suites: []string{"aes-128-ctr", "aes-256-xts", "ctr-ecb-vector"}, Sizes: []Size{{64, 64}, {30, 100}}, Rounds: 2, Rival: RivalOpenSSL,
	})
	p, err := r.Execute(nil, func(Progress) {})
	if err != nil || len(p.Rivals) != 1 {
		t.Fatalf("rivals %v, %v", p.Rivals, err)
	}
	rivals := 0
	for i := range p.Rows {
		w := &p.Rows[i]
		compared := strings.HasPrefix(w.Suite, "aes-") && w.Implementation != RivalOpenSSL
		if compared != (w.RatioToRival != nil && w.Rival != nil) {
			t.Errorf("%s by %s, %s: ratio %v", w.Suite, w.Implementation, w.Call, w.RatioToRival)
		}
		if w.Implementation == RivalOpenSSL {
			rivals++
		}
	}
	if rivals != 3+1+2+1 {
		t.Errorf("%d rows of the rival, want 7", rivals)
	}
}

// A rival that dies is an error, and no hanging.
func TestRivalDies(t *testing.T) {
	v := needRival(t)
	dead, err := startRival(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := dead.askNs("setup aes-128-ctr 1"); !errors.Is(err, errRival) {
		t.Errorf("got %v, want %v", err, errRival)
	}
	if err := dead.close(); !errors.Is(err, errRival) {
		t.Errorf("close of a dead program: %v", err)
	}
	if _, err := v.askNs("setup aes-128-ctr 1"); err != nil {
		t.Errorf("the other one: %v", err)
	}
}

// fakeCompiler makes a script the only compiler.
func fakeCompiler(t *testing.T, script string) (temp string) {
	t.Helper()
	bin, temp := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("TMPDIR", temp)
	if script == "" {
		return temp
	}
	if err := os.WriteFile(filepath.Join(bin, "gcc"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return temp
}

func TestRivalToolchain(t *testing.T) {
	for name, tc := range map[string]struct{ script, want string }{
		"no compiler": {"", "no cc, gcc, clang: the openssl rival needs"},
		"no headers": {"echo openssl.c:1:10: fatal error: openssl/evp.h: No such file or directory >&2; exit 1",
			"gcc: openssl.c:1:10: fatal error: openssl/evp.h: No such file or directory: the openssl rival needs"},
		"no library": {"echo collect; echo ld: cannot find -lcrypto; exit 1", "gcc: ld: cannot find -lcrypto: the openssl rival needs"},
	} {
		t.Run(name, func(t *testing.T) {
			temp := fakeCompiler(t, tc.script)
			_, err := New(Config{Rival: RivalOpenSSL}, nil)
			if !errors.Is(err, ErrToolchain) || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line that begins %q", err, tc.want)
			}
			isEmpty(t, temp)
		})
	}
}

// What is no missing header is not called one.
func TestRivalBuildFails(t *testing.T) {
	for name, tc := range map[string]struct{ script, want string }{
		"silent":   {"exit 1", "gcc cannot build the openssl rival: exit status 1"},
		"no space": {"echo fatal error: no space left >&2; exit 1", "gcc cannot build the openssl rival: fatal error: no space left: exit status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			temp := fakeCompiler(t, tc.script)
			_, err := New(Config{Rival: RivalOpenSSL}, nil)
			if err == nil || errors.Is(err, ErrToolchain) || err.Error() != tc.want {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			isEmpty(t, temp)
		})
	}
}

// Stopping while the compiler runs ends it and leaves nothing.
func TestRivalStopped(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	temp := fakeCompiler(t, "while :; do :; done")
	if _, err := New(Config{Rival: RivalOpenSSL}, stop); !errors.Is(err, experiment.ErrInterrupted) {
		t.Errorf("got %v, want %v", err, experiment.ErrInterrupted)
	}
	isEmpty(t, temp)
}
