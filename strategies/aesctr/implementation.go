package aesctr

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// EnvName is the environment variable that forces an implementation.
const EnvName = "WALBENCH_AESCTR"

// ErrImplementation means that an implementation is not known, or that this
// processor cannot run it.
var ErrImplementation = errors.New("no such AES-CTR implementation here")

// Implementation is one way of doing the work. All give the same bytes.
type Implementation struct {
	// Name is what users type: vaes-512, vaes-256, aes-ni or stdlib.
	Name    string
	Summary string
	// Missing names what this processor or build lacks for it; empty if it can run
	// here.
	Missing string

	kind kind
}

// Supported says whether the implementation can run here.
func (i *Implementation) Supported() bool { return i.Missing == "" }

// kind tells the kernels apart in the switches of the calls: direct calls, since
// a call through a function value would make every buffer escape.
type kind uint8

const (
	kindStdlib kind = iota
	kindAESNI
	kindVAES256
	kindVAES512
)

var (
	stdlib = &Implementation{
		Name: "stdlib", kind: kindStdlib,
		Summary: "Go's crypto/aes: block by block up to 128 bytes, above that a new stream a call, which allocates",
	}
	// implementations are in order of preference.
	implementations = append(kernels(), stdlib)

	selected, selectedErr = choose(os.Getenv(EnvName))
)

// kernels are the assembly implementations, the fastest first.
func kernels() []*Implementation {
	list := []*Implementation{
		{Name: "vaes-512", kind: kindVAES512, Summary: "VAES on 512-bit registers with masks"},
		{Name: "vaes-256", kind: kindVAES256, Summary: "VAES on 256-bit registers"},
		{Name: "aes-ni", kind: kindAESNI, Summary: "AES-NI on 128-bit registers"},
	}
	for _, i := range list {
		i.Missing = lacks(i.kind)
	}
	return list
}

// Implementations returns all implementations there are, the preferred ones first,
// also those that cannot run here.
func Implementations() []*Implementation { return slices.Clone(implementations) }

// Supported returns the implementations that can run here, the preferred ones
// first. The last is always stdlib.
func Supported() []*Implementation {
	return slices.DeleteFunc(Implementations(), func(i *Implementation) bool { return !i.Supported() })
}

// Selected is the implementation that the program uses unless told otherwise:
// the best one of this processor, or the one that WALBENCH_AESCTR names. The
// error says that the variable names none that can run here; the best one is
// selected then.
func Selected() (*Implementation, error) { return selected, selectedErr }

// Lookup finds an implementation that can run here by name, or returns an error
// that wraps [ErrImplementation].
func Lookup(name string) (*Implementation, error) {
	for _, i := range implementations {
		if i.Name != name {
			continue
		}
		if !i.Supported() {
			return nil, fmt.Errorf("%q needs %s (can run here: %s): %w", name, i.Missing, names(Supported()), ErrImplementation)
		}
		return i, nil
	}
	return nil, fmt.Errorf("%q is not known (can run here: %s): %w", name, names(Supported()), ErrImplementation)
}

func choose(name string) (*Implementation, error) {
	best := Supported()[0]
	if name == "" {
		return best, nil
	}
	i, err := Lookup(name)
	if err != nil {
		return best, fmt.Errorf("%s=%w", EnvName, err)
	}
	return i, nil
}

func names(list []*Implementation) string {
	var all []string
	for _, i := range list {
		all = append(all, i.Name)
	}
	return strings.Join(all, ", ")
}
