//go:build !unix

package vfs

import "os"

func flock(*os.File) error { return nil }
