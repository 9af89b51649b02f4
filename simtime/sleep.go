package simtime

import (
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// spinBelow is the length of a wait that is not worth a system call.
const spinBelow = 2 * Microsecond

// Sleep blocks for d, and is meant to be good to a few microseconds for a device
// of ten. The thread's timer slack is 1 ns, and what a sleep takes longer than
// asked on this machine, measured once, is taken off the request; the remainder
// is spun away. So a wait costs a core no longer than a sleep costs it anyway: on
// virtual machines the way into and out of a sleep can take tens of microseconds
// of processor time. How late waits end is counted.
func (p *realProc) Sleep(d Duration) {
	if d <= 0 {
		return
	}
	end, overhead := p.Now().Add(d), sleepOverhead()
	for left := d; left > 0; left = end.Sub(p.Now()) {
		if left > max(overhead, spinBelow) {
			nanosleep(left - overhead)
		}
	}
	p.meter.Late.Record(p.Now().Sub(end))
}

// SleepOverhead is how much longer than asked a short sleep takes here: waits up
// to that length are spun.
func SleepOverhead() Duration { return sleepOverhead() }

func nanosleep(d Duration) {
	ts := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&ts, nil) // an interruption only makes it shorter
}

// maxOverhead bounds what a busy machine can make sleepOverhead.
const maxOverhead = 50 * Microsecond

// sleepOverhead is how much longer than asked a short sleep takes when nothing
// else wants the core: the tenth percentile of some.
var sleepOverhead = sync.OnceValue(func() Duration {
	const asked, samples = 5 * Microsecond, 30
	took := make([]Duration, samples)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer fineTimers()()
	s := newSource()
	for i := range took {
		from := s.now()
		nanosleep(asked)
		took[i] = s.now().Sub(from) - asked
	}
	slices.Sort(took)
	return min(max(took[samples/10], 0), maxOverhead)
})
