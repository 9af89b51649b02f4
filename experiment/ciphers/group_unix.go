//go:build unix

package ciphers

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program a process group of its own: signals from the keyboard
// and from whoever ends this program's group do not reach it, and the end of its
// context takes what it has started along.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if cmd.Cancel != nil { // only commands with a context have it
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	}
}
