package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
)

// deviceSpec is a parsed --device.
type deviceSpec struct {
	kind   string // null, memory, model, file, or profile on a virtual clock
	dir    string // of a file device
	device simtime.Device
}

// String is the specification in full.
func (d deviceSpec) String() string {
	switch {
	case d.kind == "model":
		text := fmt.Sprintf("model:%s,%gGB/s", durationText(d.device.Latency), float64(d.device.BytesPerSecond)/1e9)
		if d.device.Varies {
			text += varying
		}
		return text
	case d.kind == "file":
		return "file:" + d.dir
	}
	return d.kind
}

// durationText is a duration as it is typed, with u for micro.
func durationText(d simtime.Duration) string {
	return strings.Replace(time.Duration(d.Nanoseconds()).String(), "µ", "u", 1)
}

// ProfileDevice is the device of the machine that a profile is of.
const ProfileDevice = "profile"

// defaultModel is a fast NVMe drive's write and flush.
const defaultModel = "10us,4GB/s"

// varying stands at the end of a model whose syncs do not all take the same time.
const varying = ",varying"

func parseDevice(spec string) (deviceSpec, error) {
	switch kind, arg, _ := strings.Cut(spec, ":"); {
	case spec == "null" || spec == "memory":
		return deviceSpec{kind: spec}, nil
	case kind == "file" && arg != "":
		return deviceSpec{kind: kind, dir: arg, device: simtime.Device{Kind: simtime.DiskDevice}}, nil
	case spec == ProfileDevice:
		return deviceSpec{kind: spec, device: simtime.Device{Kind: simtime.DiskDevice}}, nil
	case spec == "model":
		return parseModel(defaultModel)
	case kind == "model":
		return parseModel(arg)
	}
	return deviceSpec{}, usagef("--device %q: want null, memory, model:LATENCY,BANDWIDTH[,varying], file:DIR, or profile with --virtual-cores", spec)
}

// maxModelLatency keeps a typing mistake from lasting for hours.
const maxModelLatency = time.Minute

// parseModel reads LATENCY,BANDWIDTH: a Go duration and bytes a second with a
// decimal unit, such as 10us,4GB/s.
func parseModel(arg string) (deviceSpec, error) {
	whole := arg
	arg, varies := strings.CutSuffix(arg, varying)
	lat, bw, _ := strings.Cut(arg, ",")
	latency, err := time.ParseDuration(lat)
	if err != nil || latency < 0 || latency > maxModelLatency {
		return deviceSpec{}, usagef("--device model:%s: latency %q: want 0s to %v, such as 10us", whole, lat, maxModelLatency)
	}
	rate, err := parseRate(bw)
	if err != nil {
		return deviceSpec{}, usagef("--device model:%s: bandwidth %q: want 1MB/s to 1000GB/s, such as 4GB/s", whole, bw)
	}
	return deviceSpec{kind: "model", device: simtime.Device{
		Kind:    simtime.ModelDevice,
		Latency: clockDuration(latency), BytesPerSecond: rate, Varies: varies,
	}}, nil
}

var errRate = errors.New("not a bandwidth")

func parseRate(s string) (bytesPerSecond int64, err error) {
	for unit, factor := range map[string]float64{"MB/s": 1e6, "GB/s": 1e9} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			v, err := strconv.ParseFloat(number, 64)
			if rate := v * factor; err == nil && rate >= 1e6 && rate <= 1e12 {
				return int64(rate), nil
			}
		}
	}
	return 0, errRate
}

// target is where one repetition of one pair writes its log.
type target struct {
	fsys    vfs.FS
	dir     string
	discard bool
	device  simtime.Device
}

// target returns a fresh place in the folder called name. A file device keeps
// the last repetition only: what an earlier one left there is removed.
func (d deviceSpec) target(fsys vfs.FS, name string) (target, error) {
	if d.kind != "file" {
		return d.inMemory(), nil
	}
	t := target{fsys: fsys, dir: filepath.Join(d.dir, name), device: d.device}
	return t, removeLog(fsys, t.dir)
}

// inMemory is a target of the device's speed that leaves no trace.
func (d deviceSpec) inMemory() target {
	return target{fsys: vfs.NewMem(), dir: "log", discard: d.kind == "null", device: d.device}
}

// pilotFolder is where the pilot's logs go; nothing of it stays.
const pilotFolder = "pilot"

// removePilot removes what the pilot left on a file device.
func (d deviceSpec) removePilot(fsys vfs.FS) error {
	if d.kind != "file" {
		return nil
	}
	dir := filepath.Join(d.dir, pilotFolder)
	if err := removeLog(fsys, dir); err != nil {
		return err
	}
	if err := fsys.Remove(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// checkFile refuses a file device whose folders hold anything that is not a
// log, before the run begins.
func (d deviceSpec) checkFile(fsys vfs.FS, list []Pair) error {
	if d.kind != "file" {
		return nil
	}
	info, err := fsys.Stat(d.dir)
	if err == nil && !info.Dir {
		return usagef("--device file:%s: is a file, not a folder", d.dir)
	}
	names := []string{pilotFolder}
	for _, p := range list {
		names = append(names, p.Folder())
	}
	for _, name := range names {
		if _, err := logFiles(fsys, filepath.Join(d.dir, name)); err != nil {
			return &UsageError{err}
		}
	}
	return fsys.MkdirAll(d.dir, 0o755)
}

// lock keeps other runs away from a file device while this one uses it.
func (d deviceSpec) lock(fsys vfs.FS) (release func() error, err error) {
	if d.kind != "file" {
		return func() error { return nil }, nil
	}
	l, err := fsys.Lock(d.dir)
	if err != nil {
		return nil, fmt.Errorf("--device file: %w", err)
	}
	return l.Close, nil
}

var errForeign = errors.New("not written by walbench, and not removed: choose another folder")

// logFiles lists the files of a log folder. Anything else in it is an error, and
// so are files with the names of a log's if neither control nor key file proves
// that walbench wrote them: PostgreSQL's segments have the same names.
func logFiles(fsys vfs.FS, dir string) ([]string, error) {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Dir || !walsim.IsLogFile(e.Name) {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, e.Name), errForeign)
		}
		names = append(names, filepath.Join(dir, e.Name))
	}
	if len(names) > 0 && !ours(fsys, dir) {
		return nil, fmt.Errorf("%s: neither control nor key file of ours in it: %w", dir, errForeign)
	}
	return names, nil
}

// ours says whether the folder has a control or key file that walbench wrote.
func ours(fsys vfs.FS, dir string) bool {
	if _, err := walsim.LoadControl(fsys, dir); err == nil {
		return true
	}
	ring, err := strategies.OpenKeyring(fsys, dir, nil)
	return err == nil && len(ring.Ranges()) > 0
}

func removeLog(fsys vfs.FS, dir string) error {
	names, err := logFiles(fsys, dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := fsys.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// masterKey is the key of one log: the user's, or one that is drawn and, on a
// file device, left in the log's folder.
func (t target) masterKey(p Pair, given *strategies.MasterKey) (*strategies.MasterKey, error) {
	if given != nil || p.Suite == nil {
		return given, nil
	}
	k := strategies.NewMasterKey()
	if _, inMemory := t.fsys.(*vfs.Mem); inMemory {
		return k, nil
	}
	if err := t.fsys.MkdirAll(t.dir, 0o755); err != nil {
		return nil, err
	}
	return k, strategies.WriteMasterKey(t.fsys, t.dir, k)
}
