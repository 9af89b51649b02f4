package simtime

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// threadCPU reads the processor time of this thread. The raw system call, which
// never blocks, keeps Go's scheduler out of it: under load the ordinary call was
// seen to take microseconds, inside a hold that is being measured.
func threadCPU() Duration {
	var ts unix.Timespec
	_, _, errno := syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_THREAD_CPUTIME_ID, uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0
	}
	return Duration(ts.Nano()) * Nanosecond
}
