//go:build unix

package ciphers

import (
	"os/exec"
	"syscall"
)

// detach keeps Ctrl-C from the rival: the program that has started it ends it.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
