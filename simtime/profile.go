package simtime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/walbench/walbench/internal/hostinfo"
)

// ProfileSchema is the value of "schema" in a profile.
const ProfileSchema = "walbench.profile/1"

// ErrProfile is returned, wrapped, for a profile that cannot be used.
var ErrProfile = errors.New("not a usable cost profile")

// Profile is what a virtual clock charges: numbers of one machine, each with its
// origin. A profile does not change once it is loaded; it may be shared.
type Profile struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
	// Machine says in one line what the numbers are of.
	Machine string         `json:"machine"`
	Host    *hostinfo.Host `json:"host"` // null for a machine known from a document only
	Date    string         `json:"date"` // of the measurement or document, YYYY-MM-DD
	// Cores and Clients are what a run with the profile takes if nothing is asked
	// for; 0: no opinion.
	Cores   int `json:"cores"`
	Clients int `json:"clients"`
	// Implementation is what does the AES on this machine unless told otherwise.
	Implementation string                       `json:"implementation"`
	Warnings       []string                     `json:"warnings"`
	Numbers        map[string]Number            `json:"numbers"`
	Suites         map[string]map[string]Number `json:"suites"`

	costs  Costs
	suites map[string]SuiteCosts
}

// MaxClients is the most updaters that a profile may ask for.
const MaxClients = 4096

// maxName bounds a profile's name and machine, which stand in headlines.
const maxName = 100

// DecodeProfile reads a profile and checks it: members it does not know, numbers
// missing or left over, and origins that are none are errors that wrap
// [ErrProfile]. name is for error messages.
func DecodeProfile(name string, data []byte) (*Profile, error) {
	if err := checkMembers(data); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrProfile, inWords(err))
	}
	p := &Profile{}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrProfile, inWords(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w: something stands behind its end", name, ErrProfile)
	}
	if err := p.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrProfile, err)
	}
	return p, nil
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// inWords says what is wrong with a document in its own terms, not in those of Go.
func inWords(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: a %s is not what belongs there", wrong.Field, wrong.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends before its document does")
	}
	return err
}

// Complete makes the costs of a profile that was put together from its numbers, after
// the checks of [DecodeProfile]; before it has none.
func (p *Profile) Complete() error {
	if err := p.complete(); err != nil {
		return fmt.Errorf("%s: %w: %w", p.Name, ErrProfile, err)
	}
	return nil
}

// complete checks p and makes its costs.
func (p *Profile) complete() error {
	switch {
	case p.Schema != ProfileSchema:
		return fmt.Errorf("schema %q, want %q", p.Schema, ProfileSchema)
	case p.Name == "" || p.Machine == "":
		return errors.New("name and machine must not be empty")
	case len(p.Name) > maxName || len(p.Machine) > maxName:
		return fmt.Errorf("name or machine: longer than %d bytes", maxName)
	case !isDate(p.Date):
		return fmt.Errorf("date: %q, want YYYY-MM-DD", p.Date)
	case p.Cores < 0 || p.Cores > MaxCores:
		return fmt.Errorf("cores: %d, want 0 to %d", p.Cores, MaxCores)
	case p.Clients < 0 || p.Clients > MaxClients:
		return fmt.Errorf("clients: %d, want 0 to %d", p.Clients, MaxClients)
	}
	if err := p.completeCosts(); err != nil {
		return err
	}
	p.suites = map[string]SuiteCosts{}
	for _, suite := range slices.Sorted(maps.Keys(p.Suites)) {
		if err := p.completeSuite(suite); err != nil {
			return err
		}
	}
	return nil
}

func (p *Profile) completeCosts() error {
	for i := range costFields {
		f := &costFields[i]
		n, ok := p.Numbers[f.Name]
		if !ok {
			return fmt.Errorf("numbers: %s is missing (%s)", f.Name, f.Meaning)
		}
		if err := n.check("numbers: "+f.Name, f.Name, f.atLeast); err != nil {
			return err
		}
		*f.of(&p.costs) = n.Value
	}
	for _, name := range slices.Sorted(maps.Keys(p.Numbers)) {
		if !slices.ContainsFunc(costFields, func(f costField) bool { return f.Name == name }) {
			return fmt.Errorf("numbers: nothing uses %s", name)
		}
	}
	return nil
}

func (p *Profile) completeSuite(suite string) error {
	var costs SuiteCosts
	numbers := p.Suites[suite]
	for i := range suiteFields {
		f := &suiteFields[i]
		n, ok := numbers[f.Name]
		if !ok {
			return fmt.Errorf("suites: %s: %s is missing (%s)", suite, f.Name, f.Meaning)
		}
		if err := n.check("suites: "+suite+": "+f.Name, f.Name, 0); err != nil {
			return err
		}
		*f.of(&costs) = n.Value
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if !slices.ContainsFunc(suiteFields, func(f suiteField) bool { return f.Name == name }) {
			return fmt.Errorf("suites: %s: nothing uses %s", suite, name)
		}
	}
	p.suites[suite] = costs
	return nil
}

// check checks the number called name; what is where it stands.
func (n *Number) check(what, name string, atLeast int64) error {
	switch atMost := mostOf(name); {
	case n.Value < atLeast || n.Value > atMost:
		return fmt.Errorf("%s: %d, want %d to %d", what, n.Value, atLeast, atMost)
	case n.Source != Cited && n.Source != Measured && n.Source != Derived && n.Source != Assumed:
		return fmt.Errorf("%s: source %q, want cited, measured, derived or assumed", what, n.Source)
	case strings.TrimSpace(n.From) == "":
		return fmt.Errorf("%s: from is empty: say where the number comes from", what)
	}
	return nil
}

// EncodeProfile writes a profile as its file, after the checks of
// [DecodeProfile].
func EncodeProfile(w io.Writer, p *Profile) error {
	if err := p.Complete(); err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// Hash identifies the numbers of a profile: the SHA-256 of its JSON document, in
// hex. Equal hashes give equal results.
func (p *Profile) Hash() string {
	data, err := json.Marshal(p)
	if err != nil {
		panic("simtime: " + err.Error()) // strings and integers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Costs are the profile's costs.
func (p *Profile) Costs() Costs { return p.costs }

// Suite is what the suite called name takes; ok is false if the profile does not
// know it.
func (p *Profile) Suite(name string) (c SuiteCosts, ok bool) {
	c, ok = p.suites[name]
	return c, ok
}

// Inputs lists the names of all numbers: those of Numbers, and those of suites
// as SUITE.NUMBER. It is in the order of the documentation, suites by name.
func (p *Profile) Inputs() []string {
	var names []string
	for i := range costFields {
		names = append(names, costFields[i].Name)
	}
	for _, suite := range slices.Sorted(maps.Keys(p.Suites)) {
		for i := range suiteFields {
			names = append(names, suite+"."+suiteFields[i].Name)
		}
	}
	return names
}

// Input is the number called name, spelled as [Profile.Inputs] does.
func (p *Profile) Input(name string) (n Number, ok bool) {
	if suite, field, ofSuite := cutLast(name, "."); ofSuite {
		n, ok = p.Suites[suite][field]
		return n, ok
	}
	n, ok = p.Numbers[name]
	return n, ok
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Scaled is a copy of p in which one input is multiplied by num/den, rounded
// down, and kept within what a number may be. It panics if p has no such input.
func (p *Profile) Scaled(name string, num, den int64) *Profile {
	n, ok := p.Input(name)
	if !ok {
		panic("simtime: no input " + name)
	}
	v := min(n.Value*num/den, mostOf(name))
	if !strings.Contains(name, ".") {
		v = max(v, leastOf(name))
	}
	q, err := p.With(name, v)
	if err != nil {
		panic("simtime: " + err.Error()) // num and den are no factor
	}
	return q
}

// With is a copy of p in which one input, which p has, has another value. A value
// that it may not have is an error that wraps [ErrProfile].
func (p *Profile) With(name string, value int64) (*Profile, error) {
	n, _ := p.Input(name)
	n.Value = value
	q := *p
	q.Numbers, q.Suites = maps.Clone(p.Numbers), maps.Clone(p.Suites)
	if suite, field, ofSuite := cutLast(name, "."); ofSuite {
		q.Suites[suite] = maps.Clone(p.Suites[suite])
		q.Suites[suite][field] = n
	} else {
		q.Numbers[name] = n
	}
	if err := q.complete(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	return &q, nil
}

func leastOf(name string) int64 {
	i := slices.IndexFunc(costFields, func(f costField) bool { return f.Name == name })
	return costFields[i].atLeast
}
