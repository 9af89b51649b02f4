package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// recoverInput is a log that is known to be readable: its files are there, and
// its keys are open.
type recoverInput struct {
	options walsim.ReaderOptions
	name    string // as the user named it
	segment pgformat.SegmentSize
	major   int // PostgreSQL major version of its format
	keys    int // in its key file
}

// openInput finds the log that cfg names and opens its keys.
func openInput(cfg *RecoverConfig) (*recoverInput, error) {
	in := &recoverInput{
		name:    strings.Join(cfg.Inputs, " "),
		options: walsim.ReaderOptions{FS: cfg.FS},
	}
	folder, err := in.locate(cfg)
	if err != nil {
		return nil, err
	}
	master, err := namedMasterKey(cfg)
	if err != nil {
		return nil, err
	}
	if err := in.openKeys(cfg.FS, folder, master); err != nil {
		return nil, err
	}
	return in, in.probe()
}

// locate tells a folder from files, and returns the folder where the keys are:
// "" if files of several folders are named.
func (in *recoverInput) locate(cfg *RecoverConfig) (folder string, err error) {
	for i, name := range cfg.Inputs {
		info, err := cfg.FS.Stat(name)
		switch {
		case err != nil:
			return "", notFound(name, err)
		case info.Dir && len(cfg.Inputs) > 1:
			return "", usagef("%s: is a folder: name one folder, or segment files", name)
		case info.Dir:
			in.options.Dir = name
			return name, hintFolders(cfg.FS, name)
		}
		if dir := filepath.Dir(name); i == 0 {
			folder = dir
		} else if folder != dir {
			folder = ""
		}
	}
	in.options.Files = cfg.Inputs
	return folder, nil
}

// notFound says what is wrong with an input without naming a system call.
func notFound(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// hintFolders helps the user who named the folder of a file device, below which
// each strategy has a folder of its own.
func hintFolders(fsys vfs.FS, dir string) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	var logs []string
	for _, e := range entries {
		if !e.Dir {
			return nil
		}
		if ok, _ := vfs.Exists(fsys, filepath.Join(dir, e.Name, walsim.ControlName)); ok {
			logs = append(logs, e.Name)
		}
	}
	if len(logs) == 0 {
		return nil
	}
	return usagef("%s: holds one log per strategy: name one of its folders (%s)", dir, strings.Join(logs, ", "))
}

// namedMasterKey reads the key file that the user named, needed or not.
func namedMasterKey(cfg *RecoverConfig) (*strategies.MasterKey, error) {
	if cfg.MasterKey == "" {
		return nil, nil
	}
	key, err := strategies.ReadMasterKey(cfg.FS, cfg.MasterKey)
	if err != nil {
		return nil, usagef("--master-key-file: %w", err)
	}
	return key, nil
}

// openKeys makes the decoder that the log's key file asks for.
func (in *recoverInput) openKeys(fsys vfs.FS, folder string, master *strategies.MasterKey) error {
	if folder == "" {
		return nil
	}
	ring, err := strategies.OpenKeyring(fsys, folder, nil)
	if err != nil || len(ring.Ranges()) == 0 {
		return errors.Join(err, keyFileLost(fsys, folder))
	}
	if ring.NeedsMaster() && master == nil {
		if master, err = folderMasterKey(fsys, folder); err != nil {
			return err
		}
	}
	if ring, err = strategies.OpenKeyring(fsys, folder, master); err != nil {
		return err
	}
	if in.segment, err = in.segmentSize(folder); err != nil {
		return err
	}
	in.keys = ring.KeysUsed()
	in.options.Decoder, err = ring.Decoder(in.segment)
	return err
}

// keyFileLost is an error for a log of ours without key file: it may be
// encrypted, and then reads as noise. A folder of PostgreSQL has neither.
func keyFileLost(fsys vfs.FS, folder string) error {
	ours, err := vfs.Exists(fsys, filepath.Join(folder, walsim.ControlName))
	if err != nil || !ours {
		return err
	}
	return fmt.Errorf("%s: a log with a control file needs its key file: restore it", filepath.Join(folder, strategies.KeyFileName))
}

// folderMasterKey reads the key that a run without --master-key-file leaves.
func folderMasterKey(fsys vfs.FS, folder string) (*strategies.MasterKey, error) {
	name := filepath.Join(folder, strategies.MasterKeyName)
	key, err := strategies.ReadMasterKey(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("%s: the log is encrypted, and there is no %s in its folder: name the key with --master-key-file",
			folder, strategies.MasterKeyName)
	}
	return key, err
}

// segmentSize is what the control file says, or the first page header: the
// decoder needs it before the log can be read.
func (in *recoverInput) segmentSize(folder string) (pgformat.SegmentSize, error) {
	c, err := walsim.LoadControl(in.options.FS, folder)
	if err == nil {
		return c.SegSize, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	r, err := walsim.OpenReader(in.options)
	if err != nil {
		return 0, err
	}
	return r.SegmentSize(), r.Close()
}

// probe opens the log once and reads its first record, so that input which is no
// log is refused before anything is printed or written.
func (in *recoverInput) probe() error {
	r, err := walsim.OpenReader(in.options)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	_, _, _, err = r.Next()
	in.segment, in.major = r.SegmentSize(), r.Major()
	return errors.Join(err, r.Close())
}

// unusableInput are the errors of input that is missing or is not what it should
// be: the user's mistake. Everything else is a failing machine.
var unusableInput = []error{
	fs.ErrNotExist, fs.ErrPermission, vfs.ErrNotRegular, vfs.ErrTooLarge, syscall.EISDIR, loadgen.ErrInput,
	walsim.ErrNoSegments, walsim.ErrNoHeader, walsim.ErrTwoLogs, walsim.ErrUnknownFormat, walsim.ErrControl,
	pgformat.ErrSegmentName, pgformat.ErrSegmentSize,
	strategies.ErrKeyFile, strategies.ErrMasterKey, strategies.ErrMasterKeyFormat, strategies.ErrMasterKeyMode,
}

// asUsage marks err as the user's mistake if it is one.
func asUsage(err error) error {
	var usage *UsageError
	var unknown *strategies.UnknownError
	if errors.As(err, &usage) {
		return err
	}
	if errors.As(err, &unknown) {
		return &UsageError{err}
	}
	for _, known := range unusableInput {
		if errors.Is(err, known) {
			return &UsageError{err}
		}
	}
	return err
}
