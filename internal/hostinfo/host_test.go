package hostinfo

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tree makes a file system of name, content pairs.
func tree(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

func ptr[T any](v T) *T { return &v }

// server is a machine of four processors on two cores, one of them offline.
var server = tree(
	"proc/sys/kernel/ostype", "Linux\n",
	"proc/sys/kernel/osrelease", "6.18.44\n",
	"proc/meminfo", "MemTotal:        8192 kB\nMemFree:         100 kB\n",
	"proc/loadavg", "0.50 1.25 2.00 1/99 4523\n",
	"proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc aes\n",
	"proc/self/cgroup", "0::/user/job\n",
	"sys/fs/cgroup/user/job/cpu.max", "max 100000\n",
	"sys/fs/cgroup/user/cpu.max", "150000 100000\n",
	"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n",
	"sys/devices/system/cpu/online", "0-1,3\n",
	"sys/devices/system/cpu/cpu0/topology/core_id", "0\n",
	"sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n",
	"sys/devices/system/cpu/cpu1/topology/core_id", "0\n",
	"sys/devices/system/cpu/cpu1/topology/physical_package_id", "0\n",
	"sys/devices/system/cpu/cpu3/topology/core_id", "0\n",
	"sys/devices/system/cpu/cpu3/topology/physical_package_id", "1\n",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n",
	"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n",
	"sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave\n",
)

func TestReadFromFiles(t *testing.T) {
	h := ReadFrom(server)
	type facts struct {
		Kernel, Governor, Clock *string
		Logical, Physical       *int
		Memory                  *int64
		Load                    []float64
		Quota                   Quota
	}
	want := facts{
		Kernel: ptr("Linux 6.18.44"), Governor: ptr("performance,powersave"), Clock: ptr("tsc"),
		Logical: ptr(3), Physical: ptr(2), Memory: ptr(int64(8192 << 10)),
		Load: []float64{0.5, 1.25, 2}, Quota: Quota{Limited: ptr(true), Cores: ptr(1.5)},
	}
	got := facts{h.Kernel, h.Governor, h.ClockSource, h.Cores.Logical, h.Cores.Physical, h.MemoryBytes,
		h.LoadAverage, h.CPUQuota}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if isX86 && !isTrue(h.Features.InvariantTSC) {
		t.Errorf("invariant tsc: got %s, want true", text(h.Features.InvariantTSC))
	}
}

// TestUnknownIsNull: with no files, everything that comes from files is null in
// the JSON form, and every member is there.
func TestUnknownIsNull(t *testing.T) {
	h := ReadFrom(tree())
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"memory_bytes", "kernel", "governor", "clock_source", "load_average"} {
		if v, ok := got[key]; !ok || v != nil {
			t.Errorf("%s: got %v, want null", key, v)
		}
	}
	if diff := cmp.Diff(map[string]any{"limited": nil, "cores": nil}, got["cpu_quota"]); diff != "" {
		t.Errorf("cpu_quota (-want +got):\n%s", diff)
	}
	if n := reflect.TypeFor[Host]().NumField(); len(got) != n {
		t.Errorf("members: got %d, want all %d", len(got), n)
	}
	if got["gomaxprocs"] != float64(runtime.GOMAXPROCS(0)) {
		t.Errorf("gomaxprocs: got %v", got["gomaxprocs"])
	}
}

func TestMalformedFilesAreUnknown(t *testing.T) {
	cases := map[string]fstest.MapFS{
		"empty":       tree("proc/meminfo", "", "proc/loadavg", "", "sys/devices/system/cpu/online", ""),
		"other units": tree("proc/meminfo", "MemTotal: 12 MB"),
		"overflow":    tree("proc/meminfo", "MemTotal: 9223372036854775807 kB"),
		"negative":    tree("proc/meminfo", "MemTotal: -4 kB"),
		"not numbers": tree("proc/loadavg", "NaN +Inf 1", "sys/devices/system/cpu/online", "0-x"),
		"backwards":   tree("sys/devices/system/cpu/online", "4-2"),
		"huge range":  tree("sys/devices/system/cpu/online", "0-99999999999999999999"),
		"half a core": tree("sys/devices/system/cpu/cpu0/topology/core_id", "0"),
	}
	for name, fsys := range cases {
		h := ReadFrom(fsys)
		if h.MemoryBytes != nil || h.LoadAverage != nil || h.Cores.Logical != nil || h.Cores.Physical != nil {
			t.Errorf("%s: got memory %v, load %v, cores %+v, want unknown", name, h.MemoryBytes, h.LoadAverage, h.Cores)
		}
	}
}

func TestQuota(t *testing.T) {
	cases := []struct {
		name  string
		files fstest.MapFS
		want  Quota
	}{
		{"no control groups", tree(), Quota{}},
		{"version 2, none", tree("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/cpu.max", "max 100000"),
			Quota{Limited: ptr(false)}},
		{"version 2, no controller", tree("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/memory.max", "max"), Quota{}},
		{"version 2, container", tree("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/cpu.max", "50000 100000"),
			Quota{ptr(true), ptr(0.5)}},
		{"version 2, outside its namespace", tree("proc/self/cgroup", "0::/../../x\n", "sys/fs/cgroup/cpu.max", "50000 100000"),
			Quota{ptr(true), ptr(0.5)}},
		{"version 1", tree("proc/self/cgroup", "5:cpuset:/z\n4:cpu,cpuacct:/a\n",
			"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "250000", "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000"),
			Quota{ptr(true), ptr(2.5)}},
		{"version 1, host path in a container", tree("proc/self/cgroup", "1:cpu:/docker/abc\n",
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000", "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000"),
			Quota{ptr(true), ptr(1.0)}},
		{"version 1, none", tree("proc/self/cgroup", "1:cpu:/\n",
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1", "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000"),
			Quota{Limited: ptr(false)}},
		{"the tightest counts", tree("proc/self/cgroup", "0::/a/b\n",
			"sys/fs/cgroup/a/b/cpu.max", "400000 100000", "sys/fs/cgroup/a/cpu.max", "100000 100000"),
			Quota{ptr(true), ptr(1.0)}},
		{"rubbish", tree("proc/self/cgroup", "x\n0::/a\n", "sys/fs/cgroup/a/cpu.max", "100 0\n"), Quota{}},
	}
	for _, c := range cases {
		got := ReadFrom(c.files).CPUQuota
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestCountList writes lists of ranges and reads them back.
func TestCountList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 6).Draw(t, "sizes")
		var parts []string
		next, want := 0, 0
		for _, n := range sizes {
			if n == 1 {
				parts = append(parts, text(&next))
			} else {
				parts = append(parts, text(&next)+"-"+text(ptr(next+n-1)))
			}
			next, want = next+n+1, want+n
		}
		list := strings.Join(parts, ",")
		if got, ok := countList(list); got != want || !ok {
			t.Fatalf("%q: got %d, %v, want %d", list, got, ok, want)
		}
	})
}

func TestBuildVersions(t *testing.T) {
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v0.1.0"},
		Deps: []*debug.Module{
			{Path: "golang.org/x/sys", Version: "v0.50.0"},
			{Path: "golang.org/x/perf", Version: "v0.0.1", Replace: &debug.Module{Path: "../perf"}},
			{Path: "golang.org/x/crypto", Version: "v0.0.1", Replace: &debug.Module{Path: "example.org/crypto", Version: "v2"}},
			{Path: "github.com/spf13/cobra", Version: "v1.10.2"},
		},
		Settings: []debug.BuildSetting{
			{Key: "-race", Value: "true"}, {Key: "GOAMD64", Value: "v3"},
			{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"},
		},
	}
	got, race := buildVersions(info)
	want := Versions{
		Walbench: ptr("v0.1.0"), Revision: ptr("abc"), Modified: ptr(false), GOAMD64: ptr("v3"),
		Modules: map[string]string{"golang.org/x/sys": "v0.50.0", "golang.org/x/perf": "replaced",
			"golang.org/x/crypto": "example.org/crypto@v2"},
	}
	if diff := cmp.Diff(want, got); diff != "" || !race {
		t.Errorf("race %v, want true; (-want +got):\n%s", race, diff)
	}
}

// quiet is a host that gives no warnings.
func quiet() Host {
	return Host{
		Arch: "amd64", GOMAXPROCS: 8, Cores: Cores{Usable: 8}, Virtual: ptr(false),
		Governor: ptr("performance"), ClockSource: ptr("tsc"), LoadAverage: []float64{0.1, 0, 0},
		CPUQuota: Quota{Limited: ptr(false)}, Versions: Versions{Modified: ptr(false)},
	}
}

func TestWarnings(t *testing.T) {
	cases := []struct {
		name   string
		change func(*Host)
		want   string // part of the one warning, empty for none
	}{
		{"quiet", func(h *Host) {}, ""},
		{"nothing known", func(h *Host) { *h = Host{} }, ""},
		{"virtual machine", func(h *Host) { h.Virtual, h.Hypervisor = ptr(true), ptr("KVMKVMKVM") }, "virtual machine (KVMKVMKVM)"},
		{"race detector", func(h *Host) { h.RaceDetection = true }, "race detector"},
		{"governor", func(h *Host) { h.Governor = ptr("powersave") }, "governor is powersave"},
		{"quota", func(h *Host) { h.CPUQuota.Cores = ptr(1.5) }, "1.5 cores"},
		{"ample quota", func(h *Host) { h.CPUQuota.Cores = ptr(8.0) }, ""},
		{"gomaxprocs", func(h *Host) { h.GOMAXPROCS = 2 }, "GOMAXPROCS is 2 on 8"},
		{"load", func(h *Host) { h.LoadAverage[0] = 5 }, "load average was 5.00 on 8 cores"},
		{"clock", func(h *Host) { h.ClockSource = ptr("hpet") }, "clock source is hpet"},
		{"clock elsewhere", func(h *Host) { h.Arch, h.ClockSource = "arm64", ptr("arch_sys_counter") }, ""},
		{"modified", func(h *Host) { h.Versions.Modified = ptr(true) }, "uncommitted"},
	}
	for _, c := range cases {
		h := quiet()
		c.change(&h)
		got := h.Warnings()
		if c.want == "" && len(got) != 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: got %q, want one warning with %q", c.name, got, c.want)
		}
	}
}

func TestCoreWarning(t *testing.T) {
	h := quiet()
	if got := h.CoreWarning(8); got != "" {
		t.Errorf("8 updaters on 8 cores: got %q, want none", got)
	}
	h.GOMAXPROCS = 1
	want := "2 updaters on 1 core: waits and latencies include waiting for a core"
	if got := h.CoreWarning(2); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWriteText(t *testing.T) {
	h := quiet()
	h.CPU = CPU{Brand: ptr("Example CPU"), Family: ptr(6)}
	h.Features = Features{AESNI: ptr(true), VAES: ptr(false)}
	h.MemoryBytes = ptr(int64(3 << 29))
	h.OS, h.Go = "linux", "go1.26"
	h.Versions.Modules = map[string]string{"b": "v2", "a": "v1"}
	var b bytes.Buffer
	if err := h.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"cpu              Example CPU",
		"cpu id           vendor unknown, family 6, model unknown, stepping unknown",
		"features         aesni; missing vaes; unknown pclmulqdq vpclmulqdq avx2 avx512f avx512bw avx512dq avx512vl sha invariant_tsc",
		"cores            unknown logical, unknown physical, 8 usable",
		"gomaxprocs       8",
		"cpu quota        none",
		"memory           1.5 GiB",
		"kernel           unknown",
		"platform         linux/amd64",
		"virtual machine  no",
		"governor         performance",
		"clock source     tsc",
		"load average     0.10 0.00 0.00",
		"go               go1.26",
		"walbench         unknown",
		"module           a v1",
		"module           b v2",
	}, "\n") + "\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReadNamesNobody reads the real machine: it gives valid JSON without the
// host's name.
func TestReadNamesNobody(t *testing.T) {
	h := Read()
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	if name, err := os.Hostname(); err == nil && len(name) > 3 && bytes.Contains(data, []byte(`"`+name+`"`)) {
		t.Errorf("host name %q is in %s", name, data)
	}
	var back Host
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, back); diff != "" {
		t.Errorf("JSON round trip (-want +got):\n%s", diff)
	}
	if runtime.GOOS == "linux" && (h.Kernel == nil || h.MemoryBytes == nil) {
		t.Errorf("kernel %s and memory %s should be known on Linux", text(h.Kernel), text(h.MemoryBytes))
	}
}
