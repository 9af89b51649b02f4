//go:build !amd64 || purego

package simtime

func readTicks() uint64    { return 0 }
func ticksInvariant() bool { return false }
