package simtime

import "golang.org/x/sys/unix"

// fineTimers sets the thread's timer slack to 1 ns, instead of the usual 50 us
// that a sleep may be late, and returns what sets it back: the thread goes back
// to Go's pool.
func fineTimers() (restore func()) {
	before, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil {
		return func() {}
	}
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // without it sleeps are late, and say so
	return func() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(before), 0, 0, 0) }
}
