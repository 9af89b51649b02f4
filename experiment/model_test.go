package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
)

// modelProfile is a profile with numbers of the size that real ones have. Those of
// change replace them.
func modelProfile(t testing.TB, change map[string]int64) *simtime.Profile {
	t.Helper()
	numbers := map[string]int64{
		"copy_call_ps": 15000, "copy_byte_fs": 100000, "zero_call_ps": 10000, "zero_byte_fs": 30000,
		"crc_call_ps": 10000, "crc_byte_fs": 40000, "record_call_ps": 200000, "record_byte_fs": 100000,
		"transaction_ps": 1000000, "reserve_ps": 20000, "page_ps": 20000, "write_call_ps": 100000, "write_byte_fs": 100000,
		"device_sync_ps": 50000000, "device_byte_fs": 163000, "lock_ps": 20000, "wake_ps": 5000000, "wake_call_ps": 1000000,
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

func TestModelSmoke(t *testing.T) {
	for _, w := range []string{"worst-case", "small", "oltp"} {
		start := time.Now()
		r, err := NewRun(Config{
			FS: vfs.NewMem(), Workloads: []string{w}, VirtualCores: []int{32}, Profile: modelProfile(t, nil),
			Duration: time.Second, Warmup: -1,
		})
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Execute(make(chan struct{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		commits := int64(0)
		for _, s := range res.Strategies {
			t.Logf("%s %s %s: %.0f tps, rel %v held %.0f", w, s.Name, s.Suite, *s.ThroughputTPS.Median, *s.RelativeThroughput.Median, *s.LockHeldNsPerCommit)
			commits += s.Commits
		}
		t.Logf("took %v, %d commits, %v a commit", took, commits, took/time.Duration(commits))
	}
}

func BenchmarkModelWorstCase(b *testing.B) {
	for _, w := range []string{"worst-case", "small"} {
		for _, d := range []string{"none", "in-lock", "batched-ctr"} {
			b.Run(w+"/"+d, func(b *testing.B) {
				commits := int64(0)
				for b.Loop() {
					r, err := NewRun(Config{
						FS: vfs.NewMem(), Workloads: []string{w}, Strategies: []string{d}, VirtualCores: []int{32}, Profile: modelProfile(b, nil),
						Commits: 64000, Warmup: 0,
					})
					if err != nil {
						b.Fatal(err)
					}
					res, err := r.Execute(make(chan struct{}), nil)
					if err != nil {
						b.Fatal(err)
					}
					commits += res.Strategies[0].Commits
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(commits), "ns/commit")
			})
		}
	}
}
