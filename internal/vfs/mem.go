package vfs

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Mem is a file system in memory. Every name is taken from its root, so "a" and
// "/a" are the same file, and ".." is taken away without a look at what is
// before it; permissions are kept and not enforced. An open file stays usable
// after it was removed or renamed, as on Unix. Make one with [NewMem].
type Mem struct {
	mu   sync.RWMutex // guards the tree; a file's bytes have a lock of their own
	root *memNode
}

// NewMem returns an empty file system.
func NewMem() *Mem { return &Mem{root: newMemDir(0o777)} }

// memNode is a folder if children is not nil, else a file.
type memNode struct {
	children map[string]*memNode
	locked   bool
	data     *memData
	mode     fs.FileMode
}

func newMemDir(mode fs.FileMode) *memNode {
	return &memNode{children: map[string]*memNode{}, mode: mode.Perm()}
}

func (n *memNode) dir() bool { return n.children != nil }

func (n *memNode) info(name string) Info {
	if n.dir() {
		return Info{Name: name, Dir: true, Mode: n.mode}
	}
	return Info{Name: name, Size: n.data.length(), Mode: n.mode}
}

// splitName takes a name apart into its folders and the last part, which is
// empty for the root.
func splitName(name string) (dirs []string, base string, err error) {
	if name == "" {
		return nil, "", syscall.ENOENT
	}
	parts := strings.Split(path.Clean("/" + name)[1:], "/")
	return parts[:len(parts)-1], parts[len(parts)-1], nil
}

// child is one step down the tree.
func (n *memNode) child(name string) (*memNode, error) {
	if !n.dir() {
		return nil, syscall.ENOTDIR
	}
	if c := n.children[name]; c != nil {
		return c, nil
	}
	return nil, syscall.ENOENT
}

// parent finds the folder that holds, or would hold, name.
func (m *Mem) parent(name string) (dir *memNode, base string, err error) {
	dirs, base, err := splitName(name)
	if err != nil {
		return nil, "", err
	}
	dir = m.root
	for _, d := range dirs {
		if dir, err = dir.child(d); err != nil {
			return nil, "", err
		}
	}
	if !dir.dir() {
		return nil, "", syscall.ENOTDIR
	}
	return dir, base, nil
}

func (m *Mem) lookup(name string) (*memNode, string, error) {
	dir, base, err := m.parent(name)
	if err != nil {
		return nil, "", err
	}
	if base == "" {
		return m.root, "/", nil
	}
	n, err := dir.child(base)
	return n, base, err
}

// OpenFile implements [FS].
func (m *Mem) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if err := checkFlags(name, flag); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, flag, perm)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	access := flag & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
	return &memFile{
		data: n.data, name: name,
		readable: access != os.O_WRONLY, writable: access != os.O_RDONLY,
	}, nil
}

func (m *Mem) open(name string, flag int, perm fs.FileMode) (*memNode, error) {
	dir, base, err := m.parent(name)
	if err != nil {
		return nil, err
	}
	n := dir.children[base]
	switch {
	case n == nil && base != "" && flag&os.O_CREATE != 0:
		n = &memNode{data: &memData{}, mode: perm.Perm()}
		dir.children[base] = n
	case n == nil && base != "":
		return nil, syscall.ENOENT
	case flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		return nil, syscall.EEXIST
	case base == "" || n.dir():
		return nil, syscall.EISDIR
	case flag&os.O_TRUNC != 0:
		n.data.truncate(0)
	}
	return n, nil
}

// Rename implements [FS].
func (m *Mem) Rename(oldname, newname string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.rename(oldname, newname); err != nil {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: err}
	}
	return nil
}

func (m *Mem) rename(oldname, newname string) error {
	from, oldBase, err := m.parent(oldname)
	if err != nil {
		return err
	}
	to, newBase, err := m.parent(newname)
	if err != nil {
		return err
	}
	if oldBase == "" {
		return syscall.EBUSY
	}
	n, err := from.child(oldBase)
	if err != nil {
		return err
	}
	target := to.children[newBase]
	switch {
	case newBase == "" || target != nil && target.dir():
		return syscall.EEXIST // as os.Rename, which never replaces a folder
	case n.dir() && n.holds(to):
		return syscall.EINVAL
	case n.dir() && target != nil:
		return syscall.ENOTDIR
	}
	delete(from.children, oldBase)
	to.children[newBase] = n
	return nil
}

// holds says whether other is n or lies below it.
func (n *memNode) holds(other *memNode) bool {
	if n == other {
		return true
	}
	for _, c := range n.children {
		if c.holds(other) {
			return true
		}
	}
	return false
}

// Remove implements [FS].
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, base, err := m.lookup(name)
	switch {
	case err != nil:
	case n == m.root:
		err = syscall.EBUSY
	case len(n.children) > 0:
		err = syscall.ENOTEMPTY
	default:
		dir, _, _ := m.parent(name) // found above
		delete(dir.children, base)
		return nil
	}
	return pathError("remove", name, err)
}

// MkdirAll implements [FS].
func (m *Mem) MkdirAll(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dirs, base, err := splitName(name)
	if err != nil {
		return pathError("mkdir", name, err)
	}
	at := m.root
	for _, d := range append(dirs, base) {
		if d == "" {
			break // the root
		}
		next := at.children[d]
		if next == nil {
			next = newMemDir(perm)
			at.children[d] = next
		}
		if !next.dir() {
			return pathError("mkdir", name, syscall.ENOTDIR)
		}
		at = next
	}
	return nil
}

// ReadDir implements [FS].
func (m *Mem) ReadDir(name string) ([]Info, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, _, err := m.lookup(name)
	if err == nil && !n.dir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, pathError("readdir", name, err)
	}
	infos := make([]Info, 0, len(n.children))
	for _, base := range slices.Sorted(maps.Keys(n.children)) {
		infos = append(infos, n.children[base].info(base))
	}
	return infos, nil
}

// Stat implements [FS].
func (m *Mem) Stat(name string) (Info, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, base, err := m.lookup(name)
	if err != nil {
		return Info{}, pathError("stat", name, err)
	}
	return n.info(base), nil
}

// SyncDir implements [FS]. There is nothing to do, but a missing folder is an
// error here too.
func (m *Mem) SyncDir(name string) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, _, err := m.lookup(name)
	if err == nil && !n.dir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return pathError("syncdir", name, err)
	}
	return nil
}
