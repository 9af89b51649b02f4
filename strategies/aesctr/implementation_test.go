package aesctr

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestSupported(t *testing.T) {
	list := Supported()
	if list[len(list)-1] != stdlib {
		t.Errorf("the last one that runs is %s, want stdlib", list[len(list)-1].Name)
	}
	for _, i := range Implementations() {
		if i.Supported() != slices.Contains(list, i) {
			t.Errorf("%s: supported %v, but in the list %v", i.Name, i.Supported(), slices.Contains(list, i))
		}
	}
}

func TestLookup(t *testing.T) {
	for _, i := range Supported() {
		if got, err := Lookup(i.Name); got != i || err != nil {
			t.Errorf("Lookup(%q) = %v, %v", i.Name, got, err)
		}
	}
	for _, name := range []string{"", "vaes", "AES-NI", "stdlib ", "openssl"} {
		got, err := Lookup(name)
		if got != nil || !errors.Is(err, ErrImplementation) {
			t.Errorf("Lookup(%q) = %v, %v", name, got, err)
			continue
		}
		for _, part := range []string{fmt.Sprintf("%q is not known", name), "can run here: " + names(Supported())} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("Lookup(%q): %q does not say %q", name, err, part)
			}
		}
	}
}

// lame puts an implementation into the list that no machine can run, the
// preferred one.
func lame(t *testing.T) *Implementation {
	t.Helper()
	before := implementations
	t.Cleanup(func() { implementations = before })
	i := &Implementation{Name: "lame", Summary: "needs what is not", Missing: "UNOBTAINIUM"}
	implementations = append([]*Implementation{i}, before...)
	return i
}

func TestUnsupported(t *testing.T) {
	i := lame(t)
	if i.Supported() || slices.Contains(Supported(), i) || !slices.Contains(Implementations(), i) {
		t.Error("an implementation that cannot run here is listed, and not supported")
	}
	got, err := Lookup("lame")
	if got != nil || !errors.Is(err, ErrImplementation) || !strings.Contains(err.Error(), `"lame" needs UNOBTAINIUM`) {
		t.Errorf("Lookup = %v, %v", got, err)
	}
	if got, err := choose(""); got != Supported()[0] || err != nil {
		t.Errorf("choose = %v, %v: want the best that can run", got, err)
	}
	if text := exercised(); !strings.Contains(text, "not: lame (needs UNOBTAINIUM)") {
		t.Errorf("the test log would say %q", text)
	}
	panics(t, "lame needs UNOBTAINIUM", func() { _, _ = i.New(testKey(16)) }, "New")
	panics(t, "lame needs UNOBTAINIUM", func() { _, _ = i.NewXTS(testKey(32)) }, "NewXTS")
}

func TestChoose(t *testing.T) {
	best := Supported()[0]
	if got, err := choose(""); got != best || err != nil {
		t.Errorf("choose nothing = %v, %v, want the best", got, err)
	}
	for _, i := range Supported() {
		if got, err := choose(i.Name); got != i || err != nil {
			t.Errorf("choose %s = %v, %v", i.Name, got, err)
		}
	}
	got, err := choose("nonesuch")
	if got != best || !errors.Is(err, ErrImplementation) || !strings.HasPrefix(err.Error(), `WALBENCH_AESCTR="nonesuch" is not known`) {
		t.Errorf("choose nonesuch = %v, %v, want the best and an error", got, err)
	}
}

// The environment decides when the program starts: a child process says how.
func TestEnvironment(t *testing.T) {
	check := func(value, wantName, wantErr string) {
		t.Helper()
		cmd := exec.Command(os.Args[0])
		// Under the race detector a process waits for a second before it ends.
		cmd.Env = append(os.Environ(), askSelected+"=1", EnvName+"="+value, "GORACE=atexit_sleep_ms=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		name, message, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if name != wantName || !strings.Contains(message, wantErr) {
			t.Errorf("%s=%q: selected %q, %q; want %q, %q", EnvName, value, name, message, wantName, wantErr)
		}
	}
	check("", Supported()[0].Name, "<nil>")
	for _, i := range Supported() {
		check(i.Name, i.Name, "<nil>")
	}
	check("nonesuch", Supported()[0].Name, "can run here: "+names(Supported()))
}

func TestNewUsesSelected(t *testing.T) {
	want, _ := Selected()
	c, err := New(testKey(16))
	if err != nil || c.Implementation() != want {
		t.Errorf("New: %v, %v, want %s", c, err, want.Name)
	}
	x, err := NewXTS(testKey(32))
	if err != nil || x.data.impl != want || x.tweak.impl != want {
		t.Errorf("NewXTS: %v, want %s", err, want.Name)
	}
}

// Keys must not get into logs by way of fmt.
func TestCipherKeepsItsKey(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c := mustNew(t, impl, key)
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got, want := fmt.Sprintf(verb, c), "AES key (secret), "+impl.Name; got != want {
				t.Errorf("%s prints %q, want %q", verb, got, want)
			}
		}
	})
}

func TestUnitRounds(t *testing.T) {
	if r128, r256 := Rounds(16), Rounds(32); r128 != 10 || r256 != 14 {
		t.Errorf("%d and %d rounds, want 10 and 14", r128, r256)
	}
	blocks := map[string]int{"vaes-512": 4, "vaes-256": 2, "aes-ni": 1}
	forEach(t, func(t *testing.T, impl *Implementation) {
		for _, n := range []int{1, 2, 1000} {
			if got, want := impl.UnitRounds(n), 8*n*blocks[impl.Name]; got != want {
				t.Errorf("%d times: %d rounds of blocks, want %d", n, got, want)
			}
		}
		for _, n := range []int{0, -1} {
			if got := impl.UnitRounds(n); got != 0 {
				t.Errorf("%d times: %d rounds of blocks", n, got)
			}
		}
	})
}
