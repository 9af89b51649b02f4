// Package profiles holds the cost profiles that come with the program, as files
// in this folder: "reference" was measured on the machine that its member
// "machine" names, the others are of machines that documents describe.
//
// Life of a profile: it is a file here, checked and taken into the program when
// that is built; [Lookup] decodes it, and from then on it never changes.
package profiles

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/walbench/walbench/simtime"
)

// ReferenceName is the name of the profile that runs take when nothing else is
// known.
const ReferenceName = "reference"

const extension = ".json"

//go:embed *.json
var files embed.FS

// UnknownError says that no profile has this name, and which ones there are.
type UnknownError struct {
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown profile %q (known: %s)", e.Name, strings.Join(e.Known, ", "))
}

// Names lists the names of all profiles in alphabetical order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("profiles: " + err.Error()) // the folder was there when the program was built
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), extension))
	}
	slices.Sort(names)
	return names
}

// Lookup decodes the profile called name. The error is an [UnknownError].
func Lookup(name string) (*simtime.Profile, error) {
	if !slices.Contains(Names(), name) {
		return nil, &UnknownError{Name: name, Known: Names()}
	}
	data, err := files.ReadFile(name + extension)
	if err != nil {
		panic("profiles: " + err.Error()) // it is among the names
	}
	p, err := simtime.DecodeProfile(name, data)
	if err != nil {
		panic("profiles: " + err.Error()) // a test decodes every one
	}
	return p, nil
}

// Reference decodes the profile that was measured with this program.
func Reference() *simtime.Profile {
	p, err := Lookup(ReferenceName)
	if err != nil {
		panic("profiles: " + err.Error()) // a test looks it up
	}
	return p
}
