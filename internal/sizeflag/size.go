// Package sizeflag is a command line flag that takes a number of bytes.
//
// Life of a [Size]: it is declared with its default, handed to the flag
// package by its address, and set by the text that the user typed; then it is a
// plain number of bytes.
package sizeflag

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrSize is returned, wrapped, for text that is not a size.
var ErrSize = errors.New("not a size (want a whole number of bytes, or one with kB, MB, GB, KiB, MiB or GiB behind it)")

// Size is a number of bytes. It implements the Value interface of packages flag
// and pflag.
type Size int64

// units are the powers of 1024 that may stand behind the number. As in
// postgresql.conf kB and MB are such powers too: wal_segment_size = 16MB.
var units = []struct {
	short, long string
	bytes       int64
}{
	{"gb", "GiB", 1 << 30},
	{"mb", "MiB", 1 << 20},
	{"kb", "KiB", 1 << 10},
	{"b", "B", 1},
}

// Parse reads a size: digits, and perhaps a unit (upper or lower case) with or
// without one space before it. Errors wrap ErrSize.
func Parse(text string) (Size, error) {
	digits, unit := split(text)
	factor := int64(1)
	if unit != "" || digits != text {
		if factor = unitBytes(unit); factor == 0 {
			return 0, fmt.Errorf("%q: %w", text, ErrSize)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, ErrSize)
	}
	if int64(n) > math.MaxInt64/factor {
		return 0, fmt.Errorf("%q: more than %d bytes: %w", text, int64(math.MaxInt64), ErrSize)
	}
	return Size(int64(n) * factor), nil
}

// split cuts text behind its digits, and drops one space there.
func split(text string) (digits, unit string) {
	i := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimPrefix(text[i:], " ")
}

// unitBytes is the size of a unit; 0 if there is no such unit.
func unitBytes(unit string) int64 {
	for _, u := range units {
		if strings.EqualFold(unit, u.short) || strings.EqualFold(unit, u.long) {
			return u.bytes
		}
	}
	return 0
}

// Set makes s the size that text says.
func (s *Size) Set(text string) error {
	v, err := Parse(text)
	if err == nil {
		*s = v
	}
	return err
}

// String is the size with the largest unit that it is a whole multiple of.
func (s Size) String() string {
	for _, u := range units {
		if s != 0 && int64(s)%u.bytes == 0 && u.bytes > 1 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.long
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// Type is the word for the value in help texts.
func (s *Size) Type() string { return "SIZE" }
