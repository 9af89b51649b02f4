package walsim

import (
	"errors"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// postgresWay runs f under PostgreSQL's locks on both clocks.
func postgresWay(t *testing.T, f func(t *testing.T)) {
	defer func() { current = ways[0] }()
	for _, w := range ways {
		if current = w; w.lock == Postgres {
			t.Run(w.name, f)
		}
	}
}

// plain is a harness for a log without encryption on a device whose syncs take a while.
func plain(t *testing.T, latency simtime.Duration) *harness {
	h := newHarness(t, mustDesign(t, "none"), nil)
	h.o.Device = simtime.Device{Kind: simtime.ModelDevice, Latency: latency, BytesPerSecond: 1e9}
	return h
}

// Several who commit while somebody flushes are flushed together: most return
// without having written anything, and nobody is left out.
func TestGroupCommit(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		const updaters, each = 8, 50
		h := plain(t, 200*simtime.Microsecond)
		h.run(t, updaters, func(int) [][]int { return repeat(each, 40, 34) })
		h.mustReadBack(t)
		m := &h.meter
		most := m.Commits / 2
		if !current.virtual {
			most = m.Commits // who comes when is up to the machine
		}
		if m.Commits != updaters*each || m.Flushes >= most || m.Flushes < each {
			t.Errorf("%d commits in %d flushes, want groups of 2 to %d", m.Commits, m.Flushes, updaters)
		}
		if s := &m.Locks[simtime.LockSerial]; s.WaitsOnly == 0 || s.Acquisitions > m.Commits {
			t.Errorf("%d waits for others, %d acquisitions", s.WaitsOnly, s.Acquisitions)
		}
		if m.SyncCalls < m.Flushes || m.SyncCalls > m.Flushes+2 || m.WriteCalls < m.Flushes {
			t.Errorf("%d flushes with %d writes and %d syncs", m.Flushes, m.WriteCalls, m.SyncCalls)
		}
	})
}

// A flush that is free makes no groups of the updaters of one core: whoever commits
// finds nobody flushing.
func TestNoGroupsWithoutWaiting(t *testing.T) {
	defer func() { current = ways[0] }()
	current = ways[3]
	h := newHarness(t, mustDesign(t, "none"), nil)
	h.run(t, 1, func(int) [][]int { return repeat(100, 40, 34) })
	if h.meter.Flushes != 100 || h.meter.Locks[simtime.LockSerial].WaitsOnly != 0 {
		t.Errorf("%d flushes for 100 commits of one updater", h.meter.Flushes)
	}
}

// The page in which a flush ends is written again by the next: bytes written a new
// byte are 1 + 8192/D.
func TestPartialPagesAreWrittenAgain(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		h := plain(t, 0)
		h.run(t, 1, func(int) [][]int { return repeat(8000, 71, 34) })
		m := &h.meter
		d := float64(h.position.Insert-h.o.SegmentSize.RecordStart(h.o.SegmentSize.Start(1))) / float64(m.Flushes)
		got, want := float64(m.WrittenBytes)/(d*float64(m.Flushes)), 1+8192/d
		if got < 0.99*want || got > 1.01*want || m.Flushes != 8000 {
			t.Errorf("%.3f bytes written per new one in %d flushes, want %.3f", got, m.Flushes, want)
		}
	})
}

// The redo pointer moves in the middle of a transaction: what has been inserted
// stays, the rest is built again, and what is read back is right.
func TestRetryInTheMiddle(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		eachDesignOnce(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
			h := newHarness(t, d, s)
			clock(t).Run("test", func(p simtime.Proc) { retryInTheMiddle(t, h, p) })
			if sum := h.mustReadBack(t); sum.Records != 5 {
				t.Errorf("%d records, want 5", sum.Records)
			}
		})
	})
}

func retryInTheMiddle(t *testing.T, h *harness, p simtime.Proc) {
	l, u := h.open(t, p)
	if l == nil {
		return
	}
	// Which of the records it comes before is told from the calls of prepare.
	prepared, prepare := 0, u.phases.Prepare
	u.phases.Prepare = func(recs []strategies.Record) []strategies.Record {
		if prepared++; prepared == 3 {
			if _, err := l.Checkpoint(p); err != nil {
				t.Error(err)
			}
		}
		if prepare == nil {
			return recs
		}
		return prepare(recs)
	}
	builds := 0
	b := &lengths{content: pgformat.Content{Pool: testPool}, list: []int{100, 9000, 200, 71, 34}}
	b.before = func() { builds++ }
	if _, err := u.Commit(b); err != nil {
		t.Error(err)
	}
	pos := l.Position(p)
	if builds != 2 || b.redo != pos.Redo || p.Meter().Retries != 1 || p.Meter().Records != 5 || prepared != 6 {
		t.Errorf("%d builds, the last for %v, want 2 for %v; %d retries, %d records, %d prepared",
			builds, b.redo, pos.Redo, p.Meter().Retries, p.Meter().Records, prepared)
	}
	if u.Issued() != u.Acknowledged() || u.Acknowledged().Records != 5 {
		t.Errorf("issued %+v, acknowledged %+v", u.Issued(), u.Acknowledged())
	}
	if err := l.Close(p); err != nil {
		t.Error(err)
	}
}

// A commit with many others inside transactions waits for them, one with few does
// not.
func TestCommitDelay(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		flushes := func(siblings int) int64 {
			h := plain(t, 100*simtime.Microsecond)
			h.o.CommitDelay, h.o.CommitSiblings = 5*simtime.Millisecond, siblings
			h.run(t, 6, func(int) [][]int { return repeat(20, 40, 34) })
			h.mustReadBack(t)
			return h.meter.Flushes
		}
		with, without := flushes(1), flushes(6) // nobody has six others
		if with > 30 || without <= with {
			t.Errorf("%d flushes of 120 commits with a delay, %d without", with, without)
		}
	})
}

// Who is alone does not wait, unless no siblings are asked for.
func TestCommitDelayAlone(t *testing.T) {
	defer func() { current = ways[0] }()
	current = ways[3]
	took := func(siblings int) (d simtime.Duration) {
		h := plain(t, 100*simtime.Microsecond)
		h.o.CommitDelay, h.o.CommitSiblings = 5*simtime.Millisecond, siblings
		clock(t).Run("test", func(p simtime.Proc) {
			l, u := h.open(t, p)
			from := p.Now()
			if err := commitAll(u, 0, repeat(10, 40)); err != nil {
				t.Error(err)
			}
			d = p.Now().Sub(from)
			if err := l.Close(p); err != nil {
				t.Error(err)
			}
		})
		return d
	}
	if d := took(1); d > 5*simtime.Millisecond {
		t.Errorf("10 commits took %d us with one sibling asked for", d/simtime.Microsecond)
	}
	if d := took(-1); d < 50*simtime.Millisecond {
		t.Errorf("10 commits took %d us with none asked for, want at least ten delays", d/simtime.Microsecond)
	}
}

// Asynchronous commits return at once, are flushed by the log writer, and all read
// back after Close; hardly a page is written twice.
func TestAsynchronousCommit(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		eachDesignOnce(t, func(t *testing.T, d *strategies.Design, s *strategies.Suite) {
			h := newHarness(t, d, s)
			h.o.AsyncCommit, h.o.WALWriterDelay = true, 5*simtime.Millisecond
			h.run(t, 4, func(int) [][]int { return repeat(600, 100, 300, 34) })
			h.mustReadBack(t)
			if h.meter.Flushes != 0 || h.meter.SyncCalls > 3 { // segments that an inserter completes
				t.Errorf("updaters flushed %d times, synced %d", h.meter.Flushes, h.meter.SyncCalls)
			}
		})
	})
}

// The partial page is not written while there are full ones: written per new byte is
// near 1 (measured: 1.04), where synchronous commits have tens.
func TestAsynchronousCommitWritesFullPages(t *testing.T) {
	defer func() { current = ways[0] }()
	current = ways[3]
	h := newHarness(t, mustDesign(t, "none"), nil)
	h.o.AsyncCommit, h.o.Updaters, h.o.BufferBytes = true, 4, 16<<20
	var written, advance int64
	clock(t).Run("test", func(p simtime.Proc) {
		l, err := Create(p, h.o)
		if err != nil {
			t.Error(err)
			return
		}
		from := l.BeginWindow(p)
		var handles []simtime.Handle
		for i := range 4 {
			handles = append(handles, p.Spawn("updater", func(p simtime.Proc) {
				u := l.Updater(p, i)
				b := &lengths{content: pgformat.Content{Pool: testPool}, list: []int{71, 34}}
				for range 4000 {
					p.Work(500 * simtime.Microsecond)
					if _, err := u.Commit(b); err != nil {
						t.Error(err)
					}
				}
			}))
		}
		for _, x := range handles {
			x.Join(p)
		}
		to, writer := l.EndWindow(p)
		written, advance = writer.WrittenBytes, int64(to.Insert-from.Insert)
		if err := l.Close(p); err != nil {
			t.Error(err)
		}
	})
	if ratio := float64(written) / float64(advance); ratio < 0.95 || ratio > 1.1 {
		t.Errorf("%.3f bytes written per new one, want 1.04", ratio)
	}
}

// An asynchronous commit that a failed device has lost was not acknowledged as far as
// the log's books go.
func TestAsynchronousCommitAfterAnError(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		h := newHarness(t, mustDesign(t, "none"), nil)
		h.o.FS = vfs.NewFault(h.fs, vfs.Rule{Op: vfs.OpSync, Path: "0000000100000000", Nth: 20})
		h.o.AsyncCommit, h.o.WALWriterDelay, h.o.Updaters = true, simtime.Millisecond, 1
		clock(t).Run("test", func(p simtime.Proc) {
			l, u := h.open(t, p)
			b := &lengths{content: pgformat.Content{Pool: testPool}, list: []int{5000}}
			var err error
			for i := 0; i < 3000 && err == nil; i++ {
				_, err = u.Commit(b)
			}
			if closed := l.Close(p); !errors.Is(closed, ErrFailed) && !errors.Is(err, ErrFailed) {
				t.Errorf("errors %v and %v, want one that wraps ErrFailed", err, closed)
			}
		})
		found, _ := h.readBack(t)
		if a, i := h.updaters[0].Acknowledged().Records, h.updaters[0].Issued().Records; found[0].Records < a || found[0].Records > i || a == i {
			t.Errorf("read back %d, acknowledged %d, issued %d", found[0].Records, a, i)
		}
	})
}

// One updater writes the same bytes under both kinds of locks; but nonces may differ.
func TestSameLogUnderBothLocks(t *testing.T) {
	defer func() { current = ways[0] }()
	var got [2]Summary
	for i, w := range []way{ways[1], ways[3]} {
		current = w
		h := newHarness(t, mustDesign(t, "none"), nil)
		h.run(t, 1, func(int) [][]int { return repeat(40, sizes...) })
		got[i] = h.mustReadBack(t)
	}
	if got[0].End.LSN != got[1].End.LSN || got[0].Records != got[1].Records {
		t.Errorf("ends %v and %v", got[0].End.LSN, got[1].End.LSN)
	}
}

func TestLockOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"single with locks": {LockOptions: LockOptions{InsertionLocks: 8}},
		"too many":          {Lock: Postgres, LockOptions: LockOptions{InsertionLocks: 129}},
		"siblings":          {Lock: Postgres, LockOptions: LockOptions{CommitSiblings: -2}},
		"delay":             {Lock: Postgres, LockOptions: LockOptions{CommitDelay: simtime.Second}},
		"writer":            {Lock: Postgres, LockOptions: LockOptions{WALWriterDelay: simtime.Microsecond}},
	} {
		o.FS, o.Dir, o.Design = vfs.NewMem(), "log", mustDesign(t, "none")
		simtime.NewReal().Run("test", func(p simtime.Proc) {
			if _, err := Create(p, o); !errors.Is(err, ErrTopology) {
				t.Errorf("%s: error %v, want ErrTopology", name, err)
			}
		})
	}
}

// However few or many insertion locks there are, records far larger than the buffers
// go in side by side, and checkpoints and recycling come in between.
func TestManyWritersAnyNumberOfInsertionLocks(t *testing.T) {
	postgresWay(t, func(t *testing.T) {
		for _, locks := range []int{1, 2, 3, 128} {
			for _, async := range []bool{false, true} {
				for _, name := range []string{"none", "in-lock", "batched-ctr", "test-two-phase"} {
					manyWriters(t, name, locks, async)
				}
			}
		}
	})
}

func manyWriters(t *testing.T, name string, locks int, async bool) {
	t.Helper()
	d := mustDesign(t, name)
	var s *strategies.Suite
	if d.Mode != strategies.ModeNone {
		s = mustSuite(t, "aes-128-ctr")
	}
	const writers = 6
	h := newHarness(t, d, s)
	h.o.InsertionLocks, h.o.AsyncCommit, h.o.Updaters = locks, async, writers
	h.updaters, h.errs = make([]*Updater, writers), make([]error, writers)
	retries := int64(0)
	clock(t).Run("test", func(p simtime.Proc) {
		l, err := Create(p, h.o)
		if err != nil {
			t.Error(err)
			return
		}
		var handles []simtime.Handle
		for u := range writers {
			handles = append(handles, p.Spawn("updater", func(p simtime.Proc) {
				h.updaters[u] = l.Updater(p, u)
				h.errs[u] = commitAll(h.updaters[u], u, repeat(15, 100, 70000, 34, 9000))
			}))
		}
		checkpoints := p.Spawn("checkpoints", func(p simtime.Proc) {
			for range 20 {
				if _, err := l.Checkpoint(p); err != nil {
					t.Error(err)
				}
				p.Sleep(200 * simtime.Microsecond)
			}
		})
		for _, x := range handles {
			x.Join(p)
			retries += x.Meter().Retries
		}
		checkpoints.Join(p)
		if err := l.Close(p); err != nil {
			t.Error(err)
		}
	})
	if retries == 0 && current.virtual {
		t.Errorf("%s, %d locks: no retry", name, locks)
	}
	h.mustReadBack(t)
}
