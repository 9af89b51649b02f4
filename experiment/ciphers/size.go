package ciphers

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/walbench/walbench/internal/sizeflag"
)

// Size is the size of the records in bytes: all alike if Min is Max, else drawn
// from Min to Max.
type Size struct{ Min, Max int }

// maxSize bounds what a record can have here.
const maxSize = 64 << 20

// DefaultSizes are those of the log's small records, of pages, and of the batches
// that a flush writes; and the mix of record lengths of a simple update.
func DefaultSizes() []Size {
	var list []Size
	for _, n := range []int{32, 64, 100, 256, 1024, 4096, 8192, 65536, 81920} {
		list = append(list, Size{n, n})
	}
	return append(list, Size{30, 100})
}

// ParseSize reads a size such as 100, 8KiB or 30-100.
func ParseSize(s string) (Size, error) {
	from, to, mixed := strings.Cut(s, "-")
	lo, err := parseBytes(s, from)
	if err != nil || !mixed {
		return Size{lo, lo}, err
	}
	hi, err := parseBytes(s, to)
	if err == nil && hi < lo {
		err = fmt.Errorf("size %q ends before it begins", s)
	}
	return Size{lo, hi}, err
}

func parseBytes(whole, s string) (int, error) {
	n, err := sizeflag.Parse(s)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", whole, err)
	}
	if n < 1 || n > maxSize {
		return 0, fmt.Errorf("size %q: want 1 to %d bytes", whole, maxSize)
	}
	return int(n), nil
}

// Mixed says whether records have different sizes.
func (s Size) Mixed() bool { return s.Min != s.Max }

func (s Size) String() string {
	if s.Mixed() {
		return strconv.Itoa(s.Min) + "-" + strconv.Itoa(s.Max)
	}
	return strconv.Itoa(s.Min)
}
