package results

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// writeLines prints sentences in a paragraph of their own, one a line; empty
// ones are left out.
func writeLines(b *bytes.Buffer, lines ...string) {
	first := b.Len() > 0
	for _, line := range lines {
		if line == "" {
			continue
		}
		if first {
			b.WriteByte('\n')
			first = false
		}
		writeWrapped(b, "", "  ", line)
	}
}

// label is the name of s, with its suite where that alone tells it from another
// row.
func label(s *Strategy, rows []*Strategy) string {
	for _, o := range rows {
		if o != s && o.Workload == s.Workload && o.Name == s.Name {
			return cut(s.Name) + "+" + cut(s.Suite)
		}
	}
	return cut(s.Name)
}

// labelIn is the name of s among all strategies of the run.
func (r *Run) labelIn(s *Strategy) string {
	rows := make([]*Strategy, len(r.Strategies))
	for i := range rows {
		rows[i] = &r.Strategies[i]
	}
	name := label(s, rows)
	if len(workloadsOf(r.Strategies)) > 1 {
		name += " in " + cut(s.Workload)
	}
	return name
}

// Differences from one that are too small to be told: of medians, which come
// from histograms of two digits, and of means, in a table that shows two places.
const (
	smallP50  = 0.01
	smallMean = 0.005
)

// differs says whether a quotient is measurably other than one: its interval
// leaves 1 out, and the difference is not a small one.
func (r *Range) differs(small float64) bool {
	return r != nil && r.Median != nil && r.Low != nil && r.High != nil &&
		(*r.Low > 1 || *r.High < 1) && math.Abs(*r.Median-1) >= small
}

// enoughRuns is from how many repetitions on something is said about a
// difference: that five quotients lie on one side of 1 happens to equal designs
// one time in sixteen; with fewer it means nothing.
const enoughRuns = 5

// holdLine says how long each design holds the lock against none: the paired
// quotients of a repetition, never those of medians. It is about the median
// hold, since a few holders that lose their core can double a mean.
func holdLine(rows []*Strategy) string {
	var other, same []string
	fewest := enoughRuns
	for _, s := range rows {
		p50 := s.RelativeLockHoldP50
		if s.Name == "none" || p50.median() == nil || s.Cores != nil {
			continue
		}
		runs := len(s.ThroughputTPS.Runs)
		alone := runs < 2
		fewest = min(fewest, runs)
		if runs >= enoughRuns && !p50.differs(smallP50) {
			same = append(same, label(s, rows)+" "+rangeText(s, alone))
			continue
		}
		text := share(p50.Median) + " times"
		if len(other) == 0 {
			text = "holds the lock " + text + " as long as none at the median"
		}
		other = append(other, strings.TrimSpace(label(s, rows)+" "+text+" "+rangeText(s, alone)))
	}
	var parts []string
	if len(other) > 0 {
		parts = append(parts, strings.Join(other, ", "))
	}
	if len(same) > 0 {
		parts = append(parts, "no measurable difference at the median: "+strings.Join(same, ", "))
	}
	if fewest < enoughRuns && len(parts) > 0 {
		parts = append(parts, plural(fewest, "run")+": too few to tell a difference")
	}
	return strings.Join(parts, "; ")
}

// rangeText is the range of the quotient of median holds, and the mean's where
// that says something else; "" for one run alone.
func rangeText(s *Strategy, alone bool) string {
	if alone {
		return ""
	}
	p50, mean := s.RelativeLockHoldP50, s.RelativeLockHeld
	text := span(p50.Low, p50.High)
	if len(s.ThroughputTPS.Runs) >= enoughRuns && mean.differs(smallMean) && !p50.differs(smallP50) {
		text += fmt.Sprintf("; but %s times a commit, %s", share(mean.Median), span(mean.Low, mean.High))
	}
	return "(" + text + ")"
}
