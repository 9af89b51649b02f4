package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// confine lets all threads of this process run on the first few of their processors
// only, and Go's scheduler use as many, until undo.
//
// The real clock locks each updater to a thread, and a thread begins with the
// processors of the one that made it; limiting the process means limiting every
// thread that there is, and looking again until none is new.
func confine(cores int) (undo func(), err error) {
	var all, few unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return nil, fmt.Errorf("processors of this process: %w", err)
	}
	for cpu, left := 0, cores; left > 0 && cpu < maxCPU; cpu++ {
		if all.IsSet(cpu) {
			few.Set(cpu)
			left--
		}
	}
	if err := setThreads(&few); err != nil {
		return nil, errors.Join(err, setThreads(&all))
	}
	procs := runtime.GOMAXPROCS(cores)
	return func() {
		runtime.GOMAXPROCS(procs)
		_ = setThreads(&all) // it was allowed before
	}, nil
}

// maxCPU is the size of a set.
const maxCPU = 1024

// setThreads gives every thread of this process a set of processors.
func setThreads(set *unix.CPUSet) error {
	done := map[int]bool{}
	for found := true; found; {
		found = false
		entries, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("threads of this process: %w", err)
		}
		for _, e := range entries {
			tid, err := strconv.Atoi(e.Name())
			if err != nil || done[tid] {
				continue
			}
			found, done[tid] = true, true
			// A thread that has ended meanwhile needs nothing.
			if err := unix.SchedSetaffinity(tid, set); err != nil && !errors.Is(err, unix.ESRCH) && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("processors of thread %d: %w", tid, err)
			}
		}
	}
	return nil
}
