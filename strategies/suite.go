package strategies

import (
	"slices"
	"strings"

	"github.com/walbench/walbench/simtime"
)

// Mode is the kind of a cipher suite: what interface its contexts have.
type Mode uint8

// The modes. ModeCTR suites are seekable stream ciphers ([CTR]).
const (
	ModeNone Mode = iota
	ModeCTR
)

// Suite is a cipher, mode and implementation, such as aes-128-ctr.
type Suite struct {
	Name    string
	Summary string
	Mode    Mode
	KeySize int // bytes
	// Warning is printed wherever figures of the suite are, when its
	// implementation is no fair stand-in for the cipher.
	Warning string

	id     simtime.SuiteID
	newCTR func(key []byte) (CTR, error)
	// oneShot sets up a context for one call and throws it away.
	oneShot func(key []byte, dst, src []byte, iv CounterBlock)
}

var suites []*Suite

func registerSuite(s *Suite) {
	s.id = simtime.RegisterSuite(s.Name)
	suites = append(suites, s)
}

// Suites returns all suites in alphabetical order.
func Suites() []*Suite {
	all := slices.Clone(suites)
	slices.SortFunc(all, func(a, b *Suite) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// LookupSuite finds a suite by name, or returns an [UnknownError].
func LookupSuite(name string) (*Suite, error) {
	var known []string
	for _, s := range Suites() {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return nil, &UnknownError{Kind: "suite", Name: name, Known: known}
}

// CTR is a counter-mode cipher under one key, seekable at any byte. It keeps
// scratch memory and so serves one process at a time.
type CTR interface {
	// XORKeyStream encrypts (or decrypts) src into dst, which has the same
	// length and is either the same memory or none of it. The keystream begins
	// skip (0 to 15) bytes into the block whose counter block is iv; counter
	// blocks count up as a 128-bit big-endian integer (NIST SP 800-38A).
	// It reports whether a stream had to be set up for the call.
	XORKeyStream(dst, src []byte, iv CounterBlock, skip int) (setup bool)
}

// xorCTR is the counted form of a CTR call: every design encrypts through it.
func xorCTR(m *simtime.Meter, s *Suite, c CTR, dst, src []byte, iv CounterBlock, skip int) {
	before := m.Enter(simtime.PhaseEncrypt)
	if m.Cipher(s.id, len(src)) && c.XORKeyStream(dst, src, iv, skip) {
		m.CipherSetup(s.id)
	}
	m.Enter(before)
}

// oneShotCTR is the counted form of oneShot: one set-up, one call.
func oneShotCTR(m *simtime.Meter, s *Suite, key, dst, src []byte, iv CounterBlock) {
	before := m.Enter(simtime.PhaseEncrypt)
	setup, call := m.CipherSetup(s.id), m.Cipher(s.id, len(src))
	if setup && call {
		s.oneShot(key, dst, src, iv)
	}
	m.Enter(before)
}

// newContext sets up a context for s under the key of a start.
func (s *Suite) newContext(key *StartKey) (CTR, error) { return s.newCTR(key.derive(s)) }
