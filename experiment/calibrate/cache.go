package calibrate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results/published/profiles"
	"github.com/walbench/walbench/simtime"
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

// Save writes p to path as a whole or not at all. Folders that path needs are
// made.
func Save(fsys vfs.FS, path string, p *simtime.Profile) error {
	var b bytes.Buffer
	if err := simtime.EncodeProfile(&b, p); err != nil {
		return err
	}
	if err := fsys.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return vfs.WriteFileAtomic(fsys, path, b.Bytes(), 0o644)
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
	return simtime.DecodeProfile(path, data)
}
