package experiment

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
)

func whatIfConfig() Config {
	return Config{
		Workloads: []string{"small"}, Strategies: []string{"none", "in-lock"}, VirtualCores: []int{4},
		Clients: 8, Commits: 400, Warmup: 0,
	}
}

// What a what-if says is what a run of that configuration says.
func TestWhatIfIsARunOfItsOwn(t *testing.T) {
	ms := time.Millisecond
	for text, change := range map[string]func(*Config){
		"sync-latency=1ms":    func(c *Config) { c.SyncLatency = &ms },
		"cores=2":             func(c *Config) { c.VirtualCores = []int{2} },
		"wal-buffers=64kB":    func(c *Config) { c.WALBuffers = 64 << 10 },
		"think=1ms":           func(c *Config) { c.Think = ms },
		"lock_ps=1000000":     func(c *Config) { c.Profile = modelProfile(t, map[string]int64{"lock_ps": 1e6}) },
		"memory_byte_fs=9000": func(c *Config) { c.Profile = modelProfile(t, map[string]int64{"memory_byte_fs": 9000}) },
	} {
		cfg := whatIfConfig()
		var err error
		if cfg.WhatIfs, err = ParseWhatIfs([]string{text}); err != nil {
			t.Fatal(err)
		}
		asked := modelRun(t, cfg)
		alone := whatIfConfig()
		change(&alone)
		want := modelRun(t, alone)
		if len(asked.WhatIfs) != 2 {
			t.Fatalf("%s: %d entries, want 2", text, len(asked.WhatIfs))
		}
		for i, w := range asked.WhatIfs {
			s := &want.Strategies[i]
			if *w.ThroughputTPS != *s.ThroughputTPS.Median || *w.Limit != s.Limits.Resource || w.Strategy != s.Name || w.Knob+"="+w.Value != text {
				t.Errorf("%s: %+v, want %v, %s", text, w, *s.ThroughputTPS.Median, s.Limits.Resource)
			}
		}
		asked.WhatIfs = nil
		if diff := cmp.Diff(modelRun(t, whatIfConfig()).Strategies, asked.Strategies); diff != "" {
			t.Errorf("%s changes the run itself: %s", text, diff)
		}
	}
}

// The change is made to the same work, also where the clock would have chosen
// another amount of it, and no log is left of it.
func TestWhatIfDoesTheSameWork(t *testing.T) {
	cfg := whatIfConfig()
	cfg.Commits, cfg.Duration, cfg.WhatIfs, cfg.FS = 0, 2*time.Millisecond, []WhatIf{{"sync-latency", "3ms"}}, vfs.NewMem()
	cfg.Device = "file:logs"
	cfg.Profile = modelProfile(t, nil)
	r, err := NewRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Execute(make(chan struct{}), nil); err != nil {
		t.Fatal(err)
	}
	own, changed := r.loads[0], r.whatIfs[0].run.loads[0]
	if own.commits == 0 || own.commits != changed.commits || own.warmup != changed.warmup {
		t.Errorf("%d and %d commits, warm-up %d and %d", own.commits, changed.commits, own.warmup, changed.warmup)
	}
	if d := r.whatIfs[0].run.device; d.kind != ProfileDevice {
		t.Errorf("the changed run writes to %s", d)
	}
}

// A sync takes what it is told to, on whatever device, and only that changes.
func TestSyncLatency(t *testing.T) {
	const commits, sync = 50, 7 * time.Millisecond
	for device, bytesNs := range map[string]float64{"null": 0, "memory": 0, "model:20us,1GB/s": 1, "profile": 0.163} {
		cfg := Config{Workloads: []string{"small"}, Strategies: []string{"none"}, VirtualCores: []int{1}, Clients: 1, Commits: commits, Warmup: 0, Device: device}
		before := modelRun(t, cfg)
		cfg.SyncLatency = new(time.Duration)
		*cfg.SyncLatency = sync
		res := modelRun(t, cfg)
		s := &res.Strategies[0]
		n := s.Commits
		want := float64(n)*float64(sync.Nanoseconds()) + bytesNs*float64(s.WrittenBytes)
		got := 1e9 * float64(n) / *s.Limits.DeviceBoundTPS
		if d := got - want; d > float64(n) || d < -float64(n) { // a nanosecond a sync of rounding
			t.Errorf("%s: the device worked %.0f ns, want %.0f", device, got, want)
		}
		if *res.Config.SyncLatencyNs != sync.Nanoseconds() || before.Config.SyncLatencyNs != nil || res.Config.Device != before.Config.Device {
			t.Errorf("%s: config says %v, before %v", device, res.Config.SyncLatencyNs, before.Config.SyncLatencyNs)
		}
	}
	zero := whatIfConfig()
	zero.Device, zero.SyncLatency = "model:20us,1000GB/s", new(time.Duration)
	free := modelRun(t, zero)
	if b := free.Strategies[0].Limits.DeviceUtilisation; b == nil || *b > 0.05 {
		t.Errorf("a free sync has the device busy %v", b)
	}
}

// What is wrong with a what-if is the user's to change, and found before anything
// runs.
func TestWhatIfErrors(t *testing.T) {
	for text, want := range map[string]string{
		"cores": "want KNOB=VALUE", "=4": "want KNOB=VALUE", "cores=": "want KNOB=VALUE",
		"speed=4":            "--what-if speed=4: unknown (known: sync-latency, cores",
		"cores=many":         "want a number of cores",
		"cores=0":            "want 1 to 1024",
		"cores=4000":         "want 1 to 1024",
		"sync-latency=fast":  "want a time from 0s to 1m0s",
		"sync-latency=-1us":  "want a time from 0s to 1m0s",
		"think=2h":           "want a time",
		"wal-buffers=12":     "--wal-buffers: 12 bytes",
		"wal-buffers=big":    "--what-if wal-buffers=big: ",
		"wal-buffers=0":      "want at least 1",
		"lock_ps=-1":         "lock_ps: -1, want 0 to",
		"quantum_ps=0":       "quantum_ps: 0, want 1000000 to",
		"lock_ps=1.5":        "want a whole number",
		"cores=2,cores=2":    "is there twice",
		"aes-128-ctr.key=12": "unknown",
	} {
		cfg := whatIfConfig()
		cfg.FS, cfg.Profile = vfs.NewMem(), modelProfile(t, nil)
		var err error
		if cfg.WhatIfs, err = ParseWhatIfs(strings.Split(text, ",")); err == nil {
			_, err = NewRun(cfg)
		}
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want a usage error with %q", text, err, want)
		}
	}
	for _, cfg := range []Config{{WhatIfs: []WhatIf{{"cores", "4"}}}, {SyncLatency: new(time.Duration)}} {
		cfg.FS, cfg.Workloads = vfs.NewMem(), []string{"small"}
		if _, err := NewRun(cfg); err == nil || !strings.Contains(err.Error(), "only with --virtual-cores") {
			t.Errorf("measured: %v", err)
		}
	}
}

// A what-if that is stopped leaves the run's own figures, marked as partial.
func TestWhatIfStopped(t *testing.T) {
	cfg := whatIfConfig()
	cfg.FS, cfg.Profile, cfg.WhatIfs = vfs.NewMem(), modelProfile(t, nil), []WhatIf{{"cores", "2"}}
	r, err := NewRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.whatIfs[0].run.gates.stop()
	res, err := r.Execute(make(chan struct{}), nil)
	if !errors.Is(err, ErrInterrupted) || res == nil || res.Complete || len(res.Strategies) != 2 || len(res.WhatIfs) != 0 {
		t.Errorf("%v, result %+v", err, res)
	}
}

// Memory without end is no silent assumption, and both numbers take part in the
// ranges.
func TestSharedMemoryIsSaid(t *testing.T) {
	warns := func(res *results.Run) bool {
		return strings.Contains(strings.Join(res.Warnings, "\n"), "memory_byte_fs of 0")
	}
	cfg := whatIfConfig()
	if warns(modelRun(t, cfg)) {
		t.Error("warns of memory that has an end")
	}
	cfg.Profile = modelProfile(t, map[string]int64{"memory_byte_fs": 0})
	if res := modelRun(t, cfg); !warns(res) || res.Strategies[0].Limits.MemoryBoundTPS != nil {
		t.Errorf("no warning in %q, bound %v", res.Warnings, res.Strategies[0].Limits.MemoryBoundTPS)
	}
	for _, input := range []string{"memory_byte_fs", "lock_line_transfer_ps"} {
		slow := whatIfConfig()
		slow.Ranges = true
		slow.Profile = modelProfile(t, map[string]int64{"memory_byte_fs": 400_000, "copy_byte_fs": 1000, "lock_line_transfer_ps": 9_000_000, "quantum_ps": 1e12})
		r, err := NewRun(func() Config { slow.FS = vfs.NewMem(); return slow }())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Execute(make(chan struct{}), nil); err != nil {
			t.Fatal(err)
		}
		s := &sweep{run: r, none: 0}
		found := false
		for _, name := range s.inputs(subject{r.loads[0], 1}) {
			found = found || name == input
		}
		if !found {
			t.Errorf("%s is not varied", input)
		}
	}
}
