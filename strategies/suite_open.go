package strategies

// NewCTR sets up a context of s under a cipher key of KeySize bytes, outside of
// any log: to measure the cipher alone. The context serves one process at a time.
func (s *Suite) NewCTR(key []byte) (CTR, error) { return s.newCTR(key) }
