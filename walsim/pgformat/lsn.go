package pgformat

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// LSN is a log sequence number: the byte address of a position in the log
// (PostgreSQL's XLogRecPtr, access/xlogdefs.h). Zero is invalid.
type LSN uint64

// ErrLSN is returned, wrapped, for text that is not an LSN.
var ErrLSN = errors.New("not an LSN (want HEX/HEX, such as 0/1A2B3C)")

// ParseLSN reads the text form X/Y in hexadecimal; leading zeros of either part
// do not matter, since pg_waldump pads the second part and SQL does not.
func ParseLSN(s string) (LSN, error) {
	hi, lo, ok := strings.Cut(s, "/")
	if !ok {
		return 0, fmt.Errorf("%q: %w", s, ErrLSN)
	}
	h, errHi := strconv.ParseUint(hi, 16, 32)
	l, errLo := strconv.ParseUint(lo, 16, 32)
	if errHi != nil || errLo != nil {
		return 0, fmt.Errorf("%q: %w", s, ErrLSN)
	}
	return LSN(h<<32 | l), nil
}

// String formats the LSN as pg_waldump does: X/Y with Y padded to 8 digits.
func (l LSN) String() string { return fmt.Sprintf("%X/%08X", uint32(l>>32), uint32(l)) }

// Page is the address of the page that holds l.
func (l LSN) Page() LSN { return l &^ (PageSize - 1) }

// PageOffset is the distance of l from the start of its page, in bytes.
func (l LSN) PageOffset() int { return int(l & (PageSize - 1)) }

// Align8 rounds n up to a multiple of 8 (PostgreSQL's MAXALIGN).
func Align8[T ~int | ~int64 | ~uint32 | ~uint64](n T) T { return (n + 7) &^ 7 }
