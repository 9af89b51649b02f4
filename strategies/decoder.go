package strategies

import "github.com/walbench/walbench/walsim/pgformat"

// Decoder turns the stored bytes of a log back into plain records. Reading is
// in two steps, since some designs encrypt by position and some by record: a
// reader passes every page through Page as it comes from the file, assembles
// records from the result, checks their CRC, and passes each through Record.
//
// A Decoder is not safe for concurrent use.
type Decoder interface {
	// Page decrypts in place what was encrypted by position in one page of
	// pgformat.PageSize bytes that starts at LSN at, on timeline tli. It knows
	// nothing of where the log ends: behind the end it makes noise of zeros, so
	// a reader that asks whether a page is still unwritten looks at the bytes
	// before the call.
	Page(tli uint32, at pgformat.LSN, page []byte)
	// Record decrypts in place the body of the stored record rec that starts at
	// LSN at and whose CRC has been checked, and returns how many bytes the
	// design added at the end of its main data. An error (an unknown key id)
	// means a record that cannot be read although its CRC is right.
	Record(tli uint32, at pgformat.LSN, rec []byte) (trailer int, err error)
}
