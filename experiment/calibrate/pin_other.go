//go:build !linux

package calibrate

const pinnedApart = "two threads, on whatever cores"

// pin does nothing where threads cannot be kept on a core.
func pin(int) (undo func()) { return func() {} }
