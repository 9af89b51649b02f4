package ciphers

import "github.com/walbench/walbench/results"

// pairedRatio is the median of a/b round by round; nil without a common round.
// What disturbs a round disturbs both sides of it.
func pairedRatio(a, b []float64) *float64 {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		if b[i] > 0 {
			ratios = append(ratios, a[i]/b[i])
		}
	}
	return results.MedianValue(ratios)
}
