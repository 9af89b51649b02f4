package ciphers

import (
	"errors"
	"fmt"
	"strings"

	"github.com/walbench/walbench/internal/sizeflag"
)

// MaxSize bounds the length of a record, in bytes.
const MaxSize = 16 << 20

// ErrSize means that a record length is out of range.
var ErrSize = errors.New("record size out of range")

// Size is the length of records in bytes: of all of them, or drawn at random
// from Min to Max.
type Size struct{ Min, Max int }

// DefaultSizes are what is measured unless told otherwise. The range stands for
// the short records of a log, whose lengths no branch predictor can learn.
func DefaultSizes() []Size {
	var list []Size
	for _, n := range []int{32, 64, 100, 256, 1024, 4096, 8192, 65536, 81920} {
		list = append(list, Size{n, n})
	}
	return append(list, Size{30, 100})
}

// ParseSize reads a size as sizeflag does, or a range of two with a hyphen.
// Errors wrap [sizeflag.ErrSize] or [ErrSize].
func ParseSize(text string) (Size, error) {
	low, high, isRange := strings.Cut(text, "-")
	lowest, err := sizeflag.Parse(low)
	if err != nil {
		return Size{}, err
	}
	highest := lowest
	if isRange {
		if highest, err = sizeflag.Parse(high); err != nil {
			return Size{}, err
		}
	}
	if lowest < 1 || highest > MaxSize || isRange && lowest >= highest {
		return Size{}, fmt.Errorf("%q: want 1 byte to %s, a range from less to more: %w", text, sizeflag.Size(MaxSize), ErrSize)
	}
	return Size{int(lowest), int(highest)}, nil
}

// Mixed says whether records differ in length.
func (s Size) Mixed() bool { return s.Min != s.Max }

// String is the size in words that ParseSize reads.
func (s Size) String() string {
	text := sizeflag.Size(s.Min).String()
	if s.Mixed() {
		text += "-" + sizeflag.Size(s.Max).String()
	}
	return text
}
