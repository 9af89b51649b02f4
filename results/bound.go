package results

import "fmt"

// Shares from which a resource counts as what a run was bounded by.
const (
	lockBound = 0.9 // of the window, the lock was held
	coreBusy  = 0.8 // of the cores' time, updaters were running
)

// boundLine says, where updaters have to share cores, that commits a second say
// how fast the cores are and not what the lock lets through; with "may be" where
// they were not seen busy. If they were idle while the lock was held all the
// time (a slow device), it says that.
func (k *block) boundLine() string {
	if k.cores == 0 || k.clients <= k.cores {
		return ""
	}
	held, busy := &shares{}, &shares{}
	for _, s := range k.rows {
		held.add(s.heldShare())
		busy.add(s.busyShare(k.cores))
	}
	text := fmt.Sprintf("%s on %s", plural(k.clients, "updater"), plural(k.cores, "core"))
	known := held.known() && busy.known()
	if known {
		text += fmt.Sprintf(" (%s busy with them; lock held %s of the time)", busy, held)
	}
	switch {
	case known && held.low >= lockBound && busy.high < coreBusy:
		return text + ": commits /s is bounded by the lock and not by the cores"
	case known && busy.high >= coreBusy:
		text += ": commits /s is"
	default:
		text += ": commits /s may be"
	}
	return text + " bounded by the cores and not by the lock: compare designs by how long they hold it"
}

// heldShare is the part of the measured windows in which the lock was held; nil
// if unknown.
func (s *Strategy) heldShare() *float64 { return s.shareOfWindows(s.LockHeldNsPerCommit, 1) }

// busyShare is the part of the cores' time that updaters used; nil if unknown.
func (s *Strategy) busyShare(cores int) *float64 { return s.shareOfWindows(s.CPUNsPerCommit, cores) }

func (s *Strategy) shareOfWindows(nsPerCommit *float64, of int) *float64 {
	var window int64
	for i := range s.Repetitions {
		window += s.Repetitions[i].WindowNs
	}
	if nsPerCommit == nil || window <= 0 {
		return nil
	}
	v := *nsPerCommit * float64(s.Commits) / float64(window) / float64(of)
	return &v
}

// shares is the span of a share over the designs.
type shares struct {
	low, high   float64
	n           int
	withUnknown bool
}

func (s *shares) add(v *float64) {
	switch {
	case v == nil:
		s.withUnknown = true
		return
	case s.n == 0:
		s.low, s.high = *v, *v
	}
	s.low, s.high = min(s.low, *v), max(s.high, *v)
	s.n++
}

func (s *shares) known() bool { return s.n > 0 && !s.withUnknown }

// String is such as "91-97%". Two clocks are compared, so that a share can be
// measured as a little more than all.
func (s *shares) String() string {
	low, high := whole(s.low), whole(s.high)
	if low == high {
		return low + "%"
	}
	return low + "-" + high + "%"
}

func whole(share float64) string {
	v := min(100*share, 100)
	return amount(&v)
}
