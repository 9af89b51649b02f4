package ciphers

import (
	"fmt"

	"github.com/walbench/walbench/experiment"
)

// Config says what to measure. The zero value of each list stands for all.
type Config struct {
	Suites          []string
	Implementations []string
	Calls           []Call
	Sizes           []Size
	Rounds          int // times each row is timed; 0 is DefaultRounds
	// Rival is timed in the same rounds; nil for none.
	Rival *Rival
	// Progress is told after each size and round how much of all is done; nil for
	// nobody.
	Progress func(done, all int)
}

// DefaultRounds keep the whole of a default run below a minute.
const DefaultRounds = 61

// MaxRounds bounds what a run keeps in memory.
const MaxRounds = 100_000

func usagef(format string, args ...any) error {
	return &experiment.UsageError{Err: fmt.Errorf(format, args...)}
}

func (c *Config) fill() error {
	if len(c.Sizes) == 0 {
		c.Sizes = DefaultSizes()
	}
	if c.Rounds == 0 {
		c.Rounds = DefaultRounds
	}
	if c.Rounds < 1 || c.Rounds > MaxRounds {
		return usagef("%d rounds: want 1 to %d", c.Rounds, MaxRounds)
	}
	return nil
}

// Check finds what is wrong with c, as Measure would, before anything costs time.
func (c *Config) Check() error {
	if err := c.fill(); err != nil {
		return err
	}
	_, err := chosen(c)
	return err
}

// Measure measures what c asks for. When stop is closed it returns what it has,
// as a report that is not complete (sizes that were begun count with the rounds
// they had), with [experiment.ErrInterrupted].
func Measure(stop <-chan struct{}, c Config) (*Report, error) {
	if err := c.fill(); err != nil {
		return nil, err
	}
	list, err := chosen(&c)
	if err != nil {
		return nil, err
	}
	m := &measurement{config: &c, subjects: list, stop: stop, bounds: map[string]float64{}}
	return m.run()
}
