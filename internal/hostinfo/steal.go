package hostinfo

import (
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
)

// CPUTicks is what all processors together have done since the machine was
// started, in ticks of the kernel's clock (mostly 10 ms).
type CPUTicks struct {
	Steal uint64 // wanted to run, and the hypervisor ran something else
	Total uint64 // idle time included
}

// minTicks is the shortest stretch that a share is worth stating for: there one
// tick is 2 %.
const minTicks = 50

// ReadCPUTicks reads the counters of the machine it runs on; nil if there are
// none. It is safe for concurrent use.
func ReadCPUTicks() *CPUTicks { return ReadCPUTicksFrom(os.DirFS("/")) }

// ReadCPUTicksFrom is ReadCPUTicks with /proc taken from root.
func ReadCPUTicksFrom(root fs.FS) *CPUTicks {
	text := files{root}.line("proc/stat")
	if text == nil {
		return nil
	}
	for l := range strings.Lines(*text) {
		if words := strings.Fields(l); len(words) > 0 && words[0] == "cpu" {
			return parseTicks(words[1:])
		}
	}
	return nil
}

// The columns of a line of /proc/stat that count (proc_stat(5)): user, nice,
// system, idle, iowait, irq, softirq, steal. What guests used, in the two behind
// them, is in user and nice already.
const (
	stealColumn = 7
	sumColumns  = 8
)

func parseTicks(words []string) *CPUTicks {
	if len(words) < sumColumns {
		return nil // a kernel that does not know steal (before 2.6.11)
	}
	var t CPUTicks
	for i, w := range words[:sumColumns] {
		v, err := strconv.ParseUint(w, 10, 64)
		if err != nil || v > math.MaxUint64/sumColumns {
			return nil
		}
		t.Total += v
		if i == stealColumn {
			t.Steal = v
		}
	}
	return &t
}

// StealSince is the share of all processors' time, from earlier to t, that the
// hypervisor took; nil if one of the two is unknown, or if the time between them
// is too short to be told in ticks.
func (t *CPUTicks) StealSince(earlier *CPUTicks) *float64 {
	if t == nil || earlier == nil || t.Steal < earlier.Steal || t.Total < earlier.Total+minTicks {
		return nil
	}
	// Other counters can run backwards a little (idle and iowait do), which makes
	// the total grow by less than steal.
	share := min(float64(t.Steal-earlier.Steal)/float64(t.Total-earlier.Total), 1)
	return &share
}
