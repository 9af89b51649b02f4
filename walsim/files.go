package walsim

import (
	"strings"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// IsLogFile says whether a log folder may hold a file of this name: segments
// (also one being made), control file, key file, and the master key of a run
// that drew its own.
func IsLogFile(name string) bool {
	switch name = strings.TrimSuffix(name, ".tmp"); name {
	case ControlName, strategies.KeyFileName, strategies.MasterKeyName:
		return true
	}
	return pgformat.IsSegmentName(name)
}
