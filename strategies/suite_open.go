package strategies

// NewCTR sets up a context under a key of KeySize bytes, apart from any log: for
// whoever measures or tests the suite alone.
func (s *Suite) NewCTR(key []byte) (CTR, error) { return s.newCTR(key) }
