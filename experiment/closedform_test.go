package experiment

import (
	"testing"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
)

// modelOutcome is one modelled repetition, with the meter that results are made of.
func modelOutcome(t *testing.T, cfg Config) outcome {
	t.Helper()
	cfg.FS = vfs.NewMem()
	r, err := NewRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	o, err := r.measure(r.loads[0], r.pairs[0], r.device.inMemory(), 1, 64, cfg.Commits)
	if err != nil || o.err != nil {
		t.Fatal(err, o.err)
	}
	return o
}

// Whatever is used up sets the pace: a window is as long as what the lock, the cores
// or the device had to do, to half a percent.
func TestClosedForms(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  Config
		want func(o *outcome) simtime.Duration
	}{
		"saturated lock": {
			Config{Workloads: []string{"small"}, VirtualCores: []int{64}, Clients: 64, Commits: 20000},
			func(o *outcome) simtime.Duration {
				s := &o.meter.Locks[simtime.LockSerial]
				return simtime.Duration(s.HoldPs + s.IdlePs)
			},
		},
		"saturated lock, worst case": {
			Config{Workloads: []string{"worst-case"}, VirtualCores: []int{64}, Clients: 64, Commits: 6400, Device: "memory"},
			func(o *outcome) simtime.Duration {
				s := &o.meter.Locks[simtime.LockSerial]
				return simtime.Duration(s.HoldPs + s.IdlePs)
			},
		},
		"saturated lock, no cost of handing over": {
			Config{
				Workloads: []string{"small"}, VirtualCores: []int{64}, Clients: 64, Commits: 20000,
				Profile: modelProfile(t, map[string]int64{"wake_ps": 0, "wake_call_ps": 0, "switch_ps": 0}),
			},
			func(o *outcome) simtime.Duration { return simtime.Duration(o.meter.Locks[simtime.LockSerial].HoldPs) },
		},
		"one core": {
			Config{Workloads: []string{"small"}, VirtualCores: []int{1}, Clients: 16, Commits: 16000, Device: "null"},
			func(o *outcome) simtime.Duration { return o.cpu },
		},
		"eight cores": {
			Config{Workloads: []string{"small"}, VirtualCores: []int{8}, Clients: 64, Commits: 32000, Device: "null", Think: time.Millisecond},
			func(o *outcome) simtime.Duration { return o.cpu / 8 },
		},
		"a core for each": {
			Config{Workloads: []string{"small"}, VirtualCores: []int{4}, Clients: 4, Commits: 4000, Device: "null", Think: 10 * time.Millisecond},
			func(o *outcome) simtime.Duration { return o.cpu / 4 },
		},
		"slow device": {
			Config{Workloads: []string{"small"}, VirtualCores: []int{8}, Clients: 64, Commits: 6400, Device: "model:5ms,1MB/s"},
			func(o *outcome) simtime.Duration { return simtime.Duration(o.meter.DevicePs) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.cfg.Profile == nil {
				c.cfg.Profile = modelProfile(t, nil)
			}
			c.cfg.Strategies = []string{"in-lock"}
			o := modelOutcome(t, c.cfg)
			want := c.want(&o)
			if off := o.elapsed - want; off < -want/200 || off > want/200 {
				t.Errorf("window of %d ps, want %d", o.elapsed, want)
			}
			locks := &o.meter.Locks[simtime.LockSerial]
			if o.commits != c.cfg.Commits || locks.Acquisitions != o.commits || locks.Hold.TotalCount() != o.commits {
				t.Errorf("%d commits, %d acquisitions, %d holds, want %d", o.commits, locks.Acquisitions, locks.Hold.TotalCount(), c.cfg.Commits)
			}
		})
	}
}
