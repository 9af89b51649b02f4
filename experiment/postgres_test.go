package experiment

import (
	"testing"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// postgresLocks are settings that between them go every way.
var postgresLocks = map[string]LockConfig{
	"defaults":     {},
	"two locks":    {InsertionLocks: 2},
	"commit delay": {CommitDelay: 50 * time.Microsecond, CommitSiblings: 2},
	"asynchronous": {AsyncCommit: true, WALWriterDelay: 2 * time.Millisecond},
}

// Under PostgreSQL's locks too the data plane that only counts gives the same counts,
// times and positions as the one that moves every byte and reads every log back.
func TestDataPlanesAgreeUnderPostgresLocks(t *testing.T) {
	for name, locks := range postgresLocks {
		for _, workload := range []string{"insert", "oltp", "bulk", "worst-case", "trace:embedded"} {
			t.Run(name+" "+workload, func(t *testing.T) {
				t.Parallel()
				cfg := Config{
					Workloads: []string{workload}, Strategies: allDesigns(), VirtualCores: []int{1, 3}, Device: "model:20us,1GB/s",
					Clients: 5, Commits: 60, Warmup: -1, SegmentSize: 1 << 20, WALBuffers: 128 << 10, Keep: 2 << 20,
					Lock: LockPostgres, Locks: locks, Think: 20 * time.Microsecond,
				}
				if workload == "oltp" {
					cfg.Pages.Phase, cfg.Pages.CheckpointCommits = "fresh", 20
				}
				planesAgree(t, cfg)
			})
		}
	}
}

// A measured run under PostgreSQL's locks reads every log back, says what happened at
// each lock, and keeps its settings.
func TestMeasuredRunUnderPostgresLocks(t *testing.T) {
	for name, locks := range postgresLocks {
		t.Run(name, func(t *testing.T) {
			r, err := NewRun(Config{
				FS: vfs.NewMem(), Workloads: []string{"insert"}, Strategies: allDesigns(), Device: "memory", Runs: 1,
				Clients: 4, Commits: 400, Warmup: -1, SegmentSize: 1 << 20, WALBuffers: 128 << 10, Keep: 2 << 20,
				Lock: LockPostgres, Locks: locks,
			})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Execute(make(chan struct{}), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range res.Strategies {
				checkLocks(t, &res.Strategies[i])
			}
			c := &res.Config
			if c.Lock != LockPostgres || c.InsertionLocks == nil || *c.CommitSiblings == 0 || (*c.SynchronousCommit == "off") != locks.AsyncCommit {
				t.Errorf("configuration %+v", c)
			}
		})
	}
}

func checkLocks(t *testing.T, s *results.Strategy) {
	t.Helper()
	if s.Verified == nil || !s.Verified.OK() {
		t.Errorf("%s: read back %+v", s.Name, s.Verified)
	}
	l := s.Locks
	if l == nil {
		t.Fatalf("%s: no locks", s.Name)
	}
	// Whoever ends a window or makes a checkpoint takes them too, but is no updater. A
	// flush takes the position lock to see what there is, a record to have its place.
	if l.Insert.Acquisitions != s.Records || l.Position.Acquisitions < s.Records || l.Write.Acquisitions != s.LockAcquisitions {
		t.Errorf("%s: %d records, %d commits: %d, %d and %d acquisitions of insertion, position and write lock", s.Name, s.Records, s.Commits,
			l.Insert.Acquisitions, l.Position.Acquisitions, l.Write.Acquisitions)
	}
	held := *l.Write.HeldNsPerCommit + *l.Position.HeldNsPerCommit
	if diff := held - *s.LockHeldNsPerCommit; diff > 1 || diff < -1 {
		t.Errorf("%s: held %v ns a commit, write and position lock %v", s.Name, *s.LockHeldNsPerCommit, held)
	}
}

// A single lock's run says nothing of PostgreSQL's.
func TestSingleLockHasNoLocks(t *testing.T) {
	s := &modelRun(t, Config{
		Workloads: []string{"small"}, Strategies: []string{"none"}, VirtualCores: []int{2}, Clients: 2, Commits: 20, Warmup: -1,
	}).Strategies[0]
	if s.Locks != nil || s.Limits.InsertionBoundTPS != nil || s.WALBuffersFull != 0 {
		t.Errorf("locks %+v, limits %+v", s.Locks, s.Limits)
	}
}

// What limits a run under PostgreSQL's locks: windows are as long as what the limit
// had to do.
func TestLimitsUnderPostgresLocks(t *testing.T) {
	for name, c := range map[string]struct {
		cfg   Config
		limit string
	}{
		"slow device":        {Config{Workloads: []string{"insert"}, VirtualCores: []int{8}, Clients: 32, Device: "model:5ms,1GB/s"}, results.LimitDevice},
		"few cores":          {Config{Workloads: []string{"insert"}, VirtualCores: []int{1}, Clients: 16, Device: "memory", Think: 100 * time.Microsecond}, results.LimitCores},
		"one insertion lock": {Config{Workloads: []string{"bulk"}, VirtualCores: []int{32}, Clients: 32, Device: "null", Locks: LockConfig{InsertionLocks: 1}}, results.LimitInsertion},
		"thinking":           {Config{Workloads: []string{"insert"}, VirtualCores: []int{8}, Clients: 2, Device: "null", Think: time.Millisecond}, results.LimitUpdaters},
	} {
		c.cfg.Strategies, c.cfg.Lock, c.cfg.Commits, c.cfg.Warmup = []string{"none"}, LockPostgres, int64(40*c.cfg.Clients), -1
		s := &modelRun(t, c.cfg).Strategies[0]
		if s.Limits.Resource != c.limit {
			t.Errorf("%s: limited by %s, want %s: lock %.2f, cores %.2f, insertion %.2f, position %.2f", name, s.Limits.Resource, c.limit,
				*s.Limits.LockUtilisation, *s.Limits.CoreUtilisation, *s.Limits.InsertionUtilisation, *s.Limits.PositionUtilisation)
		}
	}
}

// The check of the model covers PostgreSQL's locks.
func TestModelCheckSeesEveryLock(t *testing.T) {
	for class := simtime.LockInsert; class <= simtime.LockMapping; class++ {
		r := &repetition{cores: 1}
		r.end.AtLocks[class] = 7e9
		o := &outcome{}
		o.meter.Locks[class].HoldPs, o.meter.Locks[class].WaitPs = 4e9, 3e9
		if err := r.checkModel(o); err != nil {
			t.Errorf("class %d: %v", class, err)
		}
		o.meter.Locks[class].WaitPs += 1e5
		if err := r.checkModel(o); err == nil {
			t.Errorf("class %d: nothing found", class)
		}
	}
}
