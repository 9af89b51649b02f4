package experiment

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/walsim"
)

// RecoverSchema is the value of "schema" in what `recover --json` writes.
const RecoverSchema = "walbench.recover/1"

// RecoverReport is what reading a log back found. Its JSON form is the output of
// `walbench recover --json`; unknown is null.
type RecoverReport struct {
	Schema    string         `json:"schema"`
	Host      *hostinfo.Host `json:"host"`
	Warnings  []string       `json:"warnings"`
	Segments  int            `json:"segments"` // files that hold pages of the log
	Records   int64          `json:"records"`
	RealBytes int64          `json:"real_bytes"` // sum of xl_tot_len without what the design added
	FirstLSN  *string        `json:"first_lsn"`  // of the first record
	EndLSN    string         `json:"end_lsn"`    // end of the last record, padding included
	End       string         `json:"end"`        // clean, torn or damaged
	Damage    *RecoverDamage `json:"damage"`
	KeysUsed  int            `json:"keys_used"`
	MBPerS    *float64       `json:"mb_per_s"` // stored record bytes read a second, in 10^6

	in      *recoverInput
	summary walsim.Summary
}

// RecoverDamage is the place that could not be read and has to be readable.
type RecoverDamage struct {
	Segment string `json:"segment"` // file name
	Offset  int64  `json:"offset"`  // bytes from its start
	Reason  string `json:"reason"`
}

func newRecoverReport(r *recovery) *RecoverReport {
	host := hostinfo.Read()
	s := &r.summary
	report := &RecoverReport{
		Schema: RecoverSchema, Host: &host, Warnings: []string{},
		Segments: s.Segments, Records: s.Records, RealBytes: s.RealBytes,
		EndLSN: s.End.LSN.String(), End: s.End.Kind.String(), KeysUsed: r.in.keys,
		in: r.in, summary: *s,
	}
	if s.Records > 0 {
		first := s.FirstLSN.String()
		report.FirstLSN = &first
	}
	if d := s.End.Damage; d != nil {
		report.Damage = &RecoverDamage{Segment: d.Segment, Offset: d.Offset, Reason: d.Reason}
	}
	if seconds := r.elapsed.Seconds(); seconds > 0 && s.StoredBytes > 0 {
		rate := float64(s.StoredBytes) / 1e6 / seconds
		report.MBPerS = &rate
	}
	report.warn()
	return report
}

// warn lists what the user should know about the log, one line each.
func (r *RecoverReport) warn() {
	s := &r.summary
	if s.End.Kind == walsim.EndTorn {
		r.Warnings = append(r.Warnings, "the log ends before a torn record at "+s.End.Reason)
	}
	if s.OtherSegments > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("segment files of other timelines than %d were left out: %d", s.TLI, s.OtherSegments))
	}
	if s.SkippedBytes > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d bytes belong to records that are not whole, and were skipped", s.SkippedBytes))
	}
}

// WriteJSON writes the report as one JSON document.
func (r *RecoverReport) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText prints the report for people, one fact a line.
func (r *RecoverReport) WriteText(w io.Writer) error {
	s := &r.summary
	first := "-"
	if r.FirstLSN != nil {
		first = *r.FirstLSN
	}
	lines := [][2]string{
		{"log", r.in.name},
		{"format", fmt.Sprintf("PostgreSQL %d, timeline %d, segments of %d MB", s.Major, s.TLI, r.in.segment>>20)},
		{"segments", fmt.Sprint(r.Segments)},
		{"records", fmt.Sprintf("%d, from %s to %s", r.Records, first, r.EndLSN)},
		{"real bytes", fmt.Sprintf("%d (stored with what the strategy added: %d)", r.RealBytes, s.StoredBytes)},
		{"images", fmt.Sprintf("%d, %d bytes", s.Images, s.ImageBytes)},
		{"keys used", fmt.Sprint(r.KeysUsed)},
		{"end", r.endText()},
	}
	if r.MBPerS != nil {
		lines = append(lines, [2]string{"read with", fmt.Sprintf("%.0f MB/s", *r.MBPerS)})
	}
	for _, l := range lines {
		if _, err := fmt.Fprintf(w, "%-11s %s\n", l[0], l[1]); err != nil {
			return err
		}
	}
	return nil
}

func (r *RecoverReport) endText() string {
	if r.Damage != nil {
		return fmt.Sprintf("damaged in segment %s at offset %d", r.Damage.Segment, r.Damage.Offset)
	}
	return r.End
}
