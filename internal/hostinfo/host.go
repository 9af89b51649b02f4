// Package hostinfo finds out what is worth knowing about the machine a result
// was made on: processor, cores, limits, kernel, versions. It never reports who
// or where: no host name, user name, address or path.
//
// Life of a [Host]: [Read] fills it once, at the start of a command; then it is
// a plain value that is written into a result file as JSON, printed by
// [Host.WriteText], and asked for [Host.Warnings]. What could not be found out
// is nil, and null in the file; nothing is guessed.
package hostinfo

import (
	"io/fs"
	"os"
	"runtime"
)

// Host describes a machine and the program on it. Its JSON form is the member
// "host" of every result file. Pointers are nil where a fact is unknown.
type Host struct {
	CPU           CPU       `json:"cpu"`
	Features      Features  `json:"features"`
	Cores         Cores     `json:"cores"`
	GOMAXPROCS    int       `json:"gomaxprocs"`
	CPUQuota      Quota     `json:"cpu_quota"`
	MemoryBytes   *int64    `json:"memory_bytes"`
	Kernel        *string   `json:"kernel"` // release, such as "Linux 6.18.44"
	OS            string    `json:"os"`     // GOOS
	Arch          string    `json:"arch"`   // GOARCH
	Virtual       *bool     `json:"virtual_machine"`
	Hypervisor    *string   `json:"hypervisor"` // vendor, such as "KVMKVMKVM"
	Governor      *string   `json:"governor"`   // cpufreq governor; several are joined by ","
	ClockSource   *string   `json:"clock_source"`
	LoadAverage   []float64 `json:"load_average"` // over 1, 5 and 15 minutes
	Go            string    `json:"go"`
	Versions      Versions  `json:"versions"`
	RaceDetection bool      `json:"race_detector"` // the program was built with -race
}

// Cores counts processors. The operating system's count is of those that are
// online; Usable is what this process may run on.
type Cores struct {
	Logical  *int `json:"logical"`
	Physical *int `json:"physical"`
	Usable   int  `json:"usable"`
}

// Quota is a control group's limit on processor time.
type Quota struct {
	Limited *bool    `json:"limited"`
	Cores   *float64 `json:"cores"` // processor seconds a second; nil if not limited
}

// Read describes the machine it runs on.
func Read() Host { return ReadFrom(os.DirFS("/")) }

// ReadFrom is Read with /proc and /sys taken from root. What the processor and
// the Go runtime say about themselves comes from where the program really runs.
func ReadFrom(root fs.FS) Host {
	f := files{root}
	h := Host{
		CPU:         readCPU(),
		Features:    readFeatures(f),
		Cores:       Cores{Logical: f.logicalCores(), Physical: f.physicalCores(), Usable: runtime.NumCPU()},
		GOMAXPROCS:  runtime.GOMAXPROCS(0),
		CPUQuota:    f.cpuQuota(),
		MemoryBytes: f.memoryBytes(),
		Kernel:      f.kernel(),
		OS:          runtime.GOOS,
		Arch:        runtime.GOARCH,
		Governor:    f.governor(),
		ClockSource: f.line("sys/devices/system/clocksource/clocksource0/current_clocksource"),
		LoadAverage: f.loadAverage(),
		Go:          runtime.Version(),
	}
	h.Virtual, h.Hypervisor = readHypervisor()
	h.Versions, h.RaceDetection = readBuild()
	return h
}
