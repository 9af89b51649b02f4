package results

import (
	"fmt"
	"math"
	"strconv"
)

// missing is how tables show null.
const missing = "-"

// threeDigits formats v >= 0 with three significant digits, more before the
// point: 1.00, 41.0, 123, 4567.
func threeDigits(v float64) string {
	decimals := 0
	switch {
	case v < 9.995:
		decimals = 2
	case v < 99.95:
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// grouped formats n with a comma between groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// amount formats a number in at most seven characters: whole below a million,
// with an SI prefix above.
func amount(v *float64) string {
	if v == nil {
		return missing
	}
	n := math.Round(*v)
	if n < 1e6 {
		return grouped(int64(n))
	}
	for _, prefix := range []string{"M", "G", "T"} {
		if n /= 1000; n < 999.5e3 {
			return threeDigits(n/1000) + prefix
		}
	}
	return fmt.Sprintf("%.1e", *v)
}

// duration formats nanoseconds with the unit that leaves three digits.
func duration(ns *int64) string {
	if ns == nil {
		return missing
	}
	if *ns < 1000 {
		return strconv.FormatInt(*ns, 10) + "ns"
	}
	v, unit := float64(*ns)/1e3, "us"
	if v >= 999.5 {
		v, unit = v/1e3, "ms"
	}
	if unit == "ms" && v >= 999.5 {
		v, unit = v/1e3, "s"
	}
	return threeDigits(v) + unit
}

// perByte formats an amplification.
func perByte(v *float64) string {
	if v == nil || *v >= 999.5 {
		return amount(v)
	}
	return threeDigits(*v)
}

// percent formats a growth; one that is not zero but rounds to it says so, and
// one of many times is given as a factor.
func percent(v *float64) string {
	switch {
	case v == nil:
		return missing
	case *v >= 9.9995:
		return amount(v) + "x"
	case *v != 0 && math.Abs(*v) < 0.0005:
		return "~0%"
	}
	return strconv.FormatFloat(*v*100, 'f', 1, 64) + "%"
}

// share formats a relative throughput.
func share(v *float64) string {
	if v == nil || *v >= 99.995 {
		return amount(v)
	}
	return strconv.FormatFloat(*v, 'f', 2, 64)
}

// span formats low and high of a share; one value alone has none.
func span(low, high *float64) string {
	if low == nil || high == nil {
		return missing
	}
	return share(low) + "-" + share(high)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(int64(n)) + " " + what + "s"
}
