//go:build !linux

package validate

import "runtime"

// confine limits Go's scheduler only: threads have no processors of their own here.
func confine(cores int) (undo func(), err error) {
	procs := runtime.GOMAXPROCS(cores)
	return func() { runtime.GOMAXPROCS(procs) }, nil
}
