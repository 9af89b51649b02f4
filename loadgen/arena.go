package loadgen

// arenaChunk is how much memory an arena asks for at a time, unless one record
// needs more.
const arenaChunk = 4 << 20

// arena keeps copies of records in large pieces of memory, so that a million
// of them are not a million objects.
type arena struct {
	free  []byte
	bytes int64 // kept so far, slice headers included
}

// sliceHeader is what keeping one record costs besides its bytes.
const sliceHeader = 24

// keep returns a copy of rec that stays.
func (a *arena) keep(rec []byte) []byte {
	if len(rec) > len(a.free) {
		a.free = make([]byte, max(arenaChunk, len(rec)))
	}
	n := copy(a.free, rec)
	kept := a.free[:n:n]
	a.free = a.free[n:]
	a.bytes += int64(n) + sliceHeader
	return kept
}
