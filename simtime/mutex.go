package simtime

import (
	"math"
	"sync"
)

// Free is the progress of a mutex that nobody owns.
const Free = math.MaxInt64

// Mutex is a lock that processes take through [Proc.Lock]. One made with
// [NewMutex] works on every clock.
type Mutex struct {
	class LockClass

	// The real clock's side. owner and since belong to whoever holds mu.
	mu    sync.Mutex
	owner *realProc
	since Time
	watch *watch // nil: only its owner can say anything of it

	watched bool // made with NewWatched
	spins   bool // made with NewSpinlock
	virtual virtualMutex
}

// NewMutex returns an unlocked mutex whose waits and holds are counted under
// class.
func NewMutex(class LockClass) *Mutex { return &Mutex{class: class} }

// NewWatched returns a mutex whose owner others can watch: through
// [Proc.LockOrWait] and [Proc.AwaitProgress].
func NewWatched(class LockClass) *Mutex {
	return &Mutex{class: class, watched: true, watch: newWatch()}
}

// NewSpinlock returns a mutex for a few instructions: whoever waits for it keeps
// its core, and whoever owns it must not block.
func NewSpinlock(class LockClass) *Mutex { return &Mutex{class: class, spins: true} }

// Cond is a condition variable of one mutex, used through [Proc.Wait].
type Cond struct {
	m       *Mutex
	c       sync.Cond
	virtual fifo[*virtualProc]
}

// NewCond returns a condition variable of m.
func NewCond(m *Mutex) *Cond { return &Cond{m: m, c: sync.Cond{L: &m.mu}} }
