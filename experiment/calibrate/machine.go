package calibrate

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/walbench/walbench/internal/hostinfo"
)

// cpuKey names a kind of processor in a file's name: vendor, family, model and
// stepping on x86, else the architecture.
func cpuKey(h *hostinfo.Host) string {
	c := &h.CPU
	if c.Vendor == nil || c.Family == nil || c.Model == nil || c.Stepping == nil {
		return plainKey(h.Arch + " " + orEmpty(c.Brand))
	}
	return plainKey(fmt.Sprintf("%s %d %d %d", vendor(*c.Vendor), *c.Family, *c.Model, *c.Stepping))
}

var notInKeys = regexp.MustCompile(`[^a-z0-9]+`)

// plainKey is text in lower-case letters, digits and single dashes.
func plainKey(text string) string {
	return strings.Trim(notInKeys.ReplaceAllString(strings.ToLower(text), "-"), "-")
}

// machineLine says what machine a profile is of, without saying whose.
func machineLine(h *hostinfo.Host) string {
	name, cores := orEmpty(h.CPU.Brand), "cores"
	if h.CPU.Vendor != nil && h.CPU.Family != nil && h.CPU.Model != nil {
		name = fmt.Sprintf("%s family %d model %d", vendor(*h.CPU.Vendor), *h.CPU.Family, *h.CPU.Model)
	}
	if name == "" {
		name = h.Arch
	}
	if h.Virtual != nil && *h.Virtual {
		cores = "vCPU"
	}
	line := fmt.Sprintf("%s, %d %s", name, h.Cores.Usable, cores)
	if h.Hypervisor != nil {
		line += ", " + hypervisor(*h.Hypervisor)
	}
	return line
}

// vendor is what people call the vendor with this CPUID name.
func vendor(id string) string {
	switch id {
	case "GenuineIntel":
		return "Intel"
	case "AuthenticAMD":
		return "AMD"
	}
	return id
}

// hypervisor is what people call the one with this CPUID name.
func hypervisor(id string) string {
	if strings.HasPrefix(id, "KVM") {
		return "KVM"
	}
	return id
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
