package hostinfo

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Usage is the processor time that has been used so far: by everything on the
// machine, since it was started, and by this program.
type Usage struct {
	All, Own time.Duration
	At       time.Time
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every architecture that Linux
// runs on now (proc_stat(5)).
const tick = 10 * time.Millisecond

// minUsage is the shortest stretch that a share of others is worth stating for: one
// tick on each of two cores is 4 % of it.
const minUsage = 250 * time.Millisecond

// ReadUsage reads what has been used until now; nil where that cannot be known. It
// is safe for concurrent use.
func ReadUsage() *Usage {
	all := usedTicks(os.DirFS("/"))
	var own unix.Rusage
	if all == nil || unix.Getrusage(unix.RUSAGE_SELF, &own) != nil {
		return nil
	}
	return &Usage{
		All: time.Duration(*all) * tick, Own: time.Duration(own.Utime.Nano() + own.Stime.Nano()), At: time.Now(),
	}
}

// usedColumns are the columns of /proc/stat in which somebody used a core: user,
// nice, system, irq, softirq.
var usedColumns = []int{0, 1, 2, 5, 6}

// usedTicks is the sum of those of all processors.
func usedTicks(root fs.FS) *uint64 {
	text := files{root}.line("proc/stat")
	if text == nil {
		return nil
	}
	for l := range strings.Lines(*text) {
		words := strings.Fields(l)
		if len(words) <= sumColumns || words[0] != "cpu" {
			continue
		}
		sum := uint64(0)
		for _, i := range usedColumns {
			v, err := strconv.ParseUint(words[1+i], 10, 48)
			if err != nil {
				return nil
			}
			sum += v
		}
		return &sum
	}
	return nil
}

// OthersSince is the share of the machine's cores that other programs used from
// earlier to u; nil if one of the two is unknown, or the time between them too short
// to be told in ticks.
func (u *Usage) OthersSince(earlier *Usage, cores int) *float64 {
	if u == nil || earlier == nil || cores < 1 || u.At.Sub(earlier.At) < minUsage {
		return nil
	}
	others := (u.All - earlier.All) - (u.Own - earlier.Own)
	share := min(1, max(0, float64(others)/float64(u.At.Sub(earlier.At))/float64(cores)))
	return &share
}
