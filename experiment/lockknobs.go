package experiment

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/walbench/walbench/walsim"
)

// lockKnobs are what a what-if can change of the locks.
var lockKnobs = []knob{
	{"lock", setLock, lockPhrase},
	{"insertion-locks", setInsertionLocks, insertionPhrase},
	{"commit-delay", setCommitDelay, says("a commit delay of", "")},
	{"commit-siblings", setCommitSiblings, says("", "siblings as the least for a commit delay")},
}

func setLock(c *Config, value string) error {
	if value == LockSingle {
		c.Locks = LockConfig{}
	}
	c.Lock = value
	return nil // it is checked with the rest
}

func lockPhrase(value string) string {
	if value == LockPostgres {
		return "PostgreSQL's locks"
	}
	return "a single lock"
}

func setInsertionLocks(c *Config, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > walsim.MaxInsertionLocks {
		return fmt.Errorf("want 1 to %d", walsim.MaxInsertionLocks)
	}
	c.Locks.InsertionLocks = n
	return nil
}

func insertionPhrase(value string) string {
	if value == "1" {
		return "1 insertion lock"
	}
	return value + " insertion locks"
}

func setCommitDelay(c *Config, value string) (err error) {
	c.Locks.CommitDelay, err = parseTime(value)
	return err
}

func setCommitSiblings(c *Config, value string) error {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil || n < 0:
		return errors.New("want a number of others, from 0")
	case n == 0:
		n = -1 // which is what 0 means to a LockConfig
	}
	c.Locks.CommitSiblings = n
	return nil
}
