package results

import (
	"io"

	"github.com/walbench/walbench/internal/hostinfo"
)

// ReproductionSchema is the value of "schema" in a reproduction's document.
const ReproductionSchema = "walbench.reproduce/1"

// Reproduction sets what a document says beside what the model makes of the
// document's own machine, what is measured here and what is modelled from costs
// measured here. No column holds another one's figures.
type Reproduction struct {
	Schema   string         `json:"schema"`
	Name     string         `json:"name"`
	Complete bool           `json:"complete"` // false: interrupted
	Host     *hostinfo.Host `json:"host"`
	Warnings []string       `json:"warnings"`

	Document        string `json:"document"`         // which, and where it is
	DocumentMachine string `json:"document_machine"` // cores and updaters of its column
	HereMachine     string `json:"here_machine"`     // of the modelled column of this machine
	DocumentProfile string `json:"document_profile"`
	HereProfile     string `json:"here_profile"`
	Scale           string `json:"scale"`

	Rows       []ReproductionRow `json:"rows"`
	Crossovers []Crossover       `json:"crossovers"`
	Slips      []string          `json:"slips"` // what the document itself gets wrong
}

// ReproductionRow is one design under one workload.
type ReproductionRow struct {
	Workload string `json:"workload"`
	Design   string `json:"design"`
	Suite    string `json:"suite"` // of the document's column; "-" for none
	// SuiteHere is the suite of the two columns of this machine, where it is another.
	SuiteHere string `json:"suite_here"`
	StandsFor string `json:"stands_for"` // in the document
	Unit      string `json:"unit"`

	Document          *float64 `json:"document"` // null if it gives no figure
	DocumentRelation  Relation `json:"document_relation"`
	DocumentTolerance float64  `json:"document_tolerance"` // of "about"
	DocumentSays      string   `json:"document_says"`
	// InDoubt is what the model leaves out or the document does not give that this
	// row depends on; empty if nothing stands out.
	InDoubt string `json:"in_doubt"`

	ModelledDocumentProfile      *float64     `json:"modelled_document_profile"`
	ModelledDocumentProfileRange *Sensitivity `json:"modelled_document_profile_range"`
	Measured                     *float64     `json:"measured"`
	MeasuredRange                *Range       `json:"measured_range"`
	ModelledHere                 *float64     `json:"modelled_here"`
	ModelledHereRange            *Sensitivity `json:"modelled_here_range"`

	Verdict string `json:"verdict"` // of the document's column; see the constants
}

// Relation is how a document's figure is meant.
type Relation string

// The relations.
const (
	About   Relation = "about"    // within the tolerance
	AtLeast Relation = "at_least" //
	Below   Relation = "below"    // strictly
	Unknown Relation = "none"     // no figure is given
)

// Verdicts on whether the model, with the document's profile, gives what the
// document says: with the profile as it is; only with one of its inputs halved or
// doubled; not even so; or nothing to compare.
const (
	Agrees      = "agrees"
	WithinRange = "within range"
	Misses      = "misses"
	NotCompared = "not compared"
	shareOfNone = "relative_throughput"
	unbounded   = 1e300
)

// Crossover says on how many cores a design falls behind another, of those that
// were modelled with the document's profile.
type Crossover struct {
	Workload string `json:"workload"`
	Design   string `json:"design"`
	Against  string `json:"against"`
	// Share is the part of the other's throughput below which it has fallen behind.
	Share    float64 `json:"share"`
	Cores    []int   `json:"cores"`    // where it does; empty: nowhere
	Modelled []int   `json:"modelled"` // all that were tried
}

// Judge fills in the verdict.
func (r *ReproductionRow) Judge() {
	r.Unit = shareOfNone
	v, s := r.ModelledDocumentProfile, r.ModelledDocumentProfileRange
	switch {
	case r.Document == nil || v == nil:
		r.Verdict = NotCompared
	case r.meets(*v, *v):
		r.Verdict = Agrees
	case s != nil && s.Low != nil && s.High != nil && r.meets(*s.Low, *s.High):
		r.Verdict = WithinRange
	default:
		r.Verdict = Misses
	}
}

// meets says whether some value from low to high is what the document says.
func (r *ReproductionRow) meets(low, high float64) bool {
	from, to := r.meant()
	return high >= from && low <= to && (r.DocumentRelation != Below || low < to)
}

// holds says whether all values from low to high are.
func (r *ReproductionRow) holds(low, high float64) bool {
	from, to := r.meant()
	return low >= from && high <= to && (r.DocumentRelation != Below || high < to)
}

// meant is what the document's figure stands for; of Below the end is not in it.
func (r *ReproductionRow) meant() (from, to float64) {
	switch r.DocumentRelation {
	case About:
		return *r.Document - r.DocumentTolerance, *r.Document + r.DocumentTolerance
	case AtLeast:
		return *r.Document, unbounded
	}
	return -unbounded, *r.Document
}

// WriteJSON writes the document with its members in the order of the schema.
func (p *Reproduction) WriteJSON(w io.Writer) error {
	p.Schema = ReproductionSchema
	p.Warnings, p.Rows, p.Crossovers, p.Slips = notNil(p.Warnings), notNil(p.Rows), notNil(p.Crossovers), notNil(p.Slips)
	for i := range p.Crossovers {
		p.Crossovers[i].Cores, p.Crossovers[i].Modelled = notNil(p.Crossovers[i].Cores), notNil(p.Crossovers[i].Modelled)
	}
	return encodeDocument(w, p, "reproduction")
}

// Warn adds warnings that are not there yet.
func (p *Reproduction) Warn(warnings ...string) {
	p.Warnings = withWarnings(p.Warnings, warnings)
}
