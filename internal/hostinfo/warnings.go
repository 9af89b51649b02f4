package hostinfo

import "fmt"

// Warnings lists what about this machine makes measured times less worth, one
// line each. Unknown facts give no warning.
func (h *Host) Warnings() []string {
	var w []string
	add := func(cond bool, format string, args ...any) {
		if cond {
			w = append(w, fmt.Sprintf(format, args...))
		}
	}
	add(isTrue(h.Virtual), "virtual machine%s: other guests can disturb times", inBrackets(h.Hypervisor))
	add(h.RaceDetection, "built with the race detector: times are many times too long")
	add(h.Governor != nil && *h.Governor != "performance",
		"cpu frequency governor is %s, not performance: the clock rate may change during a run", text(h.Governor))
	if q := h.CPUQuota.Cores; q != nil {
		add(*q < float64(h.GOMAXPROCS), "control group allows %.4g cores, GOMAXPROCS is %d: updaters are throttled", *q, h.GOMAXPROCS)
	}
	add(h.GOMAXPROCS < h.Cores.Usable, "GOMAXPROCS is %d on %d usable cores", h.GOMAXPROCS, h.Cores.Usable)
	if len(h.LoadAverage) > 0 {
		load := h.LoadAverage[0]
		add(load > 0.5*float64(h.Cores.Usable), "load average was %.2f on %s at the start: something else was running",
			load, plural(h.Cores.Usable, "core"))
	}
	add(h.ClockSource != nil && *h.ClockSource != "tsc" && isX86Arch(h.Arch),
		"clock source is %s, not tsc: reading the time is slow", text(h.ClockSource))
	add(isTrue(h.Versions.Modified), "built from a tree with uncommitted changes")
	return w
}

// CoreWarning says that updaters have to share cores, so that times spent
// waiting for a core look like times spent waiting for a lock. It is empty if
// there are enough cores.
func (h *Host) CoreWarning(updaters int) string {
	cores := min(h.Cores.Usable, h.GOMAXPROCS)
	if updaters <= cores {
		return ""
	}
	return fmt.Sprintf("%s on %s: waits and latencies include waiting for a core",
		plural(updaters, "updater"), plural(cores, "core"))
}

func isTrue(b *bool) bool { return b != nil && *b }

func isX86Arch(arch string) bool { return arch == "amd64" || arch == "386" }

func inBrackets(s *string) string {
	if s == nil {
		return ""
	}
	return " (" + *s + ")"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
