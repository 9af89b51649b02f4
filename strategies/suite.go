package strategies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
)

// Mode is the kind of a cipher suite: what interface its contexts have.
type Mode uint8

// The modes. ModeCTR suites are seekable stream ciphers ([CTR]).
const (
	ModeNone Mode = iota
	ModeCTR
)

// Suite is a cipher, mode and implementation, such as aes-128-ctr/vaes-512.
type Suite struct {
	Name    string
	Summary string
	// Cipher is the name that the key is derived for. The implementations of one
	// cipher share it, and so write the same bytes.
	Cipher  string
	Mode    Mode
	KeySize int // bytes
	// Implementation is what does the AES.
	Implementation *aesctr.Implementation
	// Warning is printed wherever figures of the suite are, when its
	// implementation is no fair stand-in for the cipher.
	Warning string

	id     simtime.SuiteID
	newCTR func(key []byte) (CTR, error)
	// oneShot is the naive call where it is another than newCTR's; see encryptOnce.
	oneShot func(key, dst, src []byte, from aesctr.Counter)
}

// suites can run here; standIns cannot, and are for modelled runs.
var suites, standIns []*Suite

func registerSuite(s *Suite) {
	s.id = simtime.RegisterSuite(s.Name)
	suites = append(suites, s)
}

// Suites returns all suites that can run here, in alphabetical order.
func Suites() []*Suite {
	all := slices.Clone(suites)
	slices.SortFunc(all, func(a, b *Suite) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// LookupSuite finds a suite by name. A name that is not known gives an
// [UnknownError]; an implementation that cannot run here gives an error that
// wraps [aesctr.ErrImplementation] and says what is missing.
func LookupSuite(name string) (*Suite, error) {
	if s := suiteCalled(name); s != nil {
		return s, nil
	}
	cipher, implementation, _ := strings.Cut(name, "/")
	if isAESCipher(cipher) && implementation != "" {
		i, err := aesctr.Lookup(implementation)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", name, err)
		}
		return suiteCalled(suiteName(cipher, i)), nil
	}
	var known []string
	for _, s := range Suites() {
		known = append(known, s.Name)
	}
	return nil, &UnknownError{Kind: "suite", Name: name, Known: known}
}

// LookupModelled finds the suite called name for a run on a virtual clock, also
// one whose implementation cannot run here: what it takes comes from a profile.
func LookupModelled(name string) (*Suite, error) {
	for _, s := range standIns {
		if s.Name == name {
			return s, nil
		}
	}
	return LookupSuite(name)
}

// suiteToRead is the suite of a log that was written with the suite called name,
// perhaps on another machine: of the name only the cipher counts.
func suiteToRead(name string) (*Suite, error) {
	cipher, _, _ := strings.Cut(name, "/")
	if s := suiteCalled(cipher); s != nil {
		return s, nil
	}
	return LookupSuite(name)
}

func suiteCalled(name string) *Suite {
	for _, s := range suites {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// newContext sets up a context for s under the key of a start.
func (s *Suite) newContext(key *StartKey) (CTR, error) { return s.newCTR(key.derive(s)) }

// encryptOnce sets up a context for one call and throws it away.
func (s *Suite) encryptOnce(key, dst, src []byte, from aesctr.Counter) {
	if s.oneShot != nil {
		s.oneShot(key, dst, src, from)
		return
	}
	c, err := s.newCTR(key)
	if err != nil {
		panic("strategies: " + err.Error()) // the key has the suite's size
	}
	c.XORKeyStream(dst, src, from, 0)
}

// newReader sets up a context that undoes what contexts of s do. All suites here
// are AES in counter mode by one way or another, so reading back always takes
// the selected implementation: the log has to be right, and the speed of recovery
// counts.
func (s *Suite) newReader(key *StartKey) (CTR, error) { return aesctr.New(key.derive(s)) }
