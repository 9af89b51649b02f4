package results

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/walbench/walbench/internal/hostinfo"
)

func ptr[T any](v T) *T { return &v }

// timing makes a Timing of times in nanoseconds.
func timing(ns ...int64) Timing {
	t := Timing{Histogram: hdrhistogram.New(1, 3600e9, 2)}
	for i, v := range ns {
		if t.Histogram.RecordValue(v) != nil {
			t.Clipped++
		}
		if i == 0 || v < t.MinNs {
			t.MinNs = v
		}
		t.MaxNs = max(t.MaxNs, v)
		t.SumPs += 1000 * v
		t.Count++
	}
	return t
}

// sample is a repetition with round numbers: window seconds long, 1000 commits.
func sample(strategy, suite string, repetition int, windowNs int64) Sample {
	return Sample{
		Workload: "worst-case", Strategy: strategy, Suite: suite, Repetition: repetition, WindowNs: windowNs,
		Counts: Counts{
			RealBytes: 4_000_000, StoredBytes: 4_000_000, WrittenBytes: 6_000_000,
			AdvanceBytes: 4_500_000, Records: 2000, Commits: 1000, Flushes: 500, Images: 100,
		},
		Hold: timing(1000, 2000, 3000), Wait: timing(0, 10, 200), Latency: timing(5000, 6000, 70000),
	}
}

func encrypted(s Sample, bytes, stored int64) Sample {
	s.Counts.EncryptedBytes, s.Counts.StoredBytes = bytes, stored
	s.Counts.CipherCalls, s.Counts.CipherSetups = 700, 2
	s.Cipher = SampledCipher{Count: 10, SumPs: 2_500_000, Bytes: 4000}
	s.Allocs, s.CPUNs = ptr(int64(200)), ptr(int64(5_000_000))
	s.Verified = &ReadBack{Acknowledged: 2200, Recovered: 2200, Bytes: 4_000_000, ReadNs: 8_000_000}
	return s
}

// testInstrument reads its clocks in 20 and 150 ns.
func testInstrument() *Instrument {
	return &Instrument{Clock: "tsc", ClockReadNs: 20, CPUClockReadNs: 150, BookkeepingNs: 42, SampledEvery: 64}
}

// lookedInto adds to s a sampled hold of 2000 ns, of which encryption took so
// many and two readings of the processor clock 300, and a device and a machine
// that were not quite as they should be.
func lookedInto(s Sample, encryptNs int64) Sample {
	s.Instrument = testInstrument()
	s.Sampled = &SampledHolds{
		Every: 64, Count: 1, Marks: 12, CPU: timing(1500),
		PhasePs: [NumPhases]int64{100e3, 200e3, 0, 1000 * encryptNs, 300e3, 500e3, 900e3 - 1000*encryptNs},
	}
	s.Lateness = ptr(timing(900, 1100, 5000))
	s.Noise = &Noise{GapShare: ptr(0.004), StealShare: ptr(0.01 * float64(s.Repetition))}
	return s
}

// repeated makes repetitions that take the given times in nanoseconds.
func repeated(strategy, suite string, windowsNs ...int64) []Sample {
	var list []Sample
	for i, w := range windowsNs {
		list = append(list, sample(strategy, suite, i, w))
	}
	return list
}

func testConfig() Config {
	return Config{
		CommandLine: []string{"run", "--clients", "8"}, Workloads: []string{"worst-case"},
		Strategies: []string{"none", "in-lock"}, Suites: []string{"aes-128-ctr"}, Clients: 8, Lock: "single",
		Device: "model:10us,4GB/s", Commits: ptr(int64(1000)), WarmupCommits: ptr(int64(100)), Runs: 3,
		Seed: 42, SegmentSizeBytes: 16 << 20, WALBuffersBytes: 16 << 20, KeepBytes: 512 << 20, Verify: true,
		StartOrder: [][]string{{"none", "in-lock"}, {"in-lock", "none"}, {"none", "in-lock"}},
	}
}

func testHost() *hostinfo.Host {
	return &hostinfo.Host{
		GOMAXPROCS: 2, Cores: hostinfo.Cores{Usable: 4}, OS: "linux", Arch: "amd64", Go: "go1.26",
		Virtual: ptr(true), Hypervisor: ptr("KVMKVMKVM"),
	}
}

// testRun is a whole run: three strategies measured in three repetitions under
// one workload and one under another, and a modelled block.
func testRun(t testing.TB) *Run {
	t.Helper()
	r := NewRun(Measured, testConfig(), testHost())
	none := repeated("none", "", 500e6, 400e6, 600e6)
	inLock := repeated("in-lock", "aes-128-ctr", 1000e6, 500e6, 800e6)
	stored := repeated("batched-ctr", "aes-128-ctr", 520e6, 410e6, 620e6)
	for i := range inLock {
		none[i], inLock[i] = lookedInto(none[i], 0), lookedInto(inLock[i], 400)
		inLock[i].Hold = timing(1000, 3000, 4000+int64(i))
		inLock[i].CPUNs = ptr(int64(1_600_000_000))
		inLock[i] = encrypted(inLock[i], 80_000_000, 4_000_000)
		stored[i] = encrypted(stored[i], 3_952_000, 4_024_000)
	}
	inLock[2].Noise.GapShare = ptr(0.12)
	stored[0].Hold, stored[1].Hold = timing(1000, 2000, 2700), timing(1000, 2000, 3300)
	stored[1].Verified.Recovered, stored[1].Verified.Lost = 2199, 1
	small := repeated("none", "", 100e6, 100e6, 100e6)
	for i := range small {
		small[i].Workload = "small"
	}
	r.Strategies = []Strategy{
		mustStrategy(t, r, small, small), mustStrategy(t, r, none, none),
		mustStrategy(t, r, inLock, none), mustStrategy(t, r, stored, none),
	}
	modelled := repeated("in-lock", "aes-128-ctr", 900e6)
	modelled[0].Cores = ptr(32)
	modelled[0].Model = &ModelWork{LockIdlePs: 840e9, DevicePs: 100e9}
	modelled[0].CPUNs = ptr(int64(9e9))
	m := mustStrategy(t, r, modelled, repeated("none", "", 500e6))
	m.Range = &Sensitivity{ptr(0.4), ptr(0.7), ptr("aes-128-ctr per byte")}
	r.Modelled = &Modelled{Profile: "reference", Cores: 32, Clients: ptr(64), DataPlane: "counts", Strategies: []Strategy{m}}
	r.Instrument = testInstrument()
	r.WarnOfDoubts()
	r.Warn("virtual machine (KVMKVMKVM): other guests can disturb times", testHost().CoreWarning(8))
	r.Complete = true
	return r
}

func mustStrategy(t testing.TB, r *Run, samples, baseline []Sample) Strategy {
	t.Helper()
	s, warnings, err := NewStrategy(samples, baseline)
	if err != nil {
		t.Fatal(err)
	}
	r.Warn(warnings...)
	return s
}
