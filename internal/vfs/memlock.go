package vfs

import (
	"fmt"
	"io"
	"syscall"
)

// Lock implements [FS]: the folder's node remembers who has it.
func (m *Mem) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, _, err := m.lookup(name)
	if err == nil && !n.dir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, pathError("lock", name, err)
	}
	if n.locked {
		return nil, fmt.Errorf("%s: %w", name, ErrLocked)
	}
	n.locked = true
	return &memLock{mem: m, node: n}, nil
}

type memLock struct {
	mem  *Mem
	node *memNode
}

func (l *memLock) Close() error {
	l.mem.mu.Lock()
	defer l.mem.mu.Unlock()
	l.node.locked = false
	return nil
}
