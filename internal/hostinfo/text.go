package hostinfo

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteText prints the host as lines of name and value, aligned, for people.
func (h *Host) WriteText(w io.Writer) error {
	lines := h.lines()
	width := 0
	for _, l := range lines {
		width = max(width, len(l[0]))
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-*s  %s\n", width, l[0], l[1])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (h *Host) lines() [][2]string {
	lines := [][2]string{
		{"cpu", text(h.CPU.Brand)},
		{"cpu id", fmt.Sprintf("vendor %s, family %s, model %s, stepping %s",
			text(h.CPU.Vendor), text(h.CPU.Family), text(h.CPU.Model), text(h.CPU.Stepping))},
		{"features", h.Features.text()},
		{"cores", fmt.Sprintf("%s logical, %s physical, %d usable",
			text(h.Cores.Logical), text(h.Cores.Physical), h.Cores.Usable)},
		{"gomaxprocs", fmt.Sprint(h.GOMAXPROCS)},
		{"cpu quota", h.CPUQuota.text()},
		{"memory", memoryText(h.MemoryBytes)},
		{"kernel", text(h.Kernel)},
		{"platform", h.OS + "/" + h.Arch},
		{"virtual machine", h.virtualText()},
		{"governor", text(h.Governor)},
		{"clock source", text(h.ClockSource)},
		{"load average", loadText(h.LoadAverage)},
		{"go", h.goText()},
		{"walbench", h.Versions.text()},
	}
	for _, path := range slices.Sorted(maps.Keys(h.Versions.Modules)) {
		lines = append(lines, [2]string{"module", path + " " + h.Versions.Modules[path]})
	}
	return lines
}

const unknown = "unknown"

// text is the value behind p in words.
func text[T any](p *T) string {
	if p == nil {
		return unknown
	}
	return fmt.Sprint(*p)
}

func (f *Features) text() string {
	var have, not, open []string
	for _, x := range []struct {
		name string
		has  *bool
	}{
		{"aesni", f.AESNI}, {"vaes", f.VAES}, {"pclmulqdq", f.PCLMULQDQ}, {"vpclmulqdq", f.VPCLMULQDQ},
		{"avx2", f.AVX2}, {"avx512f", f.AVX512F}, {"avx512bw", f.AVX512BW}, {"avx512dq", f.AVX512DQ},
		{"avx512vl", f.AVX512VL}, {"sha", f.SHA}, {"invariant_tsc", f.InvariantTSC},
	} {
		switch {
		case x.has == nil:
			open = append(open, x.name)
		case *x.has:
			have = append(have, x.name)
		default:
			not = append(not, x.name)
		}
	}
	var parts []string
	for _, group := range []struct {
		label string
		names []string
	}{{"", have}, {"missing ", not}, {"unknown ", open}} {
		if len(group.names) > 0 {
			parts = append(parts, group.label+strings.Join(group.names, " "))
		}
	}
	return strings.Join(parts, "; ")
}

func (q *Quota) text() string {
	switch {
	case q.Limited == nil:
		return unknown
	case q.Cores != nil:
		return fmt.Sprintf("%.4g cores", *q.Cores)
	}
	return "none"
}

func memoryText(bytes *int64) string {
	if bytes == nil {
		return unknown
	}
	return fmt.Sprintf("%.1f GiB", float64(*bytes)/(1<<30))
}

func (h *Host) virtualText() string {
	switch {
	case h.Virtual == nil:
		return unknown
	case *h.Virtual:
		return "yes" + inBrackets(h.Hypervisor)
	}
	return "no"
}

func loadText(load []float64) string {
	if load == nil {
		return unknown
	}
	words := make([]string, len(load))
	for i, l := range load {
		words[i] = fmt.Sprintf("%.2f", l)
	}
	return strings.Join(words, " ")
}

func (h *Host) goText() string {
	s := h.Go
	if h.Versions.GOAMD64 != nil {
		s += ", GOAMD64=" + *h.Versions.GOAMD64
	}
	if h.RaceDetection {
		s += ", race detector"
	}
	return s
}

func (v *Versions) text() string {
	s := text(v.Walbench)
	if v.Revision != nil {
		s += ", revision " + *v.Revision
	}
	if isTrue(v.Modified) {
		s += ", modified"
	}
	return s
}
