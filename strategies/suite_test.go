package strategies

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Every implementation that can run here has its suites, and no other has.
func TestSuitesOfImplementations(t *testing.T) {
	want := map[string]bool{"ctr-ecb-scalar": true, "ctr-ecb-vector": true}
	for _, i := range aesctr.Supported() {
		for _, c := range []string{"aes-128-ctr", "aes-256-ctr"} {
			if i.Name == "stdlib" {
				want[c] = true
			} else {
				want[c+"/"+i.Name] = true
			}
		}
	}
	got := map[string]bool{}
	for _, s := range Suites() {
		got[s.Name] = true
		if found, err := LookupSuite(s.Name); err != nil || found != s {
			t.Errorf("%s: not found: %v", s.Name, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("suites (-want +got):\n%s", diff)
	}
}

func TestLookupSuite(t *testing.T) {
	for _, name := range []string{"aes-128-ctr", "aes-256-ctr"} {
		s, err := LookupSuite(name + "/stdlib")
		if err != nil || s.Name != name || s.Implementation.Name != "stdlib" {
			t.Errorf("%s/stdlib: %+v, %v; want another spelling of %s", name, s, err, name)
		}
	}
	var unknown *UnknownError
	for _, name := range []string{"", "nope", "nope/vaes-512", "ctr-ecb-vector/stdlib", "aes-128-ctr/", "/stdlib"} {
		if _, err := LookupSuite(name); !errors.As(err, &unknown) {
			t.Errorf("%q: error %v, want an UnknownError", name, err)
		}
	}
	names := []string{"nope", "vaes-512/", "stdlib/stdlib"}
	for _, i := range aesctr.Implementations() {
		if !i.Supported() {
			names = append(names, i.Name)
		}
	}
	for _, name := range names {
		_, err := LookupSuite("aes-128-ctr/" + name)
		if !errors.Is(err, aesctr.ErrImplementation) || !strings.Contains(err.Error(), "suite aes-128-ctr/"+name+":") {
			t.Errorf("%s: error %v, want ErrImplementation with the suite's name", name, err)
		}
	}
}

// batched-ctr runs on what is selected, the others on the standard library.
func TestDefaultSuites(t *testing.T) {
	selected, err := aesctr.Selected()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range All() {
		if d.Mode == ModeNone {
			continue
		}
		s, err := LookupSuite(d.DefaultSuite)
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		switch d.Name {
		case "batched-ctr":
			if s.Cipher != "aes-128-ctr" || s.Implementation != selected {
				t.Errorf("batched-ctr: %s, want AES-128 on %s", s.Name, selected.Name)
			}
		case "in-lock", "before-lock":
			if s.Name != "aes-128-ctr" {
				t.Errorf("%s: %s, want aes-128-ctr", d.Name, s.Name)
			}
		}
	}
}

// pg_tde's suites have a warning exactly where no kernel stands for OpenSSL.
func TestECBWarning(t *testing.T) {
	for _, name := range []string{"ctr-ecb-scalar", "ctr-ecb-vector"} {
		s, err := LookupSuite(name)
		if err != nil {
			t.Fatal(err)
		}
		if (s.Warning != "") != (s.Implementation.Name == "stdlib") {
			t.Errorf("%s on %s: warning %q", name, s.Implementation.Name, s.Warning)
		}
		if !strings.Contains(s.Summary, s.Implementation.Name) && s.Implementation.Name != "aes-ni" || s.Cipher != name {
			t.Errorf("%s on %s, cipher %s: %s", name, s.Implementation.Name, s.Cipher, s.Summary)
		}
	}
}

// The labels that keys are derived with are part of the format: what an older
// version wrote has to stay readable.
func TestKeysOfSuites(t *testing.T) {
	var k StartKey
	for i := range k.secret {
		k.secret[i] = byte(i)
	}
	seen := map[string]string{}
	for _, s := range Suites() {
		key := string(k.derive(s))
		if cipher, found := seen[key]; found && cipher != s.Cipher {
			t.Errorf("%s has the key of %s", s.Cipher, cipher)
		}
		seen[key] = s.Cipher
	}
	if len(seen) != 4 {
		t.Errorf("%d keys, want one for each of 4 ciphers", len(seen))
	}
	s, err := LookupSuite("aes-128-ctr")
	if err != nil {
		t.Fatal(err)
	}
	// HKDF-SHA256 of 00..1f, no salt, info "walbench log aes-128-ctr", 16 bytes.
	if want := unhex(t, "68db274f0c9aa796c7934e4435806c3d"); string(k.derive(s)) != string(want) {
		t.Errorf("key %x, want %x", k.derive(s), want)
	}
}

// A key file may name an implementation that this machine does not have, or that
// a later version knows: its log is readable all the same.
func TestKeyFileOfAnotherMachine(t *testing.T) {
	for _, name := range []string{"in-lock", "batched-ctr"} {
		d, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		here, err := LookupSuite("aes-128-ctr")
		if err != nil {
			t.Fatal(err)
		}
		there := *here
		there.Name = "aes-128-ctr/vaes-1024"
		fsys, master := vfs.NewMem(), NewMasterKey()
		if err := fsys.MkdirAll("log", 0o755); err != nil {
			t.Fatal(err)
		}
		ring, err := OpenKeyring(fsys, "log", master)
		if err != nil {
			t.Fatal(err)
		}
		o := StartOptions{Design: d, Suite: &there, TLI: 1, StartLSN: 0x1000000, SegmentSize: pgformat.DefaultSegmentSize}
		if _, err := ring.Start(o); err != nil {
			t.Fatal(err)
		}
		if ring, err = OpenKeyring(fsys, "log", master); err != nil {
			t.Fatal(err)
		}
		if got := ring.Ranges()[0].Suite; got != there.Name {
			t.Errorf("the key file names %s, want %s", got, there.Name)
		}
		if _, err := ring.Decoder(o.SegmentSize); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := LookupSuite(there.Name); !errors.Is(err, aesctr.ErrImplementation) {
			t.Errorf("to write with %s: error %v, want ErrImplementation", there.Name, err)
		}
	}
}
