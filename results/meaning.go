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

// differs says whether a quotient is measurably other than one: its interval
// has to leave 1 out, and the difference must be larger than what percentiles
// of histograms and a rounded table could show.
func (r *Range) differs() bool {
	return r != nil && r.Median != nil && r.Low != nil && r.High != nil &&
		(*r.Low > 1 || *r.High < 1) && math.Abs(*r.Median-1) >= 0.005
}

// holdLine says how long each design holds the lock against none: the paired
// quotients of a repetition, never those of medians.
func holdLine(rows []*Strategy) string {
	var longer, same []string
	single := false
	for _, s := range rows {
		held := s.RelativeLockHeld
		if s.Name == "none" || held == nil || held.Median == nil || s.Cores != nil {
			continue
		}
		alone := len(s.ThroughputTPS.Runs) < 2
		single = single || alone
		if !alone && !held.differs() {
			same = append(same, sameText(s, rows))
			continue
		}
		text := fmt.Sprintf("%s times", share(held.Median))
		if len(longer) == 0 {
			text = fmt.Sprintf("holds the lock %s as long as none", text)
		}
		if !alone {
			text += fmt.Sprintf(" (%s)", span(held.Low, held.High))
		}
		longer = append(longer, label(s, rows)+" "+text)
	}
	var parts []string
	if len(longer) > 0 {
		parts = append(parts, strings.Join(longer, ", "))
	}
	if len(same) > 0 {
		parts = append(parts, "no measurable difference in lock time a commit: "+strings.Join(same, ", "))
	}
	if single && len(parts) > 0 {
		parts = append(parts, "one run gives no range")
	}
	return strings.Join(parts, "; ")
}

// sameText names a design whose lock time a commit cannot be told from none's.
// A few preempted holders make that mean uncertain; the median hold, which they
// do not reach, may differ nevertheless.
func sameText(s *Strategy, rows []*Strategy) string {
	text := span(s.RelativeLockHeld.Low, s.RelativeLockHeld.High)
	if p50 := s.RelativeLockHoldP50; p50.differs() {
		text += fmt.Sprintf("; but its median hold is %s times that of none, %s", share(p50.Median), span(p50.Low, p50.High))
	}
	return fmt.Sprintf("%s (%s)", label(s, rows), text)
}

// sensitivityLine says how far modelled figures depend on what was assumed.
func sensitivityLine(rows []*Strategy) string {
	var parts []string
	for _, s := range rows {
		if s.Range == nil || s.RelativeThroughput.median() == nil {
			continue
		}
		text := fmt.Sprintf("%s %s (%s", label(s, rows), share(s.RelativeThroughput.Median), span(s.Range.Low, s.Range.High))
		if s.Range.Driver != nil {
			text += ", most by " + *s.Range.Driver
		}
		parts = append(parts, text+")")
	}
	if len(parts) == 0 {
		return ""
	}
	return "commits /s vs none, and its range when each assumed cost is halved and doubled: " + strings.Join(parts, ", ")
}
