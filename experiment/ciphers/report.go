package ciphers

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/results"
)

// Schema names the JSON form of a report.
const Schema = "walbench.ciphers/1"

// What makes figures doubtful.
const (
	driftLimit = 0.05 // of the clock rate, from begin to end
	gapShare   = 0.05 // of the time
)

// Report is what was measured. Pointers are nil, and null in the JSON form,
// where a figure is unknown or has no meaning.
type Report struct {
	Schema      string        `json:"schema"`
	Complete    bool          `json:"complete"`
	Host        hostinfo.Host `json:"host"`
	Warnings    []string      `json:"warnings"`
	ClockBefore *float64      `json:"clock_ghz_before"`
	ClockAfter  *float64      `json:"clock_ghz_after"`
	AddsPerNs   float64       `json:"adds_per_ns"`
	GapShare    *float64      `json:"gap_share"`
	Rounds      int           `json:"rounds"`
	OffsetBytes int           `json:"buffer_offset_bytes"`
	Rivals      []RivalInfo   `json:"rivals"`
	Rows        []Row         `json:"rows"`
}

// RivalInfo names a library that was measured too.
type RivalInfo struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Compiler string `json:"compiler"`
}

// Row is one subject at one size.
type Row struct {
	Suite          string   `json:"suite"`
	Implementation string   `json:"implementation"`
	Call           string   `json:"call"`
	SizeBytes      int      `json:"size_bytes"`
	SizeMaxBytes   *int     `json:"size_max_bytes"`
	NsBest         float64  `json:"ns_per_record"`
	NsMedian       float64  `json:"ns_per_record_median"`
	GBPerS         float64  `json:"gb_per_s"`
	SetupNs        float64  `json:"setup_ns"`
	Allocs         *float64 `json:"allocs"`
	RatioToMemcpy  *float64 `json:"ratio_to_memcpy"`
	RatioToRival   *float64 `json:"ratio_to_rival"`
	Rival          *string  `json:"rival"`
	AESBoundNs     *float64 `json:"aes_bound_ns"`
	AESUtilisation *float64 `json:"aes_utilisation"`

	size      Size
	samples   []float64 // ns a record, one a round
	records   int       // of a sample
	meanBytes float64
}

// fill turns what was measured into the report.
func (r *Run) fill(complete bool) {
	p := r.report
	p.Schema, p.Complete, p.Host, p.OffsetBytes = Schema, complete, r.host, offsetBytes
	p.GapShare = r.gaps.share()
	p.Rivals, p.Rows = []RivalInfo{}, []Row{}
	if r.rival != nil {
		p.Rivals = append(p.Rivals, r.rival.info)
	}
	for _, c := range r.cells {
		p.Rounds = max(p.Rounds, len(c.samples))
		if len(c.samples) > 0 {
			p.Rows = append(p.Rows, r.row(c))
		}
	}
	p.Warnings = append(append(p.doubts(), r.unfit...), r.host.Warnings()...)
}

// doubts are warnings about the run itself.
func (p *Report) doubts() []string {
	list := []string{}
	if a, b := p.ClockBefore, p.ClockAfter; a != nil && b != nil && math.Abs(*b / *a - 1) > driftLimit {
		list = append(list, fmt.Sprintf("the clock ran at %.2f GHz before and %.2f GHz after: compare ratios, not times", *a, *b))
	}
	if g := p.GapShare; g != nil && *g > gapShare {
		list = append(list, fmt.Sprintf("%.0f%% of the time something else had the core: medians are too long, "+
			"trust best values and ratios only", *g*100))
	}
	return list
}

func (r *Run) row(c *cell) Row {
	s := c.subject
	best := slices.Min(c.samples)
	w := Row{
		Suite: s.suite, Implementation: s.implementation, Call: s.call, SizeBytes: c.ring.size.Min,
		NsBest: best, NsMedian: *results.MedianValue(c.samples), GBPerS: c.ring.meanBytes() / best,
		SetupNs: c.setupNs, Allocs: c.allocs, AESBoundNs: r.bounds.ns(c),
		size: c.ring.size, samples: c.samples, records: c.records, meanBytes: c.ring.meanBytes(),
	}
	if c.ring.size.Mixed() {
		w.SizeMaxBytes = &c.ring.size.Max
	}
	if w.AESBoundNs != nil {
		share := *w.AESBoundNs / best
		w.AESUtilisation = &share
	}
	if base := r.find(suiteCopy, stdlib, CallPerRecord, w.size); base != nil {
		w.RatioToMemcpy = pairedRatio(c.samples, base.samples)
	}
	if s.implementation != RivalOpenSSL {
		if rival := r.find(s.suite, RivalOpenSSL, s.call, w.size); rival != nil {
			w.RatioToRival, w.Rival = pairedRatio(rival.samples, c.samples), &rival.subject.implementation
		}
	}
	return w
}

func (r *Run) find(suite, implementation, call string, size Size) *cell {
	for _, c := range r.cells {
		s := c.subject
		if s.suite == suite && s.implementation == implementation && s.call == call && c.ring.size == size {
			return c
		}
	}
	return nil
}

// WriteJSON prints the report as one JSON document.
func (p *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
