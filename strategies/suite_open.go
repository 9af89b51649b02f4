package strategies

import "github.com/walbench/walbench/strategies/aesctr"

// NewCTR sets up a context under a key of KeySize bytes, apart from any log: for
// whoever measures or tests the suite alone.
func (s *Suite) NewCTR(key []byte) (CTR, error) { return s.newCTR(key) }

// EncryptOnce sets up a context under key for one call and throws it away, as
// designs do that keep none. dst and src are as for [CTR].XORKeyStream.
func (s *Suite) EncryptOnce(key, dst, src []byte, from aesctr.Counter) {
	s.encryptOnce(key, dst, src, from)
}
