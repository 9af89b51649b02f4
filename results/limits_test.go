package results

import (
	"math"
	"strings"
	"testing"
)

// modelledSample is 1000 commits in a second on cores, with the lock held and
// handed over, the device and the cores busy for so many milliseconds.
func modelledSample(cores int, held, idle, device, cpu int64) Sample {
	s := sample("in-lock", "aes-128-ctr", 0, 1e9)
	s.Cores, s.Model, s.CPUNs = &cores, &ModelWork{LockIdlePs: idle * 1e9, DevicePs: device * 1e9}, ptr(cpu*1e6)
	s.Hold = Timing{Count: 1000, SumPs: held * 1e9, MaxNs: 1e6}
	return s
}

// The scarcest resource is named, with its bound.
func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		s        Sample
		resource string
		bound    float64
		reached  float64
	}{
		"lock":                    {modelledSample(4, 900, 100, 300, 2000), LimitLock, 1000, 1},
		"lock, not quite used up": {modelledSample(4, 850, 80, 300, 2000), LimitLock, 1000 / 0.93, 0.93},
		"cores":                   {modelledSample(4, 500, 0, 300, 4000), LimitCores, 1000, 1},
		"device inside the lock":  {modelledSample(4, 990, 5, 980, 400), LimitDevice, 1000 / 0.995, 0.995},
		"device behind the lock":  {modelledSample(4, 1000, 0, 900, 400), LimitLock, 1000, 1},
		"updaters":                {modelledSample(4, 300, 10, 200, 1000), LimitUpdaters, 1000 / 0.31, 0.31},
	} {
		l := mustStrategy(t, &Run{}, []Sample{c.s}, nil).Limits
		if l.Resource != c.resource || math.Abs(*l.BoundTPS-c.bound) > 1e-6 || math.Abs(*l.Reached-c.reached) > 1e-9 {
			t.Errorf("%s: %s, bound %v, reached %v, want %s, %v, %v", name, l.Resource, *l.BoundTPS, *l.Reached, c.resource, c.bound, c.reached)
		}
	}
	memory := modelledSample(4, 900, 10, 300, 4000)
	memory.Model.MemoryPs = 1010 * 1e9
	if l := memory.limits(); l.Resource != LimitMemory || *l.MemoryUtilisation != 1.01 || l.BoundTPS != l.MemoryBoundTPS {
		t.Errorf("memory: %+v", l)
	}
	if s := modelledSample(4, 900, 0, 0, 400); s.limits().DeviceBoundTPS != nil {
		t.Error("a device that was never waited for has a bound")
	}
	measured := sample("in-lock", "aes-128-ctr", 0, 1e9)
	if measured.limits() != nil {
		t.Error("a measured run has limits")
	}
}

// Several numbers of cores make a block each, in order, and a line says where a
// design falls behind.
func TestModelledBlocksByCores(t *testing.T) {
	r := NewRun(ModelledKind, testConfig(), nil)
	r.Config.Profile = ptr("test")
	for _, row := range []struct {
		name   string
		cores  int
		window int64
	}{
		{"none", 8, 1e9}, {"in-lock", 8, 1.5e9}, {"before-lock", 8, 1.02e9},
		{"none", 2, 1e9}, {"in-lock", 2, 1.01e9}, {"before-lock", 2, 2e9},
		{"none", 1, 1e9}, {"in-lock", 1, 1.01e9}, {"before-lock", 1, 3e9},
	} {
		base, s := sample("none", "", 0, 1e9), sample(row.name, "s", 0, row.window)
		s.Cores = &row.cores
		r.Strategies = append(r.Strategies, mustStrategy(t, r, []Sample{s}, []Sample{base}))
	}
	text := table(t, r)
	one, two, eight := strings.Index(text, "on 1 core with"), strings.Index(text, "on 2 cores with"), strings.Index(text, "on 8 cores with")
	if one < 0 || two < one || eight < two {
		t.Errorf("blocks at %d, %d, %d of\n%s", one, two, eight, text)
	}
	for _, want := range []string{
		"in-lock keeps less than 0.95 of none's commits on 8 cores", "before-lock keeps less than 0.95 of none's commits on 1, 2 cores",
		"before-lock is slower than in-lock on 1, 2 cores",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
