//go:build !linux

package simtime

// threadCPU is not known here.
func threadCPU() Duration { return 0 }
