package calibrate

import "golang.org/x/sys/unix"

const pinned = "two threads on one core"

// pin keeps the calling thread on the first core that it may run on, until undo.
// Where that is not allowed nothing happens.
func pin() (undo func()) {
	var before, one unix.CPUSet
	if unix.SchedGetaffinity(0, &before) != nil {
		return func() {}
	}
	first := 0
	for !before.IsSet(first) {
		first++ // a thread that runs may run somewhere
	}
	one.Set(first)
	if unix.SchedSetaffinity(0, &one) != nil {
		return func() {}
	}
	return func() { _ = unix.SchedSetaffinity(0, &before) }
}
