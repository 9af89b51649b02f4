package ciphers

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/strategies/aesctr"
)

// Schema names the JSON form of a Report.
const Schema = "walbench.ciphers/1"

// Report is what Measure found. Times are nanoseconds, GB are 10^9 bytes, absent
// figures are null.
type Report struct {
	Schema         string         `json:"schema"`
	Complete       bool           `json:"complete"`
	Host           *hostinfo.Host `json:"host"`
	Warnings       []string       `json:"warnings"`
	ClockGHzBefore *float64       `json:"clock_ghz_before"`
	ClockGHzAfter  *float64       `json:"clock_ghz_after"`
	AddsPerNs      float64        `json:"adds_per_ns"`
	GapShare       float64        `json:"gap_share"`
	Rounds         int            `json:"rounds"`
	Rivals         []RivalInfo    `json:"rivals"`
	Rows           []Row          `json:"rows"`
}

// RivalInfo names a rival.
type RivalInfo struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Compiler string `json:"compiler"`
}

// Row is one suite, implementation and call at one size.
type Row struct {
	Suite             string   `json:"suite"`
	Implementation    string   `json:"implementation"`
	Call              Call     `json:"call"`
	SizeBytes         int      `json:"size_bytes"`
	SizeMaxBytes      *int     `json:"size_max_bytes"` // of mixed sizes
	NsPerRecord       float64  `json:"ns_per_record"`  // the best round's
	NsPerRecordMedian float64  `json:"ns_per_record_median"`
	GBPerS            float64  `json:"gb_per_s"` // in the best round
	SetupNs           *float64 `json:"setup_ns"` // a context for a fresh key
	Allocs            float64  `json:"allocs"`   // a record
	RatioToMemcpy     *float64 `json:"ratio_to_memcpy"`
	RatioToMemcpyBest *float64 `json:"ratio_to_memcpy_best"`
	RatioToRival      *float64 `json:"ratio_to_rival"` // how many times as fast as the rival
	Rival             *string  `json:"rival"`
	AESBoundNs        *float64 `json:"aes_bound_ns"`
	AESUtilisation    *float64 `json:"aes_utilisation"`

	rounds []float64
	theirs bool // a rival's
}

// Size is the size of the row's records.
func (r *Row) Size() Size {
	if r.SizeMaxBytes != nil {
		return Size{r.SizeBytes, *r.SizeMaxBytes}
	}
	return Size{r.SizeBytes, r.SizeBytes}
}

func (m *measurement) report(before, after probes, complete bool) *Report {
	host := hostinfo.Read()
	r := &Report{
		Schema: Schema, Complete: complete, Host: &host, Rounds: m.config.Rounds,
		Warnings:  append(append([]string{}, host.Warnings()...), before.warnings(after)...),
		AddsPerNs: before.addsPerNs, GapShare: max(before.gapShare, after.gapShare),
		Rivals: []RivalInfo{}, Rows: []Row{},
	}
	if before.clockGHz > 0 {
		r.ClockGHzBefore, r.ClockGHzAfter = &before.clockGHz, &after.clockGHz
	}
	if m.config.Rival != nil {
		r.Rivals = append(r.Rivals, m.config.Rival.info)
	}
	if !complete {
		r.Warnings = append(r.Warnings, "interrupted: sizes are missing, and the last one has fewer rounds")
	}
	for i := range m.rows {
		if row := &m.rows[i]; len(row.ns) > 0 {
			r.Rows = append(r.Rows, m.finish(row))
		}
	}
	return r
}

// warnings say when ratios of this run mean less than they should.
func (p probes) warnings(after probes) (list []string) {
	if p.clockGHz > 0 {
		if drift := after.clockGHz/p.clockGHz - 1; drift > 0.05 || drift < -0.05 {
			list = append(list, fmt.Sprintf("the clock changed by %.0f%% during the run: compare within a round only", 100*drift))
		}
	}
	if gap := max(p.gapShare, after.gapShare); gap > 0.05 {
		list = append(list, fmt.Sprintf("other work took %.0f%% of the processor's time: medians are worth little", 100*gap))
	}
	return list
}

// finish turns a measured row into one of the report.
func (m *measurement) finish(r *row) Row {
	s := r.subject
	best := slices.Min(r.ns)
	bytes := float64(r.work.bytes) / float64(len(r.work.src))
	out := Row{
		Suite: s.suite, Implementation: s.implementation, Call: s.call, SizeBytes: r.size.Min,
		NsPerRecord: best, NsPerRecordMedian: median(r.ns), GBPerS: bytes / best,
		SetupNs: r.setupNs, Allocs: r.allocs, rounds: r.ns, theirs: r.rival,
	}
	if r.size.Mixed() {
		out.SizeMaxBytes = &r.size.Max
	}
	if copying := m.find(r, Memcpy, false); copying != nil && s.suite != Memcpy && s.suite != Read {
		ratio, bests := median(ratios(r.ns, copying.ns)), best/slices.Min(copying.ns)
		out.RatioToMemcpy, out.RatioToMemcpyBest = &ratio, &bests
	}
	if theirs := m.find(r, s.suite, true); theirs != nil && !r.rival {
		ratio := median(ratios(theirs.ns, r.ns))
		out.RatioToRival, out.Rival = &ratio, &theirs.subject.implementation
	}
	if unit, ok := m.bounds[s.implementation]; ok && s.kernel != nil && !r.size.Mixed() {
		blocks := (r.size.Min + aesctr.BlockSize - 1) / aesctr.BlockSize
		bound := unit * float64(blocks*aesctr.Rounds(s.keySize))
		share := bound / best
		out.AESBoundNs, out.AESUtilisation = &bound, &share
	}
	return out
}

// find is the row of the same size that r is compared with: the plain copy, or
// the rival's of the same suite and call.
func (m *measurement) find(r *row, suite string, rival bool) *row {
	for i := range m.rows {
		o := &m.rows[i]
		same := o.size == r.size && o.subject.suite == suite && o.rival == rival && len(o.ns) > 0
		if same && (!rival || o.subject.call == r.subject.call) {
			return o
		}
	}
	return nil
}

// ratios are a/b round by round.
func ratios(a, b []float64) []float64 {
	list := make([]float64, min(len(a), len(b)))
	for i := range list {
		list[i] = a[i] / b[i]
	}
	return list
}

func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// WriteJSON writes the report as one indented document.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
