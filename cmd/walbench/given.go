package main

import (
	"maps"
	"slices"

	"github.com/spf13/pflag"
)

// checkGiven refuses flags that were given with nothing as their value; values are by
// the flags' names.
func checkGiven(fl *pflag.FlagSet, values map[string]string) error {
	for _, flag := range slices.Sorted(maps.Keys(values)) {
		if fl.Changed(flag) && values[flag] == "" {
			return usagef("--%s: is empty", flag)
		}
	}
	return nil
}
