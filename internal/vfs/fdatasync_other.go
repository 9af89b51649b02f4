//go:build !linux

package vfs

import "os"

// fdatasync falls back to a full sync where there is no fdatasync.
func fdatasync(f *os.File) error { return f.Sync() }
