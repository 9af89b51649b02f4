package main

import (
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
)

func resolveProfile(fsys vfs.FS, name string) (*simtime.Profile, string, error) {
	data, err := vfs.ReadFile(fsys, name, 1<<20)
	if err != nil {
		return nil, "", err
	}
	p, err := simtime.DecodeProfile(name, data)
	return p, "", err
}
