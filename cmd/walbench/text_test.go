package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/walsim"
)

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"a bc", 4, []string{"a bc"}},
		{"a bcd", 4, []string{"a", "bcd"}},
		{"abcdefg", 3, []string{"abc", "def", "g"}},
		{"x abcdefg y", 3, []string{"x", "abc", "def", "g y"}},
		{"één ömlaut", 6, []string{"één", "ömlaut"}},
	} {
		if diff := cmp.Diff(tc.want, wrap(tc.text, tc.width)); diff != "" {
			t.Errorf("%q in %d (-want +got):\n%s", tc.text, tc.width, diff)
		}
	}
}

// Every listing fits its width and keeps every word.
func TestListingsFit(t *testing.T) {
	for _, kind := range listKinds {
		l := listingOf(kind)
		var b bytes.Buffer
		if err := l.columns.write(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > listWidth {
				t.Errorf("%s: %d columns, at most %d: %s", kind, n, listWidth, line)
			}
		}
		for _, row := range l.columns.rows {
			if !strings.Contains(b.String(), row[0]) {
				t.Errorf("%s: %s is broken over lines", kind, row[0])
			}
		}
	}
}

// The help of every command fits its width.
func TestHelpFits(t *testing.T) {
	var b bytes.Buffer
	root := (&app{screen: newScreen(io.Discard), stdout: &b}).root()
	for _, cmd := range append(root.Commands(), root) {
		b.Reset()
		cmd.SetOut(&b)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > listWidth {
				t.Errorf("%s --help: %d columns, at most %d: %s", cmd.Name(), n, listWidth, line)
			}
		}
	}
}

func TestExitCode(t *testing.T) {
	verify := &experiment.VerifyError{Strategy: "x", Err: errors.New("lost")}
	for name, tc := range map[string]struct {
		err  error
		want int
	}{
		"nil":                    {nil, 0},
		"other":                  {errors.New("x"), 1},
		"usage":                  {fmt.Errorf("a: %w", usagef("b")), 2},
		"verify":                 {verify, 5},
		"damage":                 {&experiment.DamageError{Damage: walsim.Damage{Segment: "s"}}, 5},
		"interrupted":            {fmt.Errorf("a: %w", experiment.ErrInterrupted), 130},
		"verify and interrupted": {errors.Join(experiment.ErrInterrupted, verify), 5},
		"usage and failed":       {errors.Join(errors.New("x"), usagef("b")), 2},
	} {
		if got := exitCode(tc.err); got != tc.want {
			t.Errorf("%s: got %d, want %d", name, got, tc.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := oneLine(errors.Join(errors.New("a"), errors.New("b\n"))); got != "a; b" {
		t.Errorf("got %q", got)
	}
}

// On a terminal the progress line is drawn over itself, a message takes its
// place, and nothing but blanks and carriage returns is used for it.
func TestScreen(t *testing.T) {
	var b bytes.Buffer
	s := newScreen(&b)
	s.progress("hidden")
	if b.Len() > 0 {
		t.Fatalf("progress on what is no terminal: %q", b.String())
	}
	s.live = true
	s.progress("12345")
	s.progress("abc")
	s.say("hello %d", 1)
	s.progress("z")
	s.clear()
	s.clear()
	want := "\r12345" + "\rabc  " + "\r   \r" + "walbench: hello 1\n" + "\rz" + "\r \r"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
