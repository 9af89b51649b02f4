package strategies

import (
	"crypto/aes"
	"crypto/cipher"
	"slices"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
)

// aesCipher is AES with one key size in counter mode: a family of suites.
type aesCipher struct {
	name, title string
	keySize     int // bytes
}

var aesCiphers = []aesCipher{{"aes-128-ctr", "AES-128", 16}, {"aes-256-ctr", "AES-256", 32}}

// Each cipher comes in every implementation that can run here. Its name alone
// means Go's standard library, which can run everywhere.
func init() {
	for _, c := range aesCiphers {
		for _, i := range aesctr.Implementations() {
			if i.Supported() {
				registerSuite(c.suite(i))
			} else {
				registerStandIn(c.suite(i))
			}
		}
	}
}

func (c aesCipher) suite(i *aesctr.Implementation) *Suite {
	s := &Suite{
		Name: suiteName(c.name, i), Cipher: c.name, Mode: ModeCTR, KeySize: c.keySize, Implementation: i,
		Summary: c.title + " in counter mode, " + i.Summary,
		newCTR:  func(key []byte) (CTR, error) { return i.New(key) },
	}
	if i.Name == stdlibName {
		s.oneShot = oneShotStdlib
	}
	return s
}

func isAESCipher(name string) bool {
	return slices.ContainsFunc(aesCiphers, func(c aesCipher) bool { return c.name == name })
}

// stdlibName is the implementation that suites without one in their name have.
const stdlibName = "stdlib"

// suiteName is what users type for implementation i of a cipher.
func suiteName(cipher string, i *aesctr.Implementation) string {
	if i.Name == stdlibName {
		return cipher
	}
	return cipher + "/" + i.Name
}

// registerStandIn registers a suite that cannot run here, for modelled runs: what
// it would take is in a profile, and what it would write is written by the
// selected implementation.
func registerStandIn(s *Suite) {
	s.newCTR = func(key []byte) (CTR, error) {
		c, err := aesctr.New(key)
		return standIn{c}, err
	}
	s.id = simtime.RegisterSuite(s.Name)
	standIns = append(standIns, s)
}

// standIn counts as a kernel does: no call of one sets a stream up.
type standIn struct{ CTR }

func (s standIn) XORKeyStream(dst, src []byte, from aesctr.Counter, skip int) bool {
	s.CTR.XORKeyStream(dst, src, from, skip)
	return false
}

func (s standIn) XORRecords(recs []aesctr.Record) int {
	s.CTR.XORRecords(recs)
	return 0
}

func (standIn) Setups([]aesctr.Record) int { return 0 }

// selectedSuite is the suite of a cipher in the implementation that the program
// uses unless told otherwise.
func selectedSuite(cipher string) string {
	i, _ := aesctr.Selected() // a wrong WALBENCH_AESCTR is the commands' to report
	return suiteName(cipher, i)
}

// oneShotStdlib is the naive call: key schedule and stream for one record.
func oneShotStdlib(key, dst, src []byte, from aesctr.Counter) {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("strategies: " + err.Error()) // the key has the suite's size
	}
	iv := from.Block()
	cipher.NewCTR(block, iv[:]).XORKeyStream(dst, src)
}
