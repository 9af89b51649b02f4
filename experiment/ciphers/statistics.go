package ciphers

import "slices"

// median of the values; nil of none.
func median(values []float64) *float64 {
	n := len(values)
	if n == 0 {
		return nil
	}
	s := slices.Sorted(slices.Values(values))
	m := s[n/2]
	if n%2 == 0 {
		m = (s[n/2-1] + s[n/2]) / 2
	}
	return &m
}

// pairedRatio is the median of a/b round by round; nil without a common round.
// What disturbs a round disturbs both sides of it.
func pairedRatio(a, b []float64) *float64 {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		if b[i] > 0 {
			ratios = append(ratios, a[i]/b[i])
		}
	}
	return median(ratios)
}
