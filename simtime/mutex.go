package simtime

import "sync"

// Mutex is a lock that processes take through [Proc.Lock]. One made with
// [NewMutex] works on every clock.
type Mutex struct {
	class LockClass

	// The real clock's side. owner and since belong to whoever holds mu.
	mu    sync.Mutex
	owner *realProc
	since Time

	virtual virtualMutex
}

// NewMutex returns an unlocked mutex whose waits and holds are counted under
// class.
func NewMutex(class LockClass) *Mutex { return &Mutex{class: class} }

// Cond is a condition variable of one mutex, used through [Proc.Wait].
type Cond struct {
	m       *Mutex
	c       sync.Cond
	virtual fifo[*virtualProc]
}

// NewCond returns a condition variable of m.
func NewCond(m *Mutex) *Cond { return &Cond{m: m, c: sync.Cond{L: &m.mu}} }
