package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walbench/walbench/internal/sizeflag"
)

// knob is something that a what-if changes.
type knob struct {
	name string
	// set changes the configuration. Its error says what value it wants.
	set func(c *Config, value string) error
	// phrase names the change in a sentence behind "With".
	phrase func(value string) string
}

// knobs are those that a what-if can change, besides the numbers of the profile. A
// knob is a row here, and a row in docs/format.md.
var knobs = append([]knob{
	{"sync-latency", setSyncLatency, says("a sync of", "")},
	{"cores", setCores, coresPhrase},
	{"wal-buffers", setWALBuffers, says("WAL buffers of", "")},
	{"think", setThink, says("", "of work outside the lock before each transaction")},
}, lockKnobs...)

// says puts a value between words.
func says(before, behind string) func(value string) string {
	return func(value string) string { return strings.TrimSpace(before + " " + value + " " + behind) }
}

// coresPhrase is a number of cores.
func coresPhrase(value string) string {
	if value == "1" {
		return "1 core"
	}
	return value + " cores"
}

// KnobNames lists what a what-if can change, for people.
func KnobNames() string {
	var names []string
	for i := range knobs {
		names = append(names, knobs[i].name)
	}
	return strings.Join(names, ", ") + ", or a number of the profile by name"
}

// lookupKnob finds the knob called name: one of the table, or a number of c's
// profile.
func (c *Config) lookupKnob(name string) (*knob, error) {
	if i := slices.IndexFunc(knobs, func(k knob) bool { return k.name == name }); i >= 0 {
		return &knobs[i], nil
	}
	if c.Profile != nil {
		if _, ok := c.Profile.Input(name); ok {
			return &knob{name, func(c *Config, value string) error { return setNumber(c, name, value) }, says(name+" at", "")}, nil
		}
	}
	return nil, fmt.Errorf("unknown (known: %s)", KnobNames())
}

var errWantTime = fmt.Errorf("want a time from 0s to %v", maxThink)

// parseTime reads a time that a modelled run may have.
func parseTime(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d > maxThink {
		return 0, errWantTime
	}
	return d, nil
}

func setSyncLatency(c *Config, value string) error {
	d, err := parseTime(value)
	c.SyncLatency = &d
	return err
}

func setThink(c *Config, value string) (err error) {
	c.Think, err = parseTime(value)
	return err
}

func setCores(c *Config, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil {
		return errors.New("want a number of cores")
	}
	c.VirtualCores = []int{n}
	return nil // its range is checked with the rest
}

func setWALBuffers(c *Config, value string) error {
	var size sizeflag.Size
	if err := size.Set(value); err != nil {
		return err
	}
	if size < 1 {
		return errors.New("want at least 1")
	}
	c.WALBuffers = int(size)
	return nil
}

// setNumber changes a number of the profile.
func setNumber(c *Config, name, value string) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return errors.New("want a whole number, in the unit of its name")
	}
	c.Profile, err = c.Profile.With(name, n)
	return err
}
