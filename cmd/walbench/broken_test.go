package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// brokenAt is the transaction of each updater that a broken strategy spoils.
const brokenAt = 5

// broken are strategies that do one thing wrong, once per updater. Each of them
// writes a log that is whole by its own checksums and links.
var broken = map[string]func(recs []strategies.Record) []strategies.Record{
	"test-drop":   func(recs []strategies.Record) []strategies.Record { return recs[1:] },
	"test-repeat": func(recs []strategies.Record) []strategies.Record { return append(slices.Clone(recs), recs[0]) },
	"test-swap": func(recs []strategies.Record) []strategies.Record {
		recs[0], recs[1] = recs[1], recs[0]
		return recs
	},
	"test-change": func(recs []strategies.Record) []strategies.Record {
		buf := recs[0].Buf
		buf[len(buf)-1] ^= 1
		return recs
	},
	// The control: it goes through the same code and spoils nothing.
	"test-nothing": func(recs []strategies.Record) []strategies.Record { return recs },
}

func init() {
	for name, spoil := range broken {
		strategies.Register(&strategies.Design{
			Name: name, Unit: "-", Place: "prepare", Nonce: "-", Integrity: "none",
			Summary: "loses what it should keep, to test that a run finds out", StandsFor: "mistakes",
			Unsafe: "made wrong for a test",
			New: func(strategies.Start) (strategies.Instance, error) {
				return brokenInstance{spoil}, nil
			},
		})
	}
}

type brokenInstance struct {
	spoil func([]strategies.Record) []strategies.Record
}

func (b brokenInstance) Updater(uint16, *simtime.Meter) strategies.Phases {
	n := 0
	return strategies.Phases{Prepare: func(recs []strategies.Record) []strategies.Record {
		if n++; n == brokenAt {
			return b.spoil(recs)
		}
		return recs
	}}
}

// A strategy that drops, swaps, repeats or changes one record is found out.
func TestBrokenStrategiesAreFound(t *testing.T) {
	for name := range broken {
		t.Run(name, func(t *testing.T) {
			want := exitVerify
			if name == "test-nothing" {
				want = exitOK
			}
			code, _, stderr := call("run", "--strategy", "none,"+name, "--workload", "insert",
				"--clients", "2", "--commits", "40", "--runs", "1")
			if code != want {
				t.Errorf("exit code %d, want %d (%s)", code, want, stderr)
			}
			if want == exitVerify && (!strings.Contains(stderr, name) || strings.Count(stderr, "\n") != 1) {
				t.Errorf("message %q, want one line that names %s", stderr, name)
			}
		})
	}
}
