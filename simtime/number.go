package simtime

// Origin says where a number of a profile comes from.
type Origin string

// The origins. A cited number stands in a published document; a measured one was
// measured on the profile's machine; a derived one is computed from others by a
// ratio or formula that its From names; an assumed one is a guess that says so.
const (
	Cited    Origin = "cited"
	Measured Origin = "measured"
	Derived  Origin = "derived"
	Assumed  Origin = "assumed"
)

// Number is one number of a profile: an integer, its unit last in its name, and
// where it comes from.
type Number struct {
	Value  int64  `json:"value"`
	Source Origin `json:"source"`
	From   string `json:"from"` // document and place, way of measuring, formula, or reason
}
