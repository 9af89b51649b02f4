package results

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// confidence is the level of all intervals.
const confidence = 0.95

// newRange is the median of values with a 95 % interval that assumes nothing of
// their distribution (benchmath.AssumeNothing: order statistics). With fewer
// than six values there is none; then low and high are the lowest and highest,
// and a warning says so. Without values all is nil. Values must be finite.
func newRange(values []float64) (r Range, warnings []string) {
	if len(values) == 0 {
		return Range{}, nil
	}
	sorted := slices.Clone(values) // NewSample sorts in place
	thresholds := benchmath.DefaultThresholds
	sum := benchmath.AssumeNothing.Summary(benchmath.NewSample(sorted, &thresholds), confidence)
	if math.IsInf(sum.Lo, 0) || math.IsInf(sum.Hi, 0) {
		sum.Lo, sum.Hi = sorted[0], sorted[len(sorted)-1]
		for _, w := range sum.Warnings {
			warnings = append(warnings, fmt.Sprintf(
				"low and high of a median are the lowest and highest of %s: %v", plural(len(values), "run"), w))
		}
	} else {
		for _, w := range sum.Warnings {
			warnings = append(warnings, w.Error())
		}
	}
	return Range{&sum.Center, &sum.Lo, &sum.Hi}, warnings
}
