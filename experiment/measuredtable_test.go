package experiment

import (
	"fmt"
	"testing"
	"time"

	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/results/published/profiles"
)

// oneRow runs one-row inserts under PostgreSQL's locks on two cores, as a server and
// its client did that were measured: about 140 us of processor time a transaction. All
// else it costs is what the reference profile says, of a machine of the same kind.
func oneRow(t *testing.T, clients int, device string) *results.Strategy {
	t.Helper()
	res := modelRun(t, Config{
		Workloads: []string{"insert"}, Strategies: []string{"none"}, Lock: LockPostgres, VirtualCores: []int{2},
		Clients: clients, Commits: int64(200*clients + 12000), Warmup: -1, Device: device, Think: 140 * time.Microsecond,
		Profile: profiles.Reference(),
	})
	return &res.Strategies[0]
}

// within says whether v is at most a part of want away from it.
func within(v, want, part float64) bool { return v >= want*(1-part) && v <= want*(1+part) }

// writtenPerNew is written bytes per byte by which the log grew, and what it has to
// be if whole pages are written and the last one again: 1 + 8192/D.
func writtenPerNew(s *results.Strategy) (got, want float64) {
	d := *s.BytesPerFlush
	return float64(s.WrittenBytes) / (d * float64(s.Flushes)), 1 + 8192/d
}

// A PostgreSQL 15 server on two cores, one-row inserts: bytes a write (D) and commits
// a sync at 1, 8, 32 and 64 clients, with the mean sync time of each (the server's
// disk took between 0.06 and 3 ms). Two runs at 8 clients gave 289 and 412 bytes.
func TestMeasuredFlushSizes(t *testing.T) {
	const tolerance = 0.25
	for _, c := range []struct {
		clients             int
		sync                string
		lowest, most, group float64 // D in bytes, commits a sync
	}{
		{1, "3.1ms", 112, 112, 1},
		{8, "500us", 289, 412, 2.56},
		{32, "760us", 839, 839, 7.47},
		{64, "900us", 1435, 1435, 12.8},
	} {
		s := oneRow(t, c.clients, fmt.Sprintf("model:%s,1GB/s,varying", c.sync))
		d, group := *s.BytesPerFlush, *s.CommitsPerFlush
		t.Logf("%d clients: D %.0f bytes (measured %.0f to %.0f), %.2f commits a sync (%.2f), limited by %s",
			c.clients, d, c.lowest, c.most, group, c.group, s.Limits.Resource)
		if d < c.lowest*(1-tolerance) || d > c.most*(1+tolerance) {
			t.Errorf("%d clients: %.0f bytes a write, measured %.0f to %.0f", c.clients, d, c.lowest, c.most)
		}
		if !within(group, c.group, tolerance) {
			t.Errorf("%d clients: %.2f commits a sync, measured %.2f", c.clients, group, c.group)
		}
		if got, want := writtenPerNew(s); !within(got, want, 0.01) {
			t.Errorf("%d clients: %.3f bytes written per new one, want %.3f", c.clients, got, want)
		}
	}
}

// A flush that is free leaves nobody to wait for it: no group commit, however many
// clients there are (measured with the log in memory: D 122 bytes at 64).
func TestFreeFlushMakesNoGroups(t *testing.T) {
	for _, clients := range []int{1, 8, 64} {
		s := oneRow(t, clients, "memory")
		t.Logf("%d clients: D %.0f bytes, %.2f commits a sync", clients, *s.BytesPerFlush, *s.CommitsPerFlush)
		if !within(*s.BytesPerFlush, 117, 0.15) {
			t.Errorf("%d clients: %.0f bytes a write, measured 113 to 127", clients, *s.BytesPerFlush)
		}
	}
}

// Page images move the waiting: right after a checkpoint, with many clients, a good
// part of it is for insertion, which small transactions hardly ever wait for. The
// server's shares of all samples, in % for the write lock and for insertion (both its
// locks), at 8, 32 and 64 clients: 65 and 14, 38 and 46, 24 and 61 with images; 74 and
// 1, 75 and 6 (8 and 32 clients) when all pages had been touched.
func TestPageImagesMoveTheWaitToInsertion(t *testing.T) {
	share := func(phase string, clients int) float64 {
		cfg := Config{
			Workloads: []string{"worst-case"}, Strategies: []string{"none"}, Lock: LockPostgres, VirtualCores: []int{2},
			Clients: clients, Commits: int64(20 * clients), Warmup: -1, Device: "model:600us,300MB/s", Think: time.Millisecond,
			Profile: profiles.Reference(),
		}
		cfg.Pages.Phase = phase
		l := modelRun(t, cfg).Strategies[0].Locks
		insertion := *l.Insert.WaitedNsPerCommit + *l.Mapping.WaitedNsPerCommit
		all := insertion + *l.Position.WaitedNsPerCommit + *l.Write.WaitedNsPerCommit
		t.Logf("%s, %d clients: %.0f us a commit at locks, %.1f %% of it for insertion", phase, clients, all/1000, 100*insertion/all)
		return insertion / all
	}
	few, many, most := share("fresh", 8), share("fresh", 32), share("fresh", 64)
	if few > 0.2 || many < 0.1 || most < 0.25 || many < few || most < many {
		t.Errorf("shares of insertion with images %.3f, %.3f, %.3f at 8, 32, 64 clients: want them to rise to half", few, many, most)
	}
	for _, clients := range []int{8, 32} {
		if v := share("late", clients); v > 0.06 {
			t.Errorf("share of insertion without images %.3f at %d clients, want little", v, clients)
		}
	}
}
