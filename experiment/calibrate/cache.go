package calibrate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/ciphers"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results/published/profiles"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// maxProfileBytes is more than any profile has.
const maxProfileBytes = 1 << 20

// CachePath is where the profile calibrated on this kind of processor is kept, in
// the user's cache folder. The error says that there is no such folder.
func CachePath() (string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	h := hostinfo.Read()
	return filepath.Join(folder, "walbench", "profile-"+cpuKey(&h)+".json"), nil
}

// Keep writes p to path as a whole or not at all. Folders that path needs are
// made. A profile of few rounds does not replace one of all rounds: then kept is
// false.
func Keep(fsys vfs.FS, path string, p *simtime.Profile) (kept bool, err error) {
	if before, err := load(fsys, path); hurried(p) && err == nil && !hurried(before) {
		return false, nil
	}
	var b bytes.Buffer
	if err := simtime.EncodeProfile(&b, p); err != nil {
		return false, err
	}
	if err := fsys.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	err = vfs.WriteFileAtomic(fsys, path, b.Bytes(), 0o644)
	return err == nil, err
}

// Resolve finds the profile that a run takes. flag is what the user typed: the
// name of a profile that comes with the program, or a file's; an error is then an
// [experiment.UsageError]. If flag is empty it is the one calibrated on this kind
// of processor, or the reference profile, and note says which, for the warnings
// of the result.
func Resolve(fsys vfs.FS, flag string) (p *simtime.Profile, note string, err error) {
	if flag == "" {
		p, note = resolveDefault(fsys)
		return p, note, nil
	}
	if slices.Contains(profiles.Names(), flag) {
		p, err = profiles.Lookup(flag)
		return p, "", err
	}
	p, err = load(fsys, flag)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w, and no profile of that name comes with the program (%s)", err, strings.Join(profiles.Names(), ", "))
	}
	if err != nil {
		return nil, "", &experiment.UsageError{Err: fmt.Errorf("--profile: %w", err)}
	}
	return p, "", nil
}

// resolveDefault never fails: a kept profile that cannot be used, such as one of
// an older version, must not stop every run.
func resolveDefault(fsys vfs.FS) (p *simtime.Profile, note string) {
	path, err := CachePath()
	if err == nil {
		p, err = load(fsys, path)
	}
	switch {
	case err == nil:
		return p, fmt.Sprintf("costs are those calibrated on this kind of processor on %s (profile %s)", p.Date, p.Name)
	case errors.Is(err, simtime.ErrProfile):
		note = fmt.Sprintf("the kept profile is of no use (%s); ", err)
	}
	p = profiles.Reference()
	return p, note + fmt.Sprintf("not calibrated on this machine: costs are those of profile %s (%s); walbench calibrate measures its own", p.Name, p.Machine)
}

func load(fsys vfs.FS, path string) (*simtime.Profile, error) {
	data, err := vfs.ReadFile(fsys, path, maxProfileBytes)
	if err != nil {
		return nil, err
	}
	p, err := simtime.DecodeProfile(path, data)
	if err != nil {
		return nil, err
	}
	if err := checkNames(p); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, simtime.ErrProfile, err)
	}
	return p, nil
}

// checkNames says whether p's suites and implementation are known here, so that
// nothing in a profile is there for nothing. A suite may be one of the command
// ciphers alone: that a profile has it is no mistake.
func checkNames(p *simtime.Profile) error {
	for _, name := range slices.Sorted(maps.Keys(p.Suites)) {
		_, err := strategies.LookupModelled(name)
		if err != nil && !slices.Contains(ciphers.Suites(), name) {
			return fmt.Errorf("suites: nothing uses %s", name)
		}
	}
	var known []string
	for _, i := range aesctr.Implementations() {
		known = append(known, i.Name)
	}
	if !slices.Contains(known, p.Implementation) {
		return fmt.Errorf("implementation: %q, want one of %s", p.Implementation, strings.Join(known, ", "))
	}
	return nil
}
