//go:build !linux

package calibrate

const pinned = "two threads, on whatever cores"

// pin does nothing where threads cannot be kept on a core.
func pin() (undo func()) { return func() {} }
