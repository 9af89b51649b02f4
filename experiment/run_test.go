package experiment

import (
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// execute runs cfg and fails the test on an error.
func execute(t *testing.T, cfg Config) *results.Run {
	t.Helper()
	if cfg.FS == nil {
		cfg.FS = vfs.NewMem()
	}
	r, err := NewRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Execute(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func byName(t *testing.T, res *results.Run, name string) *results.Strategy {
	t.Helper()
	for i := range res.Strategies {
		if res.Strategies[i].Name == name {
			return &res.Strategies[i]
		}
	}
	t.Fatalf("no strategy %s in the result", name)
	return nil
}

// workloads are one of each kind.
var workloads = []string{
	"small", "insert", "trace:embedded", "wal:../loadgen/testdata/seg1mb_mix_000000010000000000000019.gz",
}

func TestEveryWorkloadReadsBackInEveryDesign(t *testing.T) {
	for _, w := range workloads {
		t.Run(w, func(t *testing.T) {
			res := execute(t, Config{
				FS: vfs.OS(), Workloads: []string{w}, Strategies: strategies.Names(), Suites: []string{"aes-128-ctr", "aes-256-ctr"},
				Commits: 120, Warmup: -1, Runs: 2, Clients: 3, SegmentSize: pgformat.MinSegmentSize, WALBuffers: 64 << 10,
			})
			for _, s := range res.Strategies {
				if v := s.Verified; v == nil || !v.OK() || v.RecordsRecovered != v.RecordsAcknowledged || v.RecordsRecovered == 0 {
					t.Errorf("%s/%s: read back %+v", s.Name, s.Suite, v)
				}
				if s.Commits != 2*120 {
					t.Errorf("%s/%s: %d commits, want 240: the warm-up must not count", s.Name, s.Suite, s.Commits)
				}
			}
			sameWork(t, res)
		})
	}
}

// sameWork requires that all designs were given the same records.
func sameWork(t *testing.T, res *results.Run) {
	t.Helper()
	none := byName(t, res, "none")
	for _, s := range res.Strategies {
		if s.RealBytes != none.RealBytes || s.Records != none.Records || s.Images != none.Images {
			t.Errorf("%s: %d real bytes in %d records with %d images, none had %d in %d with %d",
				s.Name, s.RealBytes, s.Records, s.Images, none.RealBytes, none.Records, none.Images)
		}
	}
}

// smallClosedForm is what in-lock encrypts for n commits of one 100-byte record
// from the first usable byte of a segment on: with each commit, the page's
// records so far, again.
func smallClosedForm(seg pgformat.SegmentSize, n int) (encrypted, real int64) {
	at := seg.RecordStart(seg.Start(1))
	for range n {
		from := at
		at = seg.Advance(at, pgformat.Align8(100))
		// The pages of this flush: the one the record began on, and the next one
		// if it went over.
		for page := seg.RecordStart(from).Page(); page < at; page += pgformat.PageSize {
			end := min(at, page+pgformat.PageSize)
			encrypted += int64(end-page) - int64(seg.HeaderSize(page))
		}
		real += 100
	}
	return encrypted, real
}

func TestSmallRecordsEncryptedBytes(t *testing.T) {
	const commits = 20000
	res := execute(t, Config{Workloads: []string{"small"}, Commits: commits, Warmup: 0, Runs: 1, Clients: 1})
	encrypted, real := smallClosedForm(pgformat.DefaultSegmentSize, commits)
	in := byName(t, res, "in-lock")
	if in.EncryptedBytes != encrypted || in.RealBytes != real {
		t.Errorf("in-lock: %d encrypted and %d real bytes, closed form %d and %d", in.EncryptedBytes, in.RealBytes, encrypted, real)
	}
	if ratio := *in.EncryptedBytesPerRealByte; math.Abs(ratio/41.8-1) > 0.01 {
		t.Errorf("in-lock: %.3f encrypted bytes per real byte, want 41.8 within 1 %%", ratio)
	}
	for name, want := range map[string]float64{"none": 0, "before-lock": 0.76, "batched-ctr": 0.76} {
		if got := *byName(t, res, name).EncryptedBytesPerRealByte; got != want {
			t.Errorf("%s: %v encrypted bytes per real byte, want exactly %v", name, got, want)
		}
	}
	for name, want := range map[string]float64{"none": 0, "in-lock": 0, "before-lock": 0.12, "batched-ctr": 0.12} {
		if got := *byName(t, res, name).LogGrowth; got != want {
			t.Errorf("%s: log growth %v, want exactly %v", name, got, want)
		}
	}
}

// The same seed gives the same log, byte for byte, where nothing is random: one
// updater, no cipher.
func TestSameSeedSameLog(t *testing.T) {
	for _, w := range workloads {
		var logs [3]map[string]string
		for i, seed := range []uint64{7, 7, 8} {
			dir := t.TempDir()
			execute(t, Config{
				FS: vfs.OS(), Workloads: []string{w}, Strategies: []string{"none"}, Device: "file:" + dir, Clients: 1, Seed: seed,
				Commits: 300, Warmup: -1, Runs: 1, SegmentSize: pgformat.MinSegmentSize,
			})
			logs[i] = readLog(t, filepath.Join(dir, "none"))
		}
		for name, content := range logs[0] {
			if logs[1][name] != content {
				t.Errorf("%s: %s differs between two runs with the same seed", w, name)
			}
		}
		if len(logs[0]) == 0 || len(logs[0]) != len(logs[1]) {
			t.Errorf("%s: %d and %d segments", w, len(logs[0]), len(logs[1]))
		}
		if first := pgformat.MinSegmentSize.Name(1, 1); logs[2][first] == logs[0][first] {
			t.Errorf("%s: another seed gives the same log", w)
		}
	}
}

func readLog(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := vfs.OS().ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if !pgformat.IsSegmentName(e.Name) {
			continue
		}
		b, err := vfs.ReadFile(vfs.OS(), filepath.Join(dir, e.Name), 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name] = string(b)
	}
	return files
}

// A log that keeps only so much pauses, is verified and recycled, and in the end
// everything has been read back.
func TestKeepPausesAndRecycles(t *testing.T) {
	dir := t.TempDir()
	res := execute(t, Config{
		FS: vfs.OS(), Workloads: []string{"trace:embedded"}, Device: "file:" + dir, Clients: 3, Commits: 300, Warmup: -1, Runs: 1,
		SegmentSize: pgformat.MinSegmentSize, WALBuffers: 64 << 10, Keep: 4 << 20,
	})
	for _, s := range res.Strategies {
		if v := s.Verified; !v.OK() || v.RecordsRecovered < s.Records || s.WrittenBytes < 20<<20 {
			t.Errorf("%s: read back %+v of %d records, %d bytes written", s.Name, v, s.Records, s.WrittenBytes)
		}
		pair := Pair{Design: mustLookup(t, s.Name)}
		if s.Suite != "-" {
			pair.Suite, _ = strategies.LookupSuite(s.Suite)
		}
		if n := len(readLog(t, filepath.Join(dir, pair.Folder()))); n > 9 {
			t.Errorf("%s: %d segments of 1 MB kept, want at most keep and the ones ahead", s.Name, n)
		}
	}
}

func mustLookup(t *testing.T, name string) *strategies.Design {
	t.Helper()
	d, err := strategies.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A full disk in mid-run: the error is reported, the partial result is kept and
// marked, and what was acknowledged reads back.
func TestDeviceFailureKeepsThePartialResult(t *testing.T) {
	for name, rule := range map[string]vfs.Rule{
		"disk full":  {Op: vfs.OpWrite, Path: "in-lock", Nth: 400, Err: unix.ENOSPC, Sticky: true},
		"sync fails": {Op: vfs.OpSync, Path: "in-lock", Nth: 200},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r, err := NewRun(Config{
				FS: vfs.NewFault(vfs.OS(), rule), Workloads: []string{"insert"}, Device: "file:" + dir, Clients: 3,
				Commits: 900, Warmup: 0, Runs: 2, SegmentSize: pgformat.MinSegmentSize,
			})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Execute(nil, nil)
			var verify *VerifyError
			if err == nil || errors.As(err, &verify) {
				t.Fatalf("error %v, want the device's", err)
			}
			if res == nil || res.Complete {
				t.Fatal("want a result that is marked as partial")
			}
			if s := byName(t, res, "in-lock"); s.Commits == 0 || s.Commits >= 900 || !s.Verified.OK() {
				t.Errorf("in-lock: %d commits, read back %+v", s.Commits, s.Verified)
			}
		})
	}
}

// Stopping a run ends it between two transactions and keeps what was measured.
func TestStopKeepsThePartialResult(t *testing.T) {
	fsys := vfs.NewFault(vfs.OS())
	r, err := NewRun(Config{
		FS: fsys, Workloads: []string{"insert"}, Clients: 2, Commits: 1 << 40, Runs: 1, Warmup: 0, Device: "file:" + t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	stop, syncs := make(chan struct{}), 0
	fsys.Observe(func(op vfs.Op, name string) {
		if op == vfs.OpSync && pgformat.IsSegmentName(filepath.Base(name)) {
			if syncs++; syncs == 50 {
				close(stop)
			}
		}
	})
	res, err := r.Execute(stop, nil)
	if !errors.Is(err, ErrInterrupted) || res.Complete {
		t.Fatalf("error %v, complete %v, want interrupted and partial", err, res.Complete)
	}
	if s := byName(t, res, "none"); s.Commits == 0 || !s.Verified.OK() || s.Verified.RecordsRecovered != 2*s.Commits {
		t.Errorf("%d commits, read back %+v", s.Commits, s.Verified)
	}
}

func TestUsageErrors(t *testing.T) {
	for name, cfg := range map[string]Config{
		"clients":          {Clients: -1},
		"runs":             {Runs: -2},
		"commits":          {Commits: -1},
		"both":             {Commits: 10, Duration: time.Second},
		"lock":             {Lock: "mysql"},
		"locks of another": {Locks: LockConfig{InsertionLocks: 8}},
		"insertion locks":  {Lock: LockPostgres, Locks: LockConfig{InsertionLocks: 129}},
		"commit delay":     {Lock: LockPostgres, Locks: LockConfig{CommitDelay: time.Second}},
		"siblings":         {Lock: LockPostgres, Locks: LockConfig{CommitSiblings: 1001}},
		"no log writer":    {Lock: LockPostgres, Locks: LockConfig{WALWriterDelay: time.Second}},
		"slow log writer":  {Lock: LockPostgres, Locks: LockConfig{AsyncCommit: true, WALWriterDelay: time.Minute}},
		"delay, no flush":  {Lock: LockPostgres, Locks: LockConfig{AsyncCommit: true, CommitDelay: time.Millisecond}},
		"segment size":     {SegmentSize: 12345},
		"buffers":          {WALBuffers: 1000},
		"keep":             {Keep: 1000},
		"strategy":         {Strategies: []string{"rot13"}},
		"suite":            {Suites: []string{"rot13"}},
		"workload":         {Workloads: []string{"tpc-z"}},
		"missing trace":    {Workloads: []string{"trace:/nowhere.csv"}},
		"device":           {Device: "tape"},
		"file without dir": {Device: "file:"},
		"trace order":      {TraceOrder: "sorted"},
		"exact small":      {TraceOrder: "exact", Workloads: []string{"small"}},
		"exact commits":    {TraceOrder: "exact", Commits: 5},
		"master key":       {MasterKey: "/nowhere.key"},
	} {
		cfg.FS = vfs.OS()
		var usage *UsageError
		if _, err := NewRun(cfg); !errors.As(err, &usage) {
			t.Errorf("%s: error %v, want a usage error", name, err)
		}
	}
}

// A folder with anything in it that walbench did not write is left alone.
func TestForeignFilesAreKept(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "none", "thesis.tex")
	if err := vfs.OS().MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := vfs.WriteFileAtomic(vfs.OS(), name, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	var usage *UsageError
	if _, err := NewRun(Config{FS: vfs.OS(), Device: "file:" + dir}); !errors.As(err, &usage) || !errors.Is(err, errForeign) {
		t.Errorf("error %v, want a usage error that names the file", err)
	}
	if ok, err := vfs.Exists(vfs.OS(), name); !ok || err != nil {
		t.Errorf("the file is gone (%v)", err)
	}
}

// Every record of a trace lands where the trace has it.
func TestTraceOrderExact(t *testing.T) {
	for _, trace := range []string{"copy.csv.gz", "vacuum_full.csv.gz", "small_insert_1c.csv.gz"} {
		res := execute(t, Config{
			FS: vfs.OS(), Workloads: []string{"trace:../loadgen/testdata/" + trace}, TraceOrder: TraceOrderExact, Runs: 1,
			Strategies: []string{"none", "in-lock"},
		})
		if s := byName(t, res, "in-lock"); !s.Verified.OK() || s.Records < 1000 {
			t.Errorf("%s: %d records, read back %+v", trace, s.Records, s.Verified)
		}
	}
}

// Few commits, fewer than updaters even, are a whole run: percentiles lie between
// the extremes, and warm-up is in no figure.
func TestVeryShortRuns(t *testing.T) {
	for commits := int64(1); commits <= 3; commits++ {
		res := execute(t, Config{Workloads: []string{"insert"}, Clients: 8, Commits: commits, Warmup: -1, Runs: 1, Device: "memory"})
		for _, s := range res.Strategies {
			if s.Commits != commits || s.Records != 2*commits || !s.Verified.OK() {
				t.Errorf("%s: %d commits, %d records, read back %+v, want %d commits", s.Name, s.Commits, s.Records, s.Verified, commits)
			}
			for what, d := range map[string]results.Distribution{
				"hold": s.LockHoldNs.Distribution, "wait": s.LockWaitNs, "latency": s.CommitLatencyNs,
			} {
				if d.P50 == nil || *d.P50 > *d.P99 || *d.P99 > *d.Max || *d.P50 < 0 {
					t.Errorf("%s: %s %+v out of order", s.Name, what, d)
				}
			}
		}
	}
}

// A pause, in which the log is read back and recycled, is in no figure: every
// commit takes the lock once, and nothing else does.
func TestPausesAreInNoFigure(t *testing.T) {
	res := execute(t, Config{
		Workloads: []string{"insert"}, Device: "memory", Clients: 3, Commits: 30000, Warmup: 0, Runs: 1,
		SegmentSize: pgformat.MinSegmentSize, Keep: 2 << 20,
	})
	for _, s := range res.Strategies {
		if s.LockAcquisitions != s.Commits || !s.Verified.OK() || s.Verified.RecordsRecovered != s.Records {
			t.Errorf("%s: %d acquisitions for %d commits, read back %+v", s.Name, s.LockAcquisitions, s.Commits, s.Verified)
		}
	}
}

// An error while reading back is an error, and no verdict about the log.
func TestReadErrorIsNoVerdict(t *testing.T) {
	for nth := 1; nth < 12; nth++ {
		r, err := NewRun(Config{
			FS: vfs.NewFault(vfs.NewMem(), vfs.Rule{Op: vfs.OpRead, Path: "/0000000100000000", Nth: nth}), Device: "file:logs",
			Strategies: []string{"none"}, Workloads: []string{"small"}, Clients: 2, Commits: 40000, Warmup: 0, Runs: 1,
			SegmentSize: pgformat.MinSegmentSize, Keep: 2 << 20,
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Execute(nil, nil)
		var verify *VerifyError
		if !errors.Is(err, unix.EIO) || errors.As(err, &verify) {
			t.Errorf("read %d fails: error %v, want the disk's", nth, err)
		}
	}
}

// Files with the names of a log's are not proof that walbench wrote them.
func TestForeignSegmentsAreKept(t *testing.T) {
	for _, folder := range []string{"none", "in-lock_aes-128-ctr", "pilot"} {
		dir := t.TempDir()
		name := filepath.Join(dir, folder, "000000010000000000000011")
		if err := vfs.OS().MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileAtomic(vfs.OS(), name, []byte("precious"), 0o644); err != nil {
			t.Fatal(err)
		}
		var usage *UsageError
		if _, err := NewRun(Config{FS: vfs.OS(), Device: "file:" + dir}); !errors.As(err, &usage) {
			t.Errorf("%s: error %v, want a usage error", folder, err)
		}
		if ok, err := vfs.Exists(vfs.OS(), name); !ok || err != nil {
			t.Errorf("%s: the segment is gone (%v)", folder, err)
		}
	}
}

// The pilot leaves the folders of designs that are not in the list alone, and
// nothing of its own.
func TestPilotLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	execute(t, Config{
		FS: vfs.OS(), Device: "file:" + dir, Strategies: []string{"in-lock"}, Workloads: []string{"small"},
		Duration: time.Millisecond, Runs: 1, Clients: 2, SegmentSize: pgformat.MinSegmentSize,
	})
	entries, err := vfs.OS().ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name != "in-lock_aes-128-ctr" {
		t.Errorf("left in the folder: %+v (%v), want in-lock_aes-128-ctr alone", entries, err)
	}
}

// Two runs on one folder would destroy each other's logs.
func TestOneRunAFolder(t *testing.T) {
	dir := t.TempDir()
	lock, err := vfs.OS().Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	r, err := NewRun(Config{FS: vfs.OS(), Device: "file:" + dir, Workloads: []string{"small"}, Commits: 10, Runs: 1, Warmup: 0})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Execute(nil, nil); !errors.Is(err, vfs.ErrLocked) {
		t.Errorf("error %v, want ErrLocked", err)
	}
}
