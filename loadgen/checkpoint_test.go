package loadgen

import (
	"slices"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// cyclicRun is what updaters with planned checkpoints left behind.
type cyclicRun struct {
	fsys    vfs.FS
	digests []walsim.Digest
	redos   []pgformat.LSN // where the redo pointer moved to
	retries int64
}

// runCycles has updaters commit transactions each of w, through a log of the
// design, with a planned checkpoint wherever one is due.
func runCycles(t *testing.T, w Workload, design string, updaters, transactions int) cyclicRun {
	t.Helper()
	d, err := strategies.Lookup(design)
	if err != nil {
		t.Fatal(err)
	}
	var suite *strategies.Suite
	if d.DefaultSuite != "" {
		if suite, err = strategies.LookupSuite(d.DefaultSuite); err != nil {
			t.Fatal(err)
		}
	}
	run := cyclicRun{fsys: vfs.NewMem(), digests: make([]walsim.Digest, updaters)}
	gate, errs := NewGate(updaters), make([]error, updaters)
	simtime.NewReal().Run("test", func(p simtime.Proc) {
		l, err := walsim.Create(p, walsim.Options{
			FS: run.fsys, Dir: "log", Design: d, Suite: suite, Master: strategies.NewMasterKey(),
			SysID: 1, SegmentSize: pgformat.MinSegmentSize, Updaters: updaters,
		})
		if err != nil {
			t.Error(err)
			return
		}
		checkpoint := func(p simtime.Proc) (pgformat.LSN, error) {
			redo, err := l.Checkpoint(p)
			run.redos = append(run.redos, redo)
			return redo, err
		}
		handles := make([]simtime.Handle, updaters)
		for i := range handles {
			handles[i] = p.Spawn("updater", func(p simtime.Proc) {
				defer gate.Leave(p)
				loop := Loop{
					Updater: l.Updater(p, i), Source: w.Source(SourceOptions{Updater: i, Updaters: updaters, Seed: 3}), Gate: gate,
					Checkpoint: checkpoint,
				}
				_, errs[i] = loop.Run(p, int64(transactions))
				run.digests[i] = loop.Updater.Acknowledged()
			})
		}
		for _, h := range handles {
			h.Join(p)
			run.retries += h.Meter().Retries
		}
		errs = append(errs, l.Close(p))
	})
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	return run
}

func steadyWorkload(t *testing.T, name string) Workload {
	w, err := openWith(name, PageOptions{RowsPerTable: 100_000, Phase: "steady", CheckpointCommits: 24})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Updaters that run at once, with checkpoints where they are planned, leave the
// same records in every design: only their order differs.
func TestSameRecordsInEveryDesign(t *testing.T) {
	for _, name := range []string{"worst-case", "oltp"} {
		w := steadyWorkload(t, name)
		plain := runCycles(t, w, "none", 4, 20)
		for _, design := range []string{"in-lock", "before-lock", "batched-ctr"} {
			if got := runCycles(t, w, design, 4, 20); !slices.Equal(got.digests, plain.digests) {
				t.Errorf("%s: %s has other records than none", name, design)
			}
		}
		if CycleCommits(w, 4) != 24 || len(plain.redos) != 3 || plain.retries != 0 {
			t.Errorf("%s: cycles of %d, %d checkpoints, %d retries, want 24, 3, 0: updaters are told of the redo pointer",
				name, CycleCommits(w, 4), len(plain.redos), plain.retries)
		}
	}
}

// In the log, each page that a cycle touches has its image once in that cycle:
// with one updater on the first record that touches it, with several on one of
// them. Pages that the cycle makes have none.
func TestImagesInTheLog(t *testing.T) {
	for _, updaters := range []int{1, 4} {
		run := runCycles(t, steadyWorkload(t, "worst-case"), "none", updaters, 96/updaters)
		cycles := readCycles(t, run)
		if len(run.redos) != 3 || len(cycles) != 4 {
			t.Fatalf("%d updaters: %d checkpoints, %d cycles in the log, want 3 and 4", updaters, len(run.redos), len(cycles))
		}
		images, late := 0, 0
		for i, cycle := range cycles {
			for page, seen := range cycle {
				want := 1
				if seen.made {
					want = 0
				}
				if seen.images != want {
					t.Errorf("%d updaters, cycle %d: %d images of %v, want %d", updaters, i, seen.images, page, want)
				}
				images += seen.images
				if seen.late {
					late++
				}
			}
		}
		if images < 7000 || updaters == 1 && late > 0 {
			t.Errorf("%d updaters: %d images, %d of them not on the first touch", updaters, images, late)
		}
	}
}

type pageName struct {
	rel    pgformat.Rel
	number uint32
}

// pageSeen is what a cycle did to a page.
type pageSeen struct {
	images int
	late   bool // the first record that touched it had no image
	made   bool // by that record
}

// readCycles reads a log back, cycle by cycle.
func readCycles(t *testing.T, run cyclicRun) (cycles []map[pageName]*pageSeen) {
	t.Helper()
	r, err := walsim.OpenReader(walsim.ReaderOptions{FS: run.fsys, Dir: "log"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		_, lsn, ok, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return cycles
		}
		if n := len(cycles); n == 0 || n <= len(run.redos) && lsn >= run.redos[n-1] {
			cycles = append(cycles, map[pageName]*pageSeen{})
		}
		cycle := cycles[len(cycles)-1]
		for _, b := range r.Parsed().Blocks {
			name := pageName{b.Rel, b.Number}
			seen := cycle[name]
			if seen == nil {
				seen = &pageSeen{late: !b.HasImage && !b.WillInit, made: b.WillInit}
				cycle[name] = seen
			}
			if b.HasImage {
				seen.images++
			}
		}
	}
}
