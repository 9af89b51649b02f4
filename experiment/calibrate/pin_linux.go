package calibrate

import "golang.org/x/sys/unix"

const pinnedApart = "two threads on two cores"

// pin keeps the calling thread on the n-th core, from 0, that it may run on, until
// undo. Where that is not allowed, or there are not so many, nothing happens.
func pin(n int) (undo func()) {
	var before, one unix.CPUSet
	if unix.SchedGetaffinity(0, &before) != nil || n >= before.Count() {
		return func() {}
	}
	core := -1
	for ; n >= 0; n-- {
		for core++; !before.IsSet(core); core++ {
		}
	}
	one.Set(core)
	if unix.SchedSetaffinity(0, &one) != nil {
		return func() {}
	}
	return func() { _ = unix.SchedSetaffinity(0, &before) }
}
