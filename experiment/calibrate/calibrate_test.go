package calibrate

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim/pgformat"
)

// A whole calibration of few rounds: every number and suite is there, measured
// but for what the runtime decides, and the device is as it was.
func TestExecute(t *testing.T) {
	fsys := vfs.NewMem()
	if err := fsys.MkdirAll("disk", 0o755); err != nil {
		t.Fatal(err)
	}
	r := newRun(t, Config{FS: fsys, Device: "file:disk", Quick: true})
	r.rounds = 3
	p, err := r.Execute(make(chan struct{}), func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	if p.Costs().LockPs <= 0 {
		t.Error("the profile has numbers and no costs")
	}
	for _, name := range p.Inputs() {
		n, _ := p.Input(name)
		if name == "memory_byte_fs" || name == "lock_line_transfer_ps" {
			continue // TestShared
		}
		if want := name != "quantum_ps" && name != "starvation_ps"; want != (n.Source == simtime.Measured) {
			t.Errorf("%s is %s", name, n.Source)
		}
	}
	// What is a difference of two readings can be nothing on a busy machine.
	for _, name := range []string{"lock_ps", "wake_ps", "wake_call_ps", "switch_ps", "reserve_ps", "page_ps", "segment_byte_fs", "wait_keep_ps"} {
		if p.Numbers[name].Value <= 0 {
			t.Errorf("%s is %d", name, p.Numbers[name].Value)
		}
	}
	for _, s := range strategies.Suites() {
		if _, ok := p.Suite(s.Name); !ok {
			t.Errorf("suite %s is missing", s.Name)
		}
	}
	if !slicesContain(p.Warnings, "in a hurry: 3 rounds") || p.Host == nil || p.Date == "" {
		t.Errorf("warnings %q, host %v, date %q", p.Warnings, p.Host, p.Date)
	}
	isEmpty(t, fsys, "disk")
}

func slicesContain(list []string, part string) bool {
	return strings.Contains(strings.Join(list, "\n"), part)
}

func newRun(t *testing.T, cfg Config) *Run {
	t.Helper()
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func isEmpty(t *testing.T, fsys vfs.FS, folder string) {
	t.Helper()
	entries, err := fsys.ReadDir(folder)
	if err != nil || len(entries) > 0 {
		t.Errorf("%s: %v is left, %v", folder, entries, err)
	}
}

// Without a device its numbers are the reference's, and say so.
func TestWithoutDevice(t *testing.T) {
	r := newRun(t, Config{FS: vfs.NewMem(), Name: "mine"})
	r.rounds = 1
	p, err := r.Execute(make(chan struct{}), func(Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	n := p.Numbers["device_sync_ps"]
	if n.Source != simtime.Assumed || !strings.Contains(n.From, "profile reference") || p.Name != "mine" {
		t.Errorf("%s: device_sync_ps is %s, %s", p.Name, n.Source, n.From)
	}
}

// What cores get of the memory together is measured where they use it up, and
// assumed where they do not; with one core nothing is known of others.
func TestShared(t *testing.T) {
	for name, c := range map[string]struct {
		cores        int
		one, all     int64
		memory, line simtime.Origin
		value        int64
		from, and    string
	}{
		"used up":     {4, 1_000_000, 2_000_000, simtime.Measured, simtime.Measured, 2_000_000 * 1000 / (4 * 2 * largeBytes), "4 cores that copy at once", "best of 9 rounds"},
		"not used up": {4, 1_000_000, 1_100_000, simtime.Assumed, simtime.Measured, 0, "does not use the memory up: that of profile reference", "4 cores"},
		"alone":       {1, 0, 0, simtime.Assumed, simtime.Assumed, 0, "one core alone cannot tell: that of profile reference", ""},
	} {
		n := &numbers{rounds: 9, list: map[string]simtime.Number{}, bench: &bench{named: map[string]*probe{
			"memory one": {samples: []int64{c.one}}, "memory all": {samples: []int64{c.all}}, "line": {samples: []int64{70_000, 50_000, 60_000}},
		}}}
		n.addShared(c.cores)
		m, l := n.list["memory_byte_fs"], n.list["lock_line_transfer_ps"]
		if m.Source != c.memory || l.Source != c.line || !strings.Contains(m.From, c.from) || !strings.Contains(m.From, c.and) {
			t.Errorf("%s: memory %s, %s; line %s", name, m.Source, m.From, l.Source)
		}
		if c.value != 0 && m.Value != c.value || l.Source == simtime.Measured && l.Value != 50_000 {
			t.Errorf("%s: memory %d, line %d", name, m.Value, l.Value)
		}
	}
}

// Both are timed on cores of their own, if there are any.
func TestTogether(t *testing.T) {
	simtime.NewReal().Run("test", func(p simtime.Proc) {
		b := newBench(p)
		parts := []stream{newStream(3 * pgformat.PageSize), newStream(1)}
		if took := b.together(parts, 5); took <= 0 || parts[0].at != 2*pgformat.PageSize || parts[1].at != 0 {
			t.Errorf("took %d ps, the next copies go to %d and %d", took, parts[0].at, parts[1].at)
		}
		if took := b.hops(5); took <= 0 {
			t.Errorf("hops took %d ps", took)
		}
	})
}

// A run that is stopped, or whose device fails, leaves nothing behind.
func TestStopped(t *testing.T) {
	fsys := vfs.NewMem()
	if err := fsys.MkdirAll("disk", 0o755); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	r := newRun(t, Config{FS: fsys, Device: "file:disk"})
	rounds := 0
	p, err := r.Execute(stop, func(Progress) {
		if rounds++; rounds == 2 {
			close(stop)
		}
	})
	if !errors.Is(err, experiment.ErrInterrupted) || p != nil || rounds != 2 {
		t.Errorf("profile %v, error %v after %d rounds", p, err, rounds)
	}
	isEmpty(t, fsys, "disk")

	broken := errors.New("broken")
	r = newRun(t, Config{FS: vfs.NewFault(fsys, vfs.Rule{Op: vfs.OpSync, Nth: 20, Err: broken}), Device: "file:disk"})
	if p, err := r.Execute(make(chan struct{}), func(Progress) {}); !errors.Is(err, broken) || p != nil {
		t.Errorf("profile %v, error %v; want the device's", p, err)
	}
	isEmpty(t, fsys, "disk")
}

func TestConfig(t *testing.T) {
	fsys := vfs.NewMem()
	if err := vfs.WriteFileAtomic(fsys, "file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		cfg  Config
		want string
	}{
		"capitals":  {Config{Name: "Mine"}, `--name "Mine": not a name`},
		"path":      {Config{Name: "../mine"}, "not a name"},
		"memory":    {Config{Device: "memory"}, "want file:DIR"},
		"no folder": {Config{Device: "file:"}, "want file:DIR"},
		"missing":   {Config{Device: "file:nope"}, "--device file:nope: "},
		"a file":    {Config{Device: "file:file"}, "file is no folder"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.cfg.FS = fsys
			_, err := New(tc.cfg)
			var usage *experiment.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want a usage error with %q", err, tc.want)
			}
		})
	}
}

// A line comes out again of what it takes at two sizes, up to rounding.
func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := line{rapid.Int64Range(0, 1e9).Draw(t, "call"), rapid.Int64Range(0, 1e6).Draw(t, "byte")}
		small := rapid.IntRange(1, 1000).Draw(t, "small")
		large := small + rapid.IntRange(1000, 1e6).Draw(t, "more")
		at := func(n int) int64 { return want.callPs + int64(n)*want.byteFs/fsPerPs }
		got := fit(at(small), at(large), small, large)
		if d := got.byteFs - want.byteFs; d < -1 || d > 1 {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if d := got.callPs - want.callPs; d < -2 || d > 2 {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
	for name, tc := range map[string]struct {
		small, large int64
		want         line
	}{
		"larger is faster":      {5000, 4000, line{5000, 0}},
		"nothing for the call":  {100, 10_000_000, line{0, 1099978}},
		"nothing for anything":  {0, 0, line{0, 0}},
		"bytes that cost alike": {7000, 7000, line{7000, 0}},
	} {
		if got := fit(tc.small, tc.large, 10, 9101); got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}

func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		record, transaction := rapid.Int64Range(0, 1e7).Draw(t, "record"), rapid.Int64Range(0, 1e9).Draw(t, "transaction")
		worst := share{centirecords: rapid.Int64Range(200, 100_000).Draw(t, "records")}
		small := share{centirecords: 100, restPs: record + transaction}
		worst.restPs = record*worst.centirecords/100 + transaction
		r, x := split(small, worst)
		if r > record || record-r > 1 || x < transaction || x-transaction > 1 {
			t.Fatalf("%d, %d; want %d, %d", r, x, record, transaction)
		}
	})
	// A small transaction that takes less than a record of the other's: it has
	// nothing of its own.
	if r, x := split(share{100, 50}, share{20_000, 20_000}); r != 100 || x != 0 {
		t.Errorf("%d, %d; want 100, 0", r, x)
	}
}

// setups is a context that sets a stream up for long records.
type setups struct{ longer int }

func (setups) XORKeyStream([]byte, []byte, aesctr.Counter, int) bool { return false }
func (setups) XORRecords([]aesctr.Record) int                        { return 0 }
func (s setups) Setups(recs []aesctr.Record) (n int) {
	for i := range recs {
		if len(recs[i].Src) > s.longer {
			n++
		}
	}
	return n
}

// What the model charges for the four calls is what they took.
func TestSuiteCosts(t *testing.T) {
	const small, large, call, once = 60_000, 1_600_000, 75_000, 275_000
	for _, longer := range []int{128, 1 << 20} {
		ctr := setups{longer}
		c := suiteCosts(ctr, small, large, call, once)
		of := func(n int) int64 {
			set := ctr.Setups([]aesctr.Record{{Src: make([]byte, n)}})
			return int64(set)*c.SetupPs + c.RecordPs + int64(n)*c.ByteFs/fsPerPs
		}
		got := []int64{of(cipherSmall), of(largeBytes), c.CallPs + of(cipherSmall), c.SetupPs + c.CallPs + of(cipherSmall)}
		for i, want := range []int64{small, large, call, once} {
			if d := got[i] - want; d < -10 || d > 10 {
				t.Errorf("streams above %d bytes: call %d takes %d, want %d", longer, i, got[i], want)
			}
		}
	}
}

func TestProbe(t *testing.T) {
	p := &probe{time: func(n int) (simtime.Duration, error) { return simtime.Duration(n) * 3 * simtime.Microsecond, nil }}
	if err := p.pilot(); err != nil || p.operations != int(sampleTime/(3*simtime.Microsecond)) {
		t.Errorf("%d operations, %v", p.operations, err)
	}
	p.samples = []int64{5, -3, 9, 7}
	if got := p.read(); got != (reading{0, 7}) {
		t.Errorf("reading %+v", got)
	}
}

func TestMachine(t *testing.T) {
	text := func(s string) *string { return &s }
	number := func(n int) *int { return &n }
	yes := true
	intel := &hostinfo.Host{
		CPU:   hostinfo.CPU{Vendor: text("GenuineIntel"), Brand: text("Xeon"), Family: number(6), Model: number(207), Stepping: number(2)},
		Cores: hostinfo.Cores{Usable: 2}, Virtual: &yes, Hypervisor: text("KVMKVMKVM"), Arch: "amd64",
	}
	arm := &hostinfo.Host{Cores: hostinfo.Cores{Usable: 8}, Arch: "arm64"}
	named := &hostinfo.Host{CPU: hostinfo.CPU{Brand: text("Neo/verse (N1)")}, Cores: hostinfo.Cores{Usable: 4}, Arch: "arm64"}
	got := []string{cpuKey(intel), machineLine(intel), cpuKey(arm), machineLine(arm), cpuKey(named), machineLine(named)}
	want := []string{"intel-6-207-2", "Intel family 6 model 207, 2 vCPU, KVM", "arm64", "arm64, 8 cores", "arm64-neo-verse-n1", "Neo/verse (N1), 4 cores"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// testProfile is a profile that can be told from others by its name.
func testProfile(t *testing.T, name string) *simtime.Profile {
	t.Helper()
	p, _, err := Resolve(vfs.NewMem(), "article-threadripper-3970x")
	if err != nil {
		t.Fatal(err)
	}
	p.Name = name
	return p
}

// A profile of few rounds does not replace one of all rounds, and is replaced.
func TestKeepBetter(t *testing.T) {
	fsys, path := vfs.NewMem(), "/cache/profile.json"
	quick, full := testProfile(t, "quick"), testProfile(t, "full")
	quick.Warnings = append(quick.Warnings, inAHurry+": 15 rounds")
	for i, c := range []struct {
		p    *simtime.Profile
		want bool
	}{{quick, true}, {quick, true}, {full, true}, {quick, false}, {full, true}} {
		kept, err := Keep(fsys, path, c.p)
		if err != nil || kept != c.want {
			t.Errorf("%d: kept %t, %v", i, kept, err)
		}
	}
	if p, err := load(fsys, path); err != nil || p.Name != "full" {
		t.Errorf("kept at last: %v, %v", p, err)
	}
}

// A profile names nothing that this program does not know.
func TestProfileNames(t *testing.T) {
	for want, change := range map[string]func(p *simtime.Profile){
		"suites: nothing uses foo-1": func(p *simtime.Profile) { p.Suites["foo-1"] = p.Suites["aes-128-ctr"] },
		`implementation: "zzz"`:      func(p *simtime.Profile) { p.Implementation = "zzz" },
	} {
		p := testProfile(t, "changed")
		change(p)
		fsys := vfs.NewMem()
		if _, err := Keep(fsys, "/p.json", p); err != nil {
			t.Fatal(err)
		}
		if _, err := load(fsys, "/p.json"); !errors.Is(err, simtime.ErrProfile) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/cache")
	t.Setenv("HOME", "/home")
	path, err := CachePath()
	if err != nil {
		t.Fatal(err)
	}
	fsys := vfs.NewMem()
	p, note, err := Resolve(fsys, "")
	if err != nil || p.Name != "reference" || !strings.Contains(note, "those of profile reference") {
		t.Errorf("nothing kept: %v, %q, %v", p, note, err)
	}
	if _, err := Keep(fsys, path, testProfile(t, "kept")); err != nil {
		t.Fatal(err)
	}
	p, note, err = Resolve(fsys, "")
	if err != nil || p.Name != "kept" || !strings.Contains(note, "profile kept") {
		t.Errorf("one kept: %v, %q, %v", p, note, err)
	}
	if err := vfs.WriteFileAtomic(fsys, path, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, note, err = Resolve(fsys, "")
	if err != nil || p.Name != "reference" || !strings.Contains(note, "of no use ("+path) {
		t.Errorf("a bad one kept: %v, %q, %v", p, note, err)
	}
	for _, flag := range []string{path, "nope", "dir/nope.json", "/cache"} {
		var usage *experiment.UsageError
		if _, _, err := Resolve(fsys, flag); !errors.As(err, &usage) || !strings.Contains(err.Error(), "--profile: ") || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: error %v, want a usage error", flag, err)
		}
	}
}

// A profile that cannot be written whole replaces nothing.
func TestSaveFails(t *testing.T) {
	fsys := vfs.NewMem()
	if _, err := Keep(fsys, "/a/b/profile.json", testProfile(t, "old")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	for _, op := range []vfs.Op{vfs.OpWrite, vfs.OpSync, vfs.OpRename} {
		_, err := Keep(vfs.NewFault(fsys, vfs.Rule{Op: op, Nth: 1, Err: full}), "/a/b/profile.json", testProfile(t, "new"))
		if !errors.Is(err, full) {
			t.Errorf("%v: error %v", op, err)
		}
		if p, _, err := Resolve(fsys, "/a/b/profile.json"); err != nil || p.Name != "old" {
			t.Errorf("%v: %v, %v; want the old one", op, p, err)
		}
	}
	bad := testProfile(t, "new")
	bad.Numbers = nil
	if _, err := Keep(fsys, "/a/bad.json", bad); !errors.Is(err, simtime.ErrProfile) {
		t.Errorf("error %v, want ErrProfile", err)
	}
	if _, err := fsys.Stat("/a/bad.json"); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a bad profile left a file: %v", err)
	}
}

func TestWriteText(t *testing.T) {
	p := testProfile(t, "mine")
	p.Warnings = []string{strings.Repeat("long words of a warning ", 10)}
	var b bytes.Buffer
	if err := WriteText(&b, p); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(b.String()) {
		if len(strings.TrimRight(l, "\n")) > 100 || strings.TrimRight(l, " \n")+"\n" != l {
			t.Errorf("line %q", l)
		}
	}
	for _, want := range append(p.Inputs(), "125000 cited", "\nwarnings:\n  1. long") {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in it", want)
		}
	}
}
