package experiment

import (
	"errors"
	"testing"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
)

// The check of a model finds time at the lock that nobody has spent, time spent
// that the lock has not seen, and more processor time than there are cores.
func TestModelCheckCanFail(t *testing.T) {
	const window = 10 * simtime.Millisecond
	for name, c := range map[string]struct {
		atLock, hold, wait, apart, cpu simtime.Duration
		ok                             bool
	}{
		"sound":            {atLock: 7e9, hold: 4e9, wait: 2e9, apart: 1e9, cpu: 2 * window, ok: true},
		"lock saw more":    {atLock: 7e9 + 1e5, hold: 4e9, wait: 3e9, cpu: window},
		"users spent more": {atLock: 7e9, hold: 4e9, wait: 3e9 + 1e5, cpu: window},
		"too much CPU":     {atLock: 7e9, hold: 4e9, wait: 3e9, cpu: 2*window + 1},
	} {
		r := &repetition{cores: 2}
		r.end.AtLock = c.atLock + 5
		r.window.from.AtLock, r.window.apart[simtime.LockSerial] = 5, c.apart
		r.window.start, r.window.end = 100, 100+simtime.Time(window)
		o := &outcome{cpu: c.cpu}
		o.meter.Locks[simtime.LockSerial].HoldPs, o.meter.Locks[simtime.LockSerial].WaitPs = int64(c.hold), int64(c.wait)
		if err := r.checkModel(o); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Think time is work on a core, on both clocks.
func TestThinkIsWork(t *testing.T) {
	const think = 80 * time.Microsecond
	cfg := Config{
		FS: vfs.NewMem(), Workloads: []string{"small"}, Strategies: []string{"none"}, Clients: 2, Commits: 100, Runs: 1,
		Device: "memory", Think: think,
	}
	measured, err := NewRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := measured.Execute(make(chan struct{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if cpu := *res.Strategies[0].CPUNsPerCommit; cpu < float64(think.Nanoseconds()) {
		t.Errorf("measured: %v ns of processor time a commit, want at least %v", cpu, think.Nanoseconds())
	}
	cfg.VirtualCores = []int{1}
	with := modelRun(t, cfg)
	cfg.Think = 0
	without := modelRun(t, cfg)
	more := *with.Strategies[0].CPUNsPerCommit - *without.Strategies[0].CPUNsPerCommit
	if off := more - float64(think.Nanoseconds()); off < -2000 || off > 2000 { // other waits, other wake-ups
		t.Errorf("modelled: %v ns of processor time a commit more, want %v", more, think.Nanoseconds())
	}
	// One core has all of it to do.
	if tps, most := *with.Strategies[0].ThroughputTPS.Median, 1e9/float64(think.Nanoseconds()); tps > most || tps < 0.9*most {
		t.Errorf("modelled: %v commits a second on one core, want a little less than %v", tps, most)
	}
}
