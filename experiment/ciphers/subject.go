package ciphers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walbench/walbench/strategies/aesctr"
)

// Call is how the records of a subject reach its cipher.
type Call string

// The calls. In each, every record but those of a stream has a nonce of its own.
const (
	PerRecord Call = "per-record" // one call a record
	Batch     Call = "batch"      // one call for all
	Stream    Call = "stream"     // one long stream, cut into pieces of the size
)

// Calls are all calls.
func Calls() []Call { return []Call{PerRecord, Batch, Stream} }

// Memcpy is the suite that only copies: what a ratio to memcpy is over.
const Memcpy = "memcpy"

// subject is one thing that is timed.
type subject struct {
	suite          string
	implementation string
	call           Call
	keySize        int // bytes of an AES key; 0: no AES
	// kernel is set where its measured bound holds for the subject.
	kernel *aesctr.Implementation
	// fits says whether the subject takes records of a size; nil: of all.
	fits func(Size) bool
	// open makes a context under key and returns what does one pass over w.
	open func(w *workset, key []byte) (pass func(), err error)
	// setup makes a context for a fresh key and drops it; nil: there is none.
	setup func(key []byte) error
}

// keyBytes is what open and setup get: the longest, XTS with AES-256, needs 64.
const keyBytes = 64

func (s *subject) takes(size Size) bool { return s.fits == nil || s.fits(size) }

// subjects are all that this machine can run.
func subjects() []*subject {
	list := memorySubjects()
	for _, keySize := range []int{16, 32} {
		list = append(list, ctrSubjects(keySize)...)
		list = append(list, xtsSubjects(keySize)...)
		list = append(list, gcmSubject(keySize))
	}
	return append(list, ecbSubjects()...)
}

func suiteName(keySize int, mode string) string { return fmt.Sprintf("aes-%d-%s", 8*keySize, mode) }

// SuiteNames, ImplementationNames are the words that Config takes here.
func SuiteNames() []string {
	return distinct(func(s *subject) string { return s.suite })
}

// ImplementationNames: see SuiteNames.
func ImplementationNames() []string {
	return distinct(func(s *subject) string { return s.implementation })
}

func distinct(of func(*subject) string) []string {
	var names []string
	for _, s := range subjects() {
		if name := of(s); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// chosen are the subjects that c asks for. What a ratio needs, memcpy, is always
// among them.
func chosen(c *Config) ([]*subject, error) {
	if err := known("suite", c.Suites, SuiteNames()); err != nil {
		return nil, err
	}
	if err := known("implementation", c.Implementations, ImplementationNames()); err != nil {
		return nil, err
	}
	var list []*subject
	real := 0
	for _, s := range subjects() {
		wanted := has(c.Suites, s.suite) && has(c.Implementations, s.implementation) && has(c.Calls, s.call)
		if wanted || s.suite == Memcpy {
			list = append(list, s)
		}
		if wanted {
			real++
		}
	}
	if real == 0 {
		return nil, usagef("nothing to measure: no suite of the list has such an implementation and call here")
	}
	return list, nil
}

// has says whether the list, where empty stands for all, has the name.
func has[T comparable](list []T, name T) bool { return len(list) == 0 || slices.Contains(list, name) }

func known(kind string, names, all []string) error {
	for _, name := range names {
		if !slices.Contains(all, name) {
			return usagef("unknown %s %q (known: %s)", kind, name, strings.Join(all, ", "))
		}
	}
	return nil
}
