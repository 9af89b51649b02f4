package vfs

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// fdatasync makes f's bytes and length durable, but not its times, which saves
// a journal commit where only bytes were overwritten: PostgreSQL's default
// wal_sync_method on Linux.
func fdatasync(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return pathError("fdatasync", f.Name(), err)
	}
	var syncErr error
	err = conn.Control(func(fd uintptr) {
		for {
			if syncErr = unix.Fdatasync(int(fd)); !errors.Is(syncErr, unix.EINTR) {
				return
			}
		}
	})
	if err != nil { // Control fails only on a closed file, with an error of its own
		return pathError("fdatasync", f.Name(), fs.ErrClosed)
	}
	if syncErr != nil {
		return pathError("fdatasync", f.Name(), syncErr)
	}
	return nil
}
