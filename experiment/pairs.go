package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walbench/walbench/strategies"
)

// Pair is a strategy with the suite it runs with.
type Pair struct {
	Design *strategies.Design
	Suite  *strategies.Suite // nil for a strategy without cipher
}

// SuiteName is the suite's name, or "-".
func (p Pair) SuiteName() string {
	if p.Suite == nil {
		return "-"
	}
	return p.Suite.Name
}

// Folder is the name of the pair's folder below that of a file device.
func (p Pair) Folder() string {
	if p.Suite == nil {
		return p.Design.Name
	}
	return p.Design.Name + "_" + strings.ReplaceAll(p.Suite.Name, "/", "_")
}

// choice is how suites are chosen and found.
type choice struct {
	suite  func(d *strategies.Design) string // a strategy's default
	lookup func(name string) (*strategies.Suite, error)
	warns  bool // of suites that are no fair stand-in here
}

// choice of a measured run is what can run here; of a modelled one, what the
// machine of the profile would use.
func (r *Run) choice() *choice {
	if m := r.model; m != nil {
		return &choice{suite: m.suite, lookup: strategies.LookupModelled}
	}
	return &choice{
		suite:  func(d *strategies.Design) string { return d.DefaultSuite },
		lookup: strategies.LookupSuite, warns: true,
	}
}

// pairs combines strategies and suites. A strategy takes every suite of the list
// that fits it, or its default one without a list; one spelled STRATEGY+SUITE takes
// that suite. Pairs that do not fit are skipped with a warning. None left is a usage error.
func (c *choice) pairs(names, suites []string) (list []Pair, warnings []string, err error) {
	if len(names) == 0 {
		names = strategies.Canonical()
	}
	for _, name := range names {
		name, own, named := strings.Cut(name, "+")
		d, err := strategies.Lookup(name)
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		wanted := suites
		if named {
			wanted = []string{own}
		}
		of, skipped, err := c.pairsOf(d, wanted)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range of {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
		warnings = append(warnings, skipped...)
	}
	if len(list) == 0 {
		return nil, nil, usagef("no strategy of the list works with a suite of the list")
	}
	for _, p := range list {
		if p.Suite != nil && p.Suite.Warning != "" && c.warns {
			warnings = append(warnings, p.Suite.Name+": "+p.Suite.Warning)
		}
		if p.Design.Unsafe != "" {
			warnings = append(warnings, p.Design.Name+" is unsafe: "+p.Design.Unsafe)
		}
	}
	return list, warnings, nil
}

func (c *choice) pairsOf(d *strategies.Design, suites []string) (list []Pair, warnings []string, err error) {
	if d.Mode == strategies.ModeNone {
		return []Pair{{Design: d}}, nil, nil
	}
	if len(suites) == 0 {
		suites = []string{c.suite(d)}
	}
	for _, name := range suites {
		s, err := c.lookup(name)
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		if s.Mode != d.Mode {
			warnings = append(warnings, fmt.Sprintf("%s does not work with suite %s: left out", d.Name, s.Name))
			continue
		}
		list = append(list, Pair{d, s})
	}
	return list, warnings, nil
}
