package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// prefix begins every line on standard error.
const prefix = "walbench: "

// screen is standard error: lines with a prefix and, while it is a terminal, a
// progress line below them that is drawn again and again. It is safe for
// concurrent use.
type screen struct {
	mu    sync.Mutex // guards what follows
	w     io.Writer
	live  bool // the progress line is wanted
	shown int  // width of the progress line that stands there now
}

func newScreen(w io.Writer) *screen {
	f, ok := w.(*os.File)
	return &screen{w: w, live: ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"}
}

// say prints one line.
func (s *screen) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	fmt.Fprintf(s.w, prefix+format+"\n", args...)
}

// progress draws the progress line; on anything but a terminal it does nothing.
func (s *screen) progress(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.live {
		return
	}
	width := utf8.RuneCountInString(text)
	fmt.Fprint(s.w, "\r", text, strings.Repeat(" ", max(0, s.shown-width)))
	s.shown = width
}

// clear takes the progress line away.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
}

// erase overwrites the progress line with blanks, since not every terminal knows
// an escape sequence for it.
func (s *screen) erase() {
	if s.shown > 0 {
		fmt.Fprint(s.w, "\r", strings.Repeat(" ", s.shown), "\r")
		s.shown = 0
	}
}
