package hostinfo

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// files reads facts from /proc and /sys of Linux. Every method returns nil if
// the file is missing or does not have the form its documentation gives
// (proc(5); Documentation/ABI of the Linux sources).
type files struct{ root fs.FS }

// line is the content of a file without surrounding space; nil if it is missing
// or empty.
func (f files) line(name string) *string {
	data, err := fs.ReadFile(f.root, name)
	if err != nil {
		return nil
	}
	return known(strings.TrimSpace(string(data)))
}

// field is the text behind "key:" in a file of such lines.
func (f files) field(name, key string) *string {
	text := f.line(name)
	if text == nil {
		return nil
	}
	for l := range strings.Lines(*text) {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == key {
			return known(strings.TrimSpace(v))
		}
	}
	return nil
}

func (f files) kernel() *string {
	kind, release := f.line("proc/sys/kernel/ostype"), f.line("proc/sys/kernel/osrelease")
	if kind == nil || release == nil {
		return nil
	}
	s := *kind + " " + *release
	return &s
}

func (f files) memoryBytes() *int64 {
	text := f.field("proc/meminfo", "MemTotal")
	if text == nil {
		return nil
	}
	number, unit, _ := strings.Cut(*text, " ")
	kib, err := strconv.ParseInt(number, 10, 64)
	if err != nil || unit != "kB" || kib <= 0 || kib > 1<<50 {
		return nil
	}
	b := kib << 10
	return &b
}

func (f files) loadAverage() []float64 {
	text := f.line("proc/loadavg")
	if text == nil {
		return nil
	}
	parts := strings.Fields(*text)
	if len(parts) < 3 {
		return nil
	}
	load := make([]float64, 3)
	for i := range load {
		v, ok := parseFinite(parts[i])
		if !ok {
			return nil
		}
		load[i] = v
	}
	return load
}

// parseFinite reads a number that is neither negative nor infinite nor NaN,
// which ParseFloat would let through and JSON would not.
func parseFinite(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v >= 0 && v <= 1e18
}

// invariantTSC: the kernel sets nonstop_tsc where CPUID leaf 0x80000007 says
// invariant, and constant_tsc with it.
func (f files) invariantTSC() *bool {
	flags := f.field("proc/cpuinfo", "flags")
	if flags == nil {
		return nil
	}
	words := strings.Fields(*flags)
	b := slices.Contains(words, "constant_tsc") && slices.Contains(words, "nonstop_tsc")
	return &b
}

const cpuDir = "sys/devices/system/cpu/"

func (f files) logicalCores() *int {
	text := f.line(cpuDir + "online")
	if text == nil {
		return nil
	}
	n, ok := countList(*text)
	if !ok {
		return nil
	}
	return &n
}

// countList counts the members of a list such as "0-3,8".
func countList(list string) (n int, ok bool) {
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.ParseUint(first, 10, 20)
		b, errB := strconv.ParseUint(last, 10, 20)
		if errA != nil || errB != nil || b < a {
			return 0, false
		}
		n += int(b-a) + 1
	}
	return n, true
}

// physicalCores counts different (package, core) pairs over the processors that
// are online; a processor that is offline has no topology folder.
func (f files) physicalCores() *int {
	names, err := fs.Glob(f.root, cpuDir+"cpu[0-9]*/topology/core_id")
	if err != nil || len(names) == 0 {
		return nil
	}
	cores := map[string]bool{}
	for _, name := range names {
		core := f.line(name)
		pkg := f.line(strings.TrimSuffix(name, "core_id") + "physical_package_id")
		if core == nil || pkg == nil {
			return nil
		}
		cores[*pkg+" "+*core] = true
	}
	n := len(cores)
	return &n
}

// governor joins the governors of all processors; there is mostly one.
func (f files) governor() *string {
	names, err := fs.Glob(f.root, cpuDir+"cpu[0-9]*/cpufreq/scaling_governor")
	if err != nil {
		return nil
	}
	var found []string
	for _, name := range names {
		if g := f.line(name); g != nil && !slices.Contains(found, *g) {
			found = append(found, *g)
		}
	}
	slices.Sort(found)
	return known(strings.Join(found, ","))
}
