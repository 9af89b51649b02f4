package vfs

import (
	"io"
	"io/fs"
	"strings"
	"sync"
	"syscall"
)

// Op is a kind of file-system operation, as [Rule], [Fault.Count] and
// [Fault.Observe] name it.
type Op uint8

// The operations. OpAny matches every one in a rule and counts all of them;
// OpShortWrite is a rule's name for a write of which the first half succeeds.
// A file's Size counts as OpStat.
const (
	OpAny Op = iota
	OpOpen
	OpRead
	OpWrite
	OpShortWrite
	OpSync
	OpTruncate
	OpClose
	OpRename
	OpRemove
	OpMkdir
	OpReadDir
	OpStat
	OpSyncDir
	numOps
)

var opNames = [numOps]string{
	"any", "open", "read", "write", "short write", "sync", "truncate", "close",
	"rename", "remove", "mkdir", "readdir", "stat", "syncdir",
}

// String is the operation's name in lower case.
func (o Op) String() string { return opNames[o] }

// Rule says which operations fail, and how.
type Rule struct {
	Op     Op
	Path   string // substring of the name; empty matches every name
	Nth    int    // the match that fails, counted from 1; 0 means 1
	Sticky bool   // fail from the Nth match on, not only there
	Err    error  // what to fail with; nil means EIO
}

// armed is a rule and how many operations have matched it.
type armed struct {
	Rule
	seen int
}

// Fault passes operations on to another file system, counts them, and lets some
// fail as its rules say. A failing operation does nothing to the file system
// below, except that a short write writes half its bytes. Errors are
// *fs.PathError around the rule's error. Make one with [NewFault].
type Fault struct {
	inner FS

	mu      sync.Mutex
	rules   []*armed
	counts  [numOps]int64
	observe func(op Op, name string)
}

// NewFault wraps inner. Without rules it only counts.
func NewFault(inner FS, rules ...Rule) *Fault {
	f := &Fault{inner: inner}
	f.SetRules(rules...)
	return f
}

// SetRules replaces all rules; matches are counted from zero again.
func (f *Fault) SetRules(rules ...Rule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules = nil
	for _, r := range rules {
		f.rules = append(f.rules, &armed{Rule: r})
	}
}

// Count is how many operations of one kind were asked for, failed ones
// included.
func (f *Fault) Count(op Op) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[op]
}

// Observe has before called with every operation just before it happens or
// fails; a rename is reported under its new name. The function may use the file
// system below, but not f itself. A nil function ends it.
func (f *Fault) Observe(before func(op Op, name string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.observe = before
}

// enter counts and reports an operation on names and returns the rule that
// makes it fail, if there is one.
func (f *Fault) enter(op Op, names ...string) *Rule {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[op]++
	f.counts[OpAny]++
	if f.observe != nil {
		f.observe(op, names[len(names)-1])
	}
	var hit *Rule
	for _, r := range f.rules {
		if r.matches(op, names) && hit == nil {
			hit = &r.Rule
		}
	}
	return hit
}

// matches counts the operation against the rule and says whether it fails.
func (r *armed) matches(op Op, names []string) bool {
	kind := r.Op == OpAny || r.Op == op || r.Op == OpShortWrite && op == OpWrite
	if !kind || !r.names(names) {
		return false
	}
	r.seen++
	nth := max(r.Nth, 1)
	return r.seen == nth || r.Sticky && r.seen > nth
}

func (r *armed) names(names []string) bool {
	for _, n := range names {
		if strings.Contains(n, r.Path) {
			return true
		}
	}
	return false
}

func (r *Rule) error(op Op, name string) error {
	err := r.Err
	if err == nil {
		err = syscall.EIO
	}
	return pathError(op.String(), name, err)
}

// fail is enter for operations that fail as a whole.
func (f *Fault) fail(op Op, names ...string) error {
	if r := f.enter(op, names...); r != nil {
		return r.error(op, names[len(names)-1])
	}
	return nil
}

// OpenFile implements [FS].
func (f *Fault) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if err := f.fail(OpOpen, name); err != nil {
		return nil, err
	}
	file, err := f.inner.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultFile{fs: f, inner: file}, nil
}

// Rename implements [FS]. A rule's path is looked for in both names.
func (f *Fault) Rename(oldname, newname string) error {
	if err := f.fail(OpRename, oldname, newname); err != nil {
		return err
	}
	return f.inner.Rename(oldname, newname)
}

// Remove implements [FS].
func (f *Fault) Remove(name string) error {
	if err := f.fail(OpRemove, name); err != nil {
		return err
	}
	return f.inner.Remove(name)
}

// MkdirAll implements [FS].
func (f *Fault) MkdirAll(name string, perm fs.FileMode) error {
	if err := f.fail(OpMkdir, name); err != nil {
		return err
	}
	return f.inner.MkdirAll(name, perm)
}

// ReadDir implements [FS].
func (f *Fault) ReadDir(name string) ([]Info, error) {
	if err := f.fail(OpReadDir, name); err != nil {
		return nil, err
	}
	return f.inner.ReadDir(name)
}

// Stat implements [FS].
func (f *Fault) Stat(name string) (Info, error) {
	if err := f.fail(OpStat, name); err != nil {
		return Info{}, err
	}
	return f.inner.Stat(name)
}

// Lock passes the lock on; no rule makes it fail.
func (f *Fault) Lock(name string) (io.Closer, error) { return f.inner.Lock(name) }

// SyncDir implements [FS].
func (f *Fault) SyncDir(name string) error {
	if err := f.fail(OpSyncDir, name); err != nil {
		return err
	}
	return f.inner.SyncDir(name)
}
