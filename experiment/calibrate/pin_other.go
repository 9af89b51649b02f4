//go:build !linux

package calibrate

const (
	pinned      = "two threads, on whatever cores"
	pinnedApart = pinned
)

// pin does nothing where threads cannot be kept on a core.
func pin(int) (undo func()) { return func() {} }
