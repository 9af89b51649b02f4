package calibrate

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/vfs"
)

// Numbers of rounds.
const (
	DefaultRounds = 301
	QuickRounds   = 15
)

// Config says how to calibrate.
type Config struct {
	// FS is where a device is.
	FS vfs.FS
	// Device is "file:DIR", the folder of a disk whose syncs are to be timed, or ""
	// for none: then what a sync takes is the reference profile's, and assumed.
	Device string
	// Name is the profile's; "" makes one from the processor.
	Name string
	// Quick takes few rounds.
	Quick bool
}

// ErrName means that a profile cannot be called so.
var ErrName = errors.New("not a name for a profile (want lower-case letters, digits and dashes)")

const devicePrefix = "file:"

var profileName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// check finds what the user has to change: an [experiment.UsageError].
func (c *Config) check() error {
	if c.Name != "" && !profileName.MatchString(c.Name) {
		return usagef("--name %q: %w", c.Name, ErrName)
	}
	if c.Device == "" {
		return nil
	}
	folder, ok := strings.CutPrefix(c.Device, devicePrefix)
	if !ok || folder == "" {
		return usagef("--device %q: want file:DIR, a folder of the disk whose syncs are to be timed", c.Device)
	}
	info, err := c.FS.Stat(folder)
	switch {
	case err != nil:
		return usagef("--device %s: %w", c.Device, err)
	case !info.Dir:
		return usagef("--device %s: %s is no folder", c.Device, folder)
	}
	return nil
}

func (c *Config) folder() string { return strings.TrimPrefix(c.Device, devicePrefix) }

func (c *Config) rounds() int {
	if c.Quick {
		return QuickRounds
	}
	return DefaultRounds
}

func usagef(format string, args ...any) error {
	return &experiment.UsageError{Err: fmt.Errorf(format, args...)}
}
