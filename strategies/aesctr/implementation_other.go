//go:build !amd64 || purego

package aesctr

// kernels are none here: only amd64 has assembly.
func kernels() []*Implementation { return nil }
