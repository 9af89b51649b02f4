// Package results is what walbench found out, in a form that outlives the run:
// the result file's schema, the statistics that turn samples into it, the text
// table, and the list of metrics with their units and directions. It knows
// nothing of how a number was made.
//
// Life of a [Run]: a command makes one with [NewRun], measures repetitions as
// [Sample] values, turns all samples of one strategy into an entry with
// [NewStrategy], collects warnings with [Run.Warn], and in the end prints it
// with [WriteTable] and keeps it with [Write]. [Read] brings it back, this
// version's files and older ones.
//
// Nothing here is safe for concurrent use; a result belongs to one goroutine.
package results

import (
	"slices"

	"github.com/walbench/walbench/internal/hostinfo"
)

// Schema is the value of "schema" in a run's result file.
const Schema = "walbench.run/1"

// Kind says on which clock times were taken.
type Kind string

// The kinds: times from a real clock, or computed on a virtual one. They never
// stand in one list of strategies.
const (
	Measured     Kind = "measured"
	ModelledKind Kind = "modelled"
)

// Run is a whole result file of `walbench run`. Members that do not apply are
// null in the file and never left out; lists are never null.
type Run struct {
	Schema     string         `json:"schema"`
	Kind       Kind           `json:"kind"`
	Complete   bool           `json:"complete"` // false: interrupted, what was finished is here
	Config     Config         `json:"config"`
	Host       *hostinfo.Host `json:"host"`
	Instrument *Instrument    `json:"instrument"` // null if modelled
	Warnings   []string       `json:"warnings"`
	Modelled   *Modelled      `json:"modelled"` // the second block of a measured run
	WhatIfs    []WhatIf       `json:"what_ifs"` // of a modelled run
	Strategies []Strategy     `json:"strategies"`
}

// Modelled is a block of modelled results beside measured ones.
type Modelled struct {
	Profile    string     `json:"profile"`    // name of the cost profile
	Cores      int        `json:"cores"`      // virtual cores
	Clients    *int       `json:"clients"`    // null: as many as config says
	DataPlane  string     `json:"data_plane"` // "full" or "counts"
	Strategies []Strategy `json:"strategies"`
}

// NewRun returns an empty run, not yet complete.
func NewRun(kind Kind, config Config, host *hostinfo.Host) *Run {
	return &Run{Schema: Schema, Kind: kind, Config: config, Host: host, Warnings: []string{}}
}

// Warn adds warnings that are not there yet.
func (r *Run) Warn(warnings ...string) {
	r.Warnings = withWarnings(r.Warnings, warnings)
}

// withWarnings is list with those of more that say something new.
func withWarnings(list, more []string) []string {
	for _, w := range more {
		if w != "" && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// WarnOfDoubts adds what the figures themselves say against the run: turns on a
// busy machine, and holds too short to be timed. To be called when all
// strategies are there.
func (r *Run) WarnOfDoubts() { r.Warn(r.noiseWarning(), r.instrumentWarning()) }

// firstWorkload is listed before all others.
const firstWorkload = "worst-case"

// normalize puts the worst case first and makes every nil list an empty one.
func (r *Run) normalize() {
	r.Config.normalize()
	r.Warnings, r.WhatIfs = notNil(r.Warnings), notNil(r.WhatIfs)
	r.Strategies = normalStrategies(r.Strategies)
	if r.Modelled != nil {
		r.Modelled.Strategies = normalStrategies(r.Modelled.Strategies)
	}
}

func normalStrategies(list []Strategy) []Strategy {
	list = notNil(list)
	slices.SortStableFunc(list, func(a, b Strategy) int { return workloadRank(a.Workload) - workloadRank(b.Workload) })
	for i := range list {
		list[i].ThroughputTPS.Runs = notNil(list[i].ThroughputTPS.Runs)
		list[i].Repetitions = notNil(list[i].Repetitions)
	}
	return list
}

func workloadRank(workload string) int {
	if workload == firstWorkload {
		return 0
	}
	return 1
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
