package ciphers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// DefaultRounds is the number of rounds unless told otherwise: the default
// subjects and sizes, with a rival, take less than a minute.
const DefaultRounds = 101

// ErrNothing means that a selection is empty: each name is known, but nothing
// has all of them.
var ErrNothing = errors.New("nothing to measure")

// Config says what to measure. The zero value of a list means all of it.
type Config struct {
	Suites, Implementations, Calls []string
	Sizes                          []Size // default: DefaultSizes
	Rounds                         int    // default: DefaultRounds
	// Rival is the name of a library to compare with: "openssl", or "".
	Rival string
	// RivalFolder is an empty folder that the rival's program is built in and that
	// New removes; "" makes one among the system's temporary files.
	RivalFolder string
}

// Suites lists the names of all suites.
func Suites() []string { return names(catalog(), func(s *subject) string { return s.suite }) }

// Implementations lists the names of all implementations that can run here.
func Implementations() []string {
	list := names(catalog(), func(s *subject) string { return s.implementation })
	slices.SortStableFunc(list, func(a, b string) int { return implementationRank(a) - implementationRank(b) })
	return list
}

// implementationRank puts the preferred kernels first.
func implementationRank(name string) int {
	for i, k := range aesctr.Implementations() {
		if k.Name == name {
			return i
		}
	}
	return len(aesctr.Implementations())
}

// ArticleSuites are those of the table in the article that this project began
// with, which measures 4 kB blocks.
func ArticleSuites() []string {
	return []string{suiteRead, suiteCopy, "aes-128-ctr", "aes-256-ctr", "aes-128-xts", "aes-256-xts", "aes-128-gcm", "aes-256-gcm"}
}

// ArticleConfig measures what the article's table has, by the implementation that
// the program uses and by the standard library.
func ArticleConfig() Config {
	i, _ := aesctr.Selected() // a wrong WALBENCH_AESCTR is the commands' to report
	return Config{Implementations: []string{i.Name, stdlib}, Suites: ArticleSuites(), Calls: []string{CallPerRecord}, Sizes: []Size{{articleBytes, articleBytes}}}
}

// check finds unknown names. They give a [strategies.UnknownError], or an error
// that wraps [aesctr.ErrImplementation] if only this processor lacks them.
func (c *Config) check() error {
	lists := []struct {
		kind         string
		given, known []string
	}{
		{"suite", c.Suites, Suites()},
		{"implementation", c.Implementations, Implementations()},
		{"call", c.Calls, Calls()},
	}
	for _, l := range lists {
		for _, name := range l.given {
			if slices.Contains(l.known, name) {
				continue
			}
			if l.kind == "implementation" && implementationRank(name) < len(aesctr.Implementations()) {
				_, err := aesctr.Lookup(name)
				return err
			}
			return &strategies.UnknownError{Kind: l.kind, Name: name, Known: l.known}
		}
	}
	if c.Rival != "" && c.Rival != RivalOpenSSL {
		return &strategies.UnknownError{Kind: "rival", Name: c.Rival, Known: []string{RivalOpenSSL}}
	}
	return nil
}

// subjects are the chosen ones. Copying is always among them, since everything
// is compared with it.
func (c *Config) subjects() ([]*subject, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var list []*subject
	chosen := false
	for _, s := range catalog() {
		ok := c.chooses(s)
		chosen = chosen || ok
		if ok || s.suite == suiteCopy {
			list = append(list, s)
		}
	}
	if !chosen {
		return nil, fmt.Errorf("no suite has this implementation and this call: %w", ErrNothing)
	}
	return list, nil
}

func (c *Config) chooses(s *subject) bool {
	if len(c.Suites) == 0 && s.suite == suiteRead {
		return false // it is no cipher; the article's table asks for it
	}
	return among(c.Suites, s.suite) && among(c.Implementations, s.implementation) && among(c.Calls, s.call)
}

func among(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
