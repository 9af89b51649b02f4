package validate

import (
	"os"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// Every thread of this process, and every one made meanwhile, runs on one processor
// while it is confined, and where it was before afterwards.
func TestConfine(t *testing.T) {
	procs, before := runtime.GOMAXPROCS(0), processors(t)
	undo, err := confine(1)
	if err != nil {
		t.Fatal(err)
	}
	made := make(chan int)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread is this goroutine's
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			t.Error(err)
		}
		made <- set.Count()
	}()
	if n := <-made; n != 1 {
		t.Errorf("a new thread has %d processors", n)
	}
	for tid, n := range processors(t) {
		if n != 1 {
			t.Errorf("thread %d has %d processors", tid, n)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("GOMAXPROCS is %d", n)
	}
	undo()
	for tid, n := range processors(t) {
		if want, ok := before[tid]; ok && n != want {
			t.Errorf("thread %d has %d processors, had %d", tid, n, want)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != procs {
		t.Errorf("GOMAXPROCS is %d, was %d", n, procs)
	}
}

// processors is how many each thread of this process may run on.
func processors(t *testing.T) map[int]int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	list := map[int]int{}
	for _, e := range entries {
		tid, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		var set unix.CPUSet
		if unix.SchedGetaffinity(tid, &set) == nil { // else it has ended
			list[tid] = set.Count()
		}
	}
	return list
}
