package validate

import (
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/results"
)

// lookFor is how long the machine is watched before it counts as quiet: the shortest
// stretch that the kernel's ticks say anything of, and a little more.
const lookFor = 300 * time.Millisecond

// patience is time that may be spent waiting for others to let the machine go.
type patience struct {
	left  time.Duration
	cores int
}

// await returns when other programs use hardly any of the machine, or patience is used
// up, or stop is closed.
func (w *patience) await(stop <-chan struct{}) {
	for w.left > 0 && !experiment.Stopped(stop) {
		before := hostinfo.ReadUsage()
		time.Sleep(lookFor)
		others := hostinfo.ReadUsage().OthersSince(before, w.cores)
		w.left -= lookFor
		if others == nil || *others <= results.BusyShare {
			return
		}
	}
}
