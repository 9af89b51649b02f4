package hostinfo

import (
	"runtime/debug"
	"slices"
)

// Versions says what the program was built from.
type Versions struct {
	Walbench *string           `json:"walbench"` // version of the main module
	Revision *string           `json:"revision"` // of the version control system
	Modified *bool             `json:"modified"` // there were changes beyond the revision
	GOAMD64  *string           `json:"goamd64"`  // instruction set level of the build
	Modules  map[string]string `json:"modules"`  // path to version
}

// relevantModules are those that can change a figure: they measure, count or
// encrypt.
var relevantModules = []string{
	"github.com/HdrHistogram/hdrhistogram-go",
	"github.com/jackc/pgx/v5",
	"github.com/klauspost/cpuid/v2",
	"golang.org/x/crypto",
	"golang.org/x/perf",
	"golang.org/x/sys",
}

func readBuild() (v Versions, race bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Versions{}, false
	}
	return buildVersions(info)
}

func buildVersions(info *debug.BuildInfo) (v Versions, race bool) {
	v.Walbench = known(info.Main.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = known(s.Value)
		case "vcs.modified":
			b := s.Value == "true"
			v.Modified = &b
		case "GOAMD64":
			v.GOAMD64 = known(s.Value)
		case "-race":
			race = s.Value == "true"
		}
	}
	v.Modules = map[string]string{}
	for _, m := range info.Deps {
		if slices.Contains(relevantModules, m.Path) {
			v.Modules[m.Path] = moduleVersion(m)
		}
	}
	return v, race
}

// moduleVersion names a replaced module as such: its own version says nothing.
func moduleVersion(m *debug.Module) string {
	if m.Replace == nil {
		return m.Version
	}
	if m.Replace.Version == "" {
		return "replaced" // by a folder, whose name is nobody's business
	}
	return m.Replace.Path + "@" + m.Replace.Version
}
