package experiment

import (
	"testing"

	"github.com/walbench/walbench/simtime"
)

// costProc is a process whose clock only moves when it is told to.
type costProc struct {
	simtime.Proc
	now simtime.Time
}

func (p *costProc) Now() simtime.Time { return p.now }

// The cost of a call is that of the best batch, not of a disturbed one.
func TestCostNs(t *testing.T) {
	p, calls := &costProc{}, 0
	got := costNs(p, func() {
		p.now = p.now.Add(30 * simtime.Nanosecond)
		if calls++; calls != costBatch+1 && calls%costBatch == 1 {
			p.now = p.now.Add(simtime.Millisecond) // in every batch but the second
		}
	})
	if got != 30 || calls != costTries*costBatch {
		t.Errorf("got %v ns from %d calls, want 30 from %d", got, calls, costTries*costBatch)
	}
}

func TestInstrument(t *testing.T) {
	i := instrument()
	if i.Clock != simtime.RealSource() || i.SampledEvery != simtime.SampleEvery {
		t.Errorf("got clock %s, every %d", i.Clock, i.SampledEvery)
	}
	// A reading is an instruction at least. The upper limits are a thousand times
	// what is usual.
	if !(i.ClockReadNs > 0 && i.ClockReadNs < 1e5) || !(i.CPUClockReadNs > 0 && i.CPUClockReadNs < 1e6) || !(i.BookkeepingNs >= 0 && i.BookkeepingNs < 1e6) {
		t.Errorf("got %+v", i)
	}
	if i != instrument() {
		t.Error("measured twice")
	}
}

// What the meters saw of a real run gets into its result.
func TestInstrumentInResult(t *testing.T) {
	res := execute(t, Config{
		Workloads: []string{"small"}, Strategies: []string{"none", "in-lock"}, Device: "model:20us,4GB/s", Clients: 2, Commits: 400, Runs: 2, Warmup: 0,
	})
	if res.Instrument == nil || *res.Config.LockSampledEvery != simtime.SampleEvery {
		t.Errorf("instrument %+v, sampled every %v", res.Instrument, res.Config.LockSampledEvery)
	}
	for _, s := range res.Strategies {
		p := s.LockHoldNs.PhasesNsMean
		if p == nil || *s.LockHoldNs.SampledEvery != simtime.SampleEvery {
			t.Fatalf("%s: no phases: %+v", s.Name, s.LockHoldNs)
		}
		mean := *s.LockHoldNs.Mean
		if sum := p.Header + p.Copy + p.CRC + p.Encrypt + p.Write + p.Sync + p.Other; sum < mean*0.999 || sum > mean*1.001 {
			t.Errorf("%s: phases add up to %v ns of %v", s.Name, sum, mean)
		}
		if p.Sync <= 0 || p.Encrypt > 0 != (s.Name == "in-lock") {
			t.Errorf("%s: phases %+v", s.Name, p)
		}
		if s.LockHoldCPUNs == nil || *s.LockHoldCPUNs.P50 > *s.LockHoldCPUNs.P99 {
			t.Errorf("%s: processor time %+v", s.Name, s.LockHoldCPUNs)
		}
		if late := s.DeviceLatenessNs; late == nil || late.Count != s.Flushes || *late.P50 > *late.Max {
			t.Errorf("%s: lateness %+v of %d flushes", s.Name, late, s.Flushes)
		}
		if s.InstrumentNsPerHold == nil || *s.InstrumentNsPerHold < res.Instrument.ClockReadNs {
			t.Errorf("%s: instrument %v ns a hold", s.Name, s.InstrumentNsPerHold)
		}
		if s.RelativeLockHeld == nil || s.RelativeLockHoldP50 == nil {
			t.Errorf("%s: no quotients with none", s.Name)
		}
	}
	memory := execute(t, Config{Workloads: []string{"small"}, Strategies: []string{"none"}, Device: "memory", Clients: 1, Commits: 10, Runs: 1, Warmup: 0})
	if s := memory.Strategies[0]; s.DeviceLatenessNs != nil || s.LockHoldNs.PhasesNsMean != nil || s.LockHoldCPUNs != nil {
		t.Errorf("memory, ten commits: lateness %+v, phases %+v", s.DeviceLatenessNs, s.LockHoldNs.PhasesNsMean)
	}
}
