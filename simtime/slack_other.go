//go:build !linux

package simtime

func fineTimers() (restore func()) { return func() {} }
