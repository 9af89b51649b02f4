package strategies

import (
	"fmt"
	"slices"
	"strings"
)

var designs []*Design

// Register adds a design under its name. It is meant for package initialisation
// and for tests, and panics if the name is taken.
func Register(d *Design) {
	if _, err := Lookup(d.Name); err == nil {
		panic("strategies: " + d.Name + " registered twice")
	}
	designs = append(designs, d)
}

// order is the canonical comparison, which comes first everywhere.
var order = []string{"none", "in-lock", "before-lock", "batched-ctr"}

// UnknownError says that a name is not known, and which ones are.
type UnknownError struct {
	Kind  string // "strategy" or "suite"
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %q (known: %s)", e.Kind, e.Name, strings.Join(e.Known, ", "))
}

// All returns every design, the canonical comparison first.
func All() []*Design {
	all := slices.Clone(designs)
	slices.SortStableFunc(all, func(a, b *Design) int {
		if ra, rb := rank(a.Name), rank(b.Name); ra != rb {
			return ra - rb
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

func rank(name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// Names returns the names of all designs in All's order.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return names
}

// Canonical returns the names of the canonical comparison.
func Canonical() []string { return slices.Clone(order) }

// Lookup finds a design by name, or returns an [UnknownError].
func Lookup(name string) (*Design, error) {
	for _, d := range designs {
		if d.Name == name {
			return d, nil
		}
	}
	return nil, &UnknownError{Kind: "strategy", Name: name, Known: Names()}
}
