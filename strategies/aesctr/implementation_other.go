//go:build !amd64 || purego

package aesctr

// lacks is the same for all kernels here: only builds for amd64 have assembly.
func lacks(kind) string { return "a build for amd64 with assembly" }
