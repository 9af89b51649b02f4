package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, commit, Go version and modules",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{} // a build without modules
			}
			_, err := fmt.Fprint(a.stdout, versionText(info))
			return err
		},
	}
}

func versionText(info *debug.BuildInfo) string {
	var b strings.Builder
	version := info.Main.Version
	if version == "" {
		version = "unknown"
	}
	fmt.Fprintf(&b, "walbench  %s\n", version)
	fmt.Fprintf(&b, "commit    %s\n", commitText(info))
	fmt.Fprintf(&b, "go        %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, m := range info.Deps {
		version := m.Version
		if m.Replace != nil {
			version = "replaced"
		}
		fmt.Fprintf(&b, "module    %s %s\n", m.Path, version)
	}
	return b.String()
}

// commitText is the commit that the program was built from, if it was built in a
// repository.
func commitText(info *debug.BuildInfo) string {
	commit, modified := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " with changes"
		}
	}
	return commit + modified
}
