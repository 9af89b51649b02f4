package experiment

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// modelProfile is a profile with numbers of the size that real ones have. Those of
// change replace them.
func modelProfile(t testing.TB, change map[string]int64) *simtime.Profile {
	t.Helper()
	numbers := map[string]int64{
		"copy_call_ps": 15000, "copy_byte_fs": 100000, "zero_call_ps": 10000, "zero_byte_fs": 30000,
		"crc_call_ps": 10000, "crc_byte_fs": 40000, "record_call_ps": 200000, "record_byte_fs": 100000,
		"transaction_ps": 1000000, "reserve_ps": 20000, "page_ps": 20000, "write_call_ps": 100000, "write_byte_fs": 100000,
		"device_sync_ps": 50000000, "device_byte_fs": 163000, "lock_ps": 20000, "lock_line_transfer_ps": 60000, "segment_byte_fs": 200000, "wait_keep_ps": 0, "steal_ps": 0, "memory_byte_fs": 10000, "wake_ps": 5000000, "wake_call_ps": 1000000,
		"switch_ps": 1000000, "quantum_ps": 3000000000, "starvation_ps": 1000000000,
	}
	for name, v := range change {
		numbers[name] = v
	}
	var b strings.Builder
	b.WriteString(`{"schema":"walbench.profile/1","name":"test","machine":"a test","date":"2026-12-01","implementation":"vaes-512","numbers":{`)
	for i, name := range sortedKeys(numbers) {
		fmt.Fprintf(&b, `%s%q:{"value":%d,"source":"assumed","from":"a test"}`, comma(i), name, numbers[name])
	}
	b.WriteString(`},"suites":{`)
	for i, suite := range []string{"aes-128-ctr", "aes-128-ctr/vaes-512", "ctr-ecb-scalar", "ctr-ecb-vector"} {
		fmt.Fprintf(&b, `%s%q:{`, comma(i), suite)
		for j, n := range []string{"setup_ps", "call_ps", "record_ps", "byte_fs"} {
			fmt.Fprintf(&b, `%s%q:{"value":%d,"source":"assumed","from":"a test"}`, comma(j), n, []int64{500000, 20000, 5000, 125000}[j])
		}
		b.WriteString("}")
	}
	b.WriteString("}}")
	p, err := simtime.DecodeProfile("test", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func sortedKeys(m map[string]int64) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// modelRun runs cfg on virtual cores with the test's profile.
func modelRun(t testing.TB, cfg Config) *results.Run {
	t.Helper()
	if cfg.FS == nil {
		cfg.FS = vfs.NewMem()
	}
	if cfg.Profile == nil {
		cfg.Profile = modelProfile(t, nil)
	}
	r, err := NewRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Execute(make(chan struct{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// allDesigns are all strategies, the unsafe ones too.
func allDesigns() []string { return strategies.Names() }

// The data plane that only counts gives the same counts, times and positions as
// the one that moves and encrypts every byte and reads every log back: for every
// strategy, over page, segment and buffer borders, checkpoints and pauses.
func TestDataPlanesAgree(t *testing.T) {
	for _, workload := range []string{"small", "insert", "oltp", "bulk", "worst-case", "trace:embedded"} {
		for _, device := range []string{"memory", "model:20us,1GB/s", "profile", "null"} {
			t.Run(workload+" "+device, func(t *testing.T) {
				t.Parallel()
				cfg := Config{
					Workloads: []string{workload}, Strategies: allDesigns(), VirtualCores: []int{1, 3}, Device: device,
					Clients: 5, Commits: 60, Warmup: -1, SegmentSize: 1 << 20, WALBuffers: 128 << 10, Keep: 2 << 20,
				}
				if workload == "oltp" {
					cfg.Pages.Phase, cfg.Pages.CheckpointCommits = "fresh", 20
				}
				planesAgree(t, cfg)
			})
		}
	}
}

// planesAgree runs cfg on both data planes and compares everything but the reading
// back, which only the full one does.
func planesAgree(t *testing.T, cfg Config) {
	t.Helper()
	counts := modelRun(t, cfg)
	cfg.Verify = true
	full := modelRun(t, cfg)
	for i := range full.Strategies {
		s := &full.Strategies[i]
		if v := s.Verified; (v == nil) != (cfg.Device == "null") || v != nil && (!v.OK() || v.RecordsRecovered == 0 || v.RecoveryMBPerS != nil) {
			t.Errorf("%s: read back %+v", s.Name, v)
		}
		s.Verified = nil
	}
	if diff := cmp.Diff(full.Strategies, counts.Strategies); diff != "" {
		t.Errorf("full and counting data planes differ:\n%s", diff)
	}
}

// The same run gives the same bytes, however many processors there are to run it.
func TestModelledRunRepeats(t *testing.T) {
	for _, lock := range []string{LockSingle, LockPostgres} {
		t.Run(lock, func(t *testing.T) { modelledRunRepeats(t, lock) })
	}
}

func modelledRunRepeats(t *testing.T, lock string) {
	document := func(processors int) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		res := modelRun(t, Config{
			Workloads: []string{"worst-case", "small"}, VirtualCores: []int{2, 32}, Clients: 40, Commits: 400, Warmup: -1, Runs: 2,
			Strategies: allDesigns(), Lock: lock,
		})
		res.Host = nil
		var b bytes.Buffer
		if err := results.Encode(&b, res); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	want := document(1)
	for _, n := range []int{1, 2, 4} {
		if diff := cmp.Diff(string(want), string(document(n))); diff != "" {
			t.Errorf("%d processors: %s", n, diff)
		}
	}
}

// BenchmarkModel is what a modelled run takes, with real updaters: a scheduler
// event, a commit. The full plane also reads everything back.
func BenchmarkModel(b *testing.B) {
	for _, plane := range []string{"counts", "full"} {
		for _, workload := range []string{"small", "worst-case"} {
			for _, clients := range []int{1, 64, 1024} {
				b.Run(fmt.Sprintf("%s/%s/clients=%d", plane, workload, clients), func(b *testing.B) {
					benchmarkModel(b, Config{
						FS: vfs.NewMem(), Workloads: []string{workload}, Strategies: []string{"batched-ctr"},
						VirtualCores: []int{32}, Profile: modelProfile(b, nil), Clients: clients,
						Commits: 64 << 10, Verify: plane == "full",
					})
				})
			}
		}
	}
}

func benchmarkModel(b *testing.B, cfg Config) {
	if cfg.Workloads[0] == "worst-case" {
		cfg.Commits /= 8
	}
	r, err := NewRun(cfg)
	if err != nil {
		b.Fatal(err)
	}
	l := r.loads[0]
	var events, commits int64
	for b.Loop() {
		o, err := r.measure(l, r.pairs[0], r.device.inMemory(), 1, 0, cfg.Commits)
		if err != nil || o.err != nil {
			b.Fatal(err, o.err)
		}
		events, commits = events+o.events, commits+o.commits
	}
	ns := float64(b.Elapsed().Nanoseconds())
	b.ReportMetric(float64(events)*1e3/ns, "Mevents/s")
	b.ReportMetric(ns/float64(events), "ns/event")
	b.ReportMetric(ns/float64(commits), "ns/commit")
	b.ReportMetric(float64(events)/float64(commits), "events/commit")
}
