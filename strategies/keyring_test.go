package strategies

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim/pgformat"
)

// startTwice makes a key file with two ranges of a design.
func startTwice(t *testing.T, name string) (*vfs.Mem, *MasterKey) {
	t.Helper()
	fsys, master := vfs.NewMem(), NewMasterKey()
	if err := fsys.MkdirAll("log", 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := OpenKeyring(fsys, "log", master)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []pgformat.LSN{0x1000028, 0x1003000} {
		o := StartOptions{Design: d, TLI: 1, StartLSN: at, SegmentSize: pgformat.DefaultSegmentSize}
		if d.Mode != ModeNone {
			o.Suite, _ = LookupSuite(d.DefaultSuite)
		}
		if _, err := ring.Start(o); err != nil {
			t.Fatal(err)
		}
	}
	return fsys, master
}

func TestKeysOpenWithTheirMasterKeyOnly(t *testing.T) {
	for _, d := range All() {
		fsys, master := startTwice(t, d.Name)
		open := func(m *MasterKey) error {
			ring, err := OpenKeyring(fsys, "log", m)
			if err != nil {
				return err
			}
			if ring.NeedsMaster() != (d.Mode != ModeNone) || len(ring.Ranges()) != 2 {
				t.Errorf("%s: needs a master key: %v, %d ranges", d.Name, ring.NeedsMaster(), len(ring.Ranges()))
			}
			_, err = ring.Decoder(pgformat.DefaultSegmentSize)
			return err
		}
		if err := open(master); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if d.Mode == ModeNone {
			continue
		}
		for _, wrong := range []*MasterKey{nil, NewMasterKey()} {
			if err := open(wrong); !errors.Is(err, ErrMasterKey) {
				t.Errorf("%s: error %v, want ErrMasterKey", d.Name, err)
			}
		}
	}
}

// Each start draws a key of its own: a copied folder must not repeat one.
func TestStartKeysDiffer(t *testing.T) {
	fsys, master := startTwice(t, "in-lock")
	ranges, err := readKeyFile(fsys, "log")
	if err != nil {
		t.Fatal(err)
	}
	a, errA := ranges[0].unwrap(master)
	b, errB := ranges[1].unwrap(master)
	if errA != nil || errB != nil || a.secret == b.secret {
		t.Errorf("keys equal: %v (%v, %v)", a.secret == b.secret, errA, errB)
	}
}

// Every field of an entry is authenticated: changing one makes the key useless.
func TestKeyFileTampering(t *testing.T) {
	changes := map[string]func(r *Range){
		"key id":   func(r *Range) { r.KeyID++ },
		"strategy": func(r *Range) { r.Strategy = "batched-ctr" },
		"suite":    func(r *Range) { r.Suite = "aes-256-ctr" },
		"timeline": func(r *Range) { r.Timeline++ },
		"start":    func(r *Range) { r.StartLSN = "0/02000028" },
		"nonce":    func(r *Range) { r.Nonce = flipHex(r.Nonce) },
		"wrapped":  func(r *Range) { r.Wrapped = flipHex(r.Wrapped) },
		"no nonce": func(r *Range) { r.Nonce = "" },
		"no hex":   func(r *Range) { r.Wrapped = "zz" },
	}
	for name, change := range changes {
		fsys, master := startTwice(t, "in-lock")
		ranges, err := readKeyFile(fsys, "log")
		if err != nil {
			t.Fatal(err)
		}
		change(&ranges[1])
		if err := writeKeyFile(fsys, "log", ranges); err != nil {
			t.Fatal(err)
		}
		ring, err := OpenKeyring(fsys, "log", master)
		if err == nil {
			_, err = ring.Decoder(pgformat.DefaultSegmentSize)
		}
		if !errors.Is(err, ErrMasterKey) && !errors.Is(err, ErrKeyFile) {
			t.Errorf("%s: error %v, want one of the key file's", name, err)
		}
	}
}

func flipHex(s string) string {
	if s[0] == '0' {
		return "1" + s[1:]
	}
	return "0" + s[1:]
}

func TestUnreadableKeyFile(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"schema":"walbench.keys/2","ranges":[]}`,
		`{"schema":"walbench.keys/1","ranges":[{"start_lsn":"nonsense"}]}`, `{"schema":"walbench.keys/1","more":1}`} {
		fsys := vfs.NewMem()
		if err := fsys.MkdirAll("log", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileAtomic(fsys, "log/keys", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenKeyring(fsys, "log", nil); !errors.Is(err, ErrKeyFile) || !strings.Contains(err.Error(), "keys") {
			t.Errorf("%q: error %v, want ErrKeyFile with the file's name", text, err)
		}
	}
}

func FuzzKeyFile(f *testing.F) {
	f.Add([]byte(`{"schema":"walbench.keys/1","ranges":[{"key_id":1,"strategy":"in-lock","suite":"aes-128-ctr","timeline":1,"start_lsn":"0/01000028","wrap_nonce":"","wrapped_key":""}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		fsys := vfs.NewMem()
		if err := errors.Join(fsys.MkdirAll("log", 0o755), vfs.WriteFileAtomic(fsys, "log/keys", text, 0o600)); err != nil {
			t.Fatal(err)
		}
		ring, err := OpenKeyring(fsys, "log", NewMasterKey())
		if err == nil {
			_, _ = ring.Decoder(pgformat.DefaultSegmentSize) // must not panic
		}
	})
}

func TestMasterKeyFile(t *testing.T) {
	cases := map[string]struct {
		text string
		mode uint32
		want error
	}{
		"128 bits":    {strings.Repeat("0a", 16) + "\n", 0o600, nil},
		"192 bits":    {strings.Repeat("0A", 24), 0o400, nil},
		"256 bits":    {strings.Repeat("ff", 32) + "\r\n", 0o600, nil},
		"group reads": {strings.Repeat("0a", 16) + "\n", 0o640, ErrMasterKeyMode},
		"all read":    {strings.Repeat("0a", 16) + "\n", 0o604, ErrMasterKeyMode},
		"short":       {strings.Repeat("0a", 15) + "\n", 0o600, ErrMasterKeyFormat},
		"no hex":      {strings.Repeat("0g", 16) + "\n", 0o600, ErrMasterKeyFormat},
		"two lines":   {strings.Repeat("0a", 16) + "\n00\n", 0o600, ErrMasterKeyFormat},
		"empty":       {"", 0o600, ErrMasterKeyFormat},
		"long":        {strings.Repeat("0a", 1000), 0o600, vfs.ErrTooLarge},
	}
	for name, c := range cases {
		fsys := vfs.NewMem()
		if err := fsys.MkdirAll("k", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileAtomic(fsys, "k/key", []byte(c.text), modeOf(c.mode)); err != nil {
			t.Fatal(err)
		}
		_, err := ReadMasterKey(fsys, "k/key")
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
		if err != nil && len(c.text) > 10 && strings.Contains(err.Error(), c.text[:10]) {
			t.Errorf("%s: the error shows the key: %v", name, err)
		}
	}
}

// Keys never format as their values.
func TestKeysStaySecret(t *testing.T) {
	start, master := newStartKey(), NewMasterKey()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		for _, k := range []any{start, master} {
			if got := fmt.Sprintf(verb, k); !strings.Contains(got, "secret)") {
				t.Errorf("%s of a key: %s", verb, got)
			}
		}
	}
	for _, k := range []any{start, master} {
		if b, err := json.Marshal(k); err != nil || string(b) != "{}" {
			t.Errorf("a key as JSON: %s (%v)", b, err)
		}
	}
}
