package results

import (
	"fmt"
	"slices"
	"strconv"
)

// Change is one thing that a modelled run was repeated without or with.
type Change struct {
	Knob, Value string
	Phrase      string // in a sentence behind "With"
}

// WhatIf says what a change makes of one entry of a modelled run.
type WhatIf struct {
	Knob     string `json:"knob"`
	Value    string `json:"value"`
	Workload string `json:"workload"`
	Strategy string `json:"strategy"`
	Suite    string `json:"suite"`
	Cores    *int   `json:"cores"` // of the entry, before the change
	Sentence string `json:"sentence"`

	ThroughputTPS      *float64 `json:"throughput_tps"`      // with the change
	RelativeToBefore   *float64 `json:"relative_to_before"`  // that, divided by what it was
	RelativeThroughput *float64 `json:"relative_throughput"` // with the change, against none with it
	Limit              *string  `json:"limit"`               // with the change
}

// AddWhatIf puts the entries of a run with one thing changed beside those of r. An
// entry that the changed run does not have is left out.
func (r *Run) AddWhatIf(c Change, changed *Run) {
	rows := make([]*Strategy, len(r.Strategies))
	for i := range rows {
		rows[i] = &r.Strategies[i]
	}
	several := len(coresOfAll(r.Strategies)) > 1
	for _, s := range rows {
		now := changed.counterpart(s)
		if now == nil {
			continue
		}
		design := labelAmong(s, rows)
		if several && s.Cores != nil {
			design += " on " + coresText([]int{*s.Cores})
		}
		if len(workloadsOf(r.Strategies)) > 1 {
			design += " in " + cut(s.Workload)
		}
		w := WhatIf{
			Knob: c.Knob, Value: c.Value, Workload: s.Workload, Strategy: s.Name, Suite: s.Suite, Cores: s.Cores,
			Sentence:      WhatIfSentence(c.Phrase, design, s, now),
			ThroughputTPS: now.ThroughputTPS.Median, RelativeThroughput: now.RelativeThroughput.median(),
			RelativeToBefore: ratio(now.ThroughputTPS.Median, s.ThroughputTPS.Median),
		}
		if now.Limits != nil {
			w.Limit = &now.Limits.Resource
		}
		r.WhatIfs = append(r.WhatIfs, w)
	}
}

// coresOfAll lists the numbers of cores of all entries.
func coresOfAll(list []Strategy) (cores []int) {
	for i := range list {
		if n := coresOr(&list[i], 0); !slices.Contains(cores, n) {
			cores = append(cores, n)
		}
	}
	return cores
}

// counterpart is the entry of r for the same pair, on as many cores if there is one,
// else on the cores that it was changed to.
func (r *Run) counterpart(s *Strategy) (found *Strategy) {
	for i := range r.Strategies {
		o := &r.Strategies[i]
		if o.Workload != s.Workload || o.Name != s.Name || o.Suite != s.Suite {
			continue
		}
		if found == nil || coresOr(o, 0) == coresOr(s, 0) {
			found = o
		}
	}
	return found
}

// WhatIfSentence says what a change does to a design: what limits it then, and how
// its throughput moves. The two entries are the design's before and with the change,
// which phrase names behind "With".
func WhatIfSentence(phrase, design string, before, with *Strategy) string {
	text := "With " + printable(phrase)
	was, is := limitOf(before), limitOf(with)
	switch {
	case was == "" || is == "":
		text += " nobody knows what limits " + design
	case was == is:
		text += fmt.Sprintf(" %s still %s %s", theLimit(was), verb(was, "limits", "limit"), design)
	default:
		text += fmt.Sprintf(" %s no longer %s %s: %s %s", theLimit(was), verb(was, "limits", "limit"), design, theLimit(is), verb(is, "does", "do"))
	}
	return text + whatIfFigures(before, with) + "."
}

// limitOf is the resource that limits s, "" if that is unknown.
func limitOf(s *Strategy) string {
	if s.Limits == nil {
		return ""
	}
	return s.Limits.Resource
}

// theLimit is a resource in a sentence.
func theLimit(resource string) string {
	switch resource {
	case LimitUpdaters:
		return "the number of updaters"
	case LimitInsertion:
		return "the insertion locks"
	case LimitPosition:
		return "the position lock"
	case LimitMapping:
		return "the mapping lock"
	}
	return "the " + cut(resource)
}

func verb(resource, one, many string) string {
	if resource == LimitCores || resource == LimitInsertion {
		return many
	}
	return one
}

// whatIfFigures is how throughput moves, and how it does against none; "" if that is
// unknown.
func whatIfFigures(before, with *Strategy) string {
	moved := ratio(with.ThroughputTPS.Median, before.ThroughputTPS.Median)
	if moved == nil {
		return ""
	}
	text := " (throughput as before"
	if *moved != 1 {
		factor, _ := apartText(*moved, 1)
		text = " (throughput " + factor + " of before"
	}
	was, is := before.RelativeThroughput.median(), with.RelativeThroughput.median()
	if before.Name == "none" || was == nil || is == nil {
		return text + ")"
	}
	a, b := apartText(*was, *is)
	if *was == *is {
		return fmt.Sprintf("%s; against none %s as before)", text, b)
	}
	return fmt.Sprintf("%s; against none %s, before %s)", text, b, a)
}

// apartText formats two shares, with a third place where two do not tell them apart.
func apartText(a, b float64) (string, string) {
	if s, t := share(&a), share(&b); s != t || a == b {
		return s, t
	}
	return strconv.FormatFloat(a, 'f', 3, 64), strconv.FormatFloat(b, 'f', 3, 64)
}

// whatIfLines are the sentences.
func whatIfLines(list []WhatIf) (lines []string) {
	for i := range list {
		lines = append(lines, list[i].Sentence)
	}
	return lines
}
