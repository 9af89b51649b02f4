package aesctr

// Rounds is the number of AES rounds of a key of keySize bytes (FIPS 197).
func Rounds(keySize int) int { return keySize/4 + 6 }

// UnitRounds runs the AES round instructions that the implementation's kernels
// are made of, n times eight independent ones, on registers alone, and returns
// how many rounds of how many 16-byte blocks that were. Its time is the measured
// bound: no kernel is faster than blocks x [Rounds] at that rate. It returns 0
// for stdlib.
func (i *Implementation) UnitRounds(n int) (blockRounds int) { return i.unitRounds(n) }
