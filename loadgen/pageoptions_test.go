package loadgen

import (
	"errors"
	"strings"
	"testing"

	"github.com/walbench/walbench/fpw"
	"github.com/walbench/walbench/internal/vfs"
)

func openWith(name string, o PageOptions) (Workload, error) {
	return Open(name, Options{FS: vfs.OS(), PageOptions: o})
}

// Every bad option gives one line that names it, its value and what would do.
func TestPageOptionsRefuse(t *testing.T) {
	for _, c := range []struct {
		workload string
		options  PageOptions
		want     string
	}{
		{"worst-case", PageOptions{Tables: 65}, "--tables 65: want 1 to 64"},
		{"worst-case", PageOptions{Tables: -1}, "--tables -1: want 1 to 64"},
		{"worst-case", PageOptions{RowsPerTable: -5}, "--rows-per-table -5: want 1 to 200000000"},
		{"worst-case", PageOptions{RowsPerUpdate: 10_001}, "--rows-per-update 10001: want 1 to 10000"},
		{"bulk", PageOptions{RowsPerUpdate: -1}, "--rows-per-update -1: want 1 to 10000"},
		{"oltp", PageOptions{Fillfactor: 9}, "--fillfactor 9: want 10 to 100"},
		{"worst-case", PageOptions{Phase: "hot"}, "--phase hot: want fresh, steady, late or images=N"},
		{"worst-case", PageOptions{Phase: "images=101"}, "--phase images=101: want images=1 to images=100"},
		{"oltp", PageOptions{Phase: "images=10"}, "--phase images=10: want images=0.01 to images=1"},
		{"worst-case", PageOptions{Compression: "pglz"}, "--compression pglz: want off, lz4 or zstd"},
		{"worst-case", PageOptions{Compressibility: "1.5"}, `--compressibility "1.5": want hex, blanks, or a number from 0 to 1`},
		{"worst-case", PageOptions{Compressibility: "NaN"}, `--compressibility "NaN": want hex, blanks, or a number from 0 to 1`},
		{"worst-case", PageOptions{CheckpointBytes: 1 << 20}, "--checkpoint-bytes 1048576: want it only in the phases fresh and steady, not in images=10"},
		{"oltp", PageOptions{CheckpointCommits: 9}, "--checkpoint-commits 9: want it only in the phases fresh and steady, not in late"},
		{"oltp", PageOptions{Phase: "steady", CheckpointCommits: -9}, "--checkpoint-commits -9: want 0 to 134217728"},
		{"worst-case", PageOptions{Phase: "steady", CheckpointCommits: 1 << 27},
			"--checkpoint-commits 134217728: want at most 1342177 with 100 rows an update"},
		{"worst-case", PageOptions{Phase: "fresh", CheckpointBytes: 17 << 30},
			"--checkpoint-bytes 18253611008: want 0 to 17179869184"},
		{"worst-case", PageOptions{Phase: "fresh", CheckpointBytes: 5, CheckpointCommits: 5},
			"--checkpoint-bytes 5: want it or --checkpoint-commits, not both"},
		{"worst-case", PageOptions{Tables: 64, RowsPerTable: 10_000_000},
			"--rows-per-table 10000000: want at most 3125000 in each of 64 tables"},
		{"worst-case", PageOptions{RowsPerTable: 20_000_000, Fillfactor: 10},
			"--rows-per-table 20000000: want at most 6000000 in each of 4 tables of 6 rows a page"},
		{"small", PageOptions{Tables: 1}, "--tables 1: want it only with a workload that has it; small does not"},
		{"bulk", PageOptions{Phase: "late"}, "--phase late: want it only with a workload that has it; bulk does not"},
		{"trace:embedded", PageOptions{Compression: "lz4"}, "--compression lz4: want it only with a workload that has it; trace:embedded does not"},
	} {
		_, err := openWith(c.workload, c.options)
		if err == nil || err.Error() != c.want || !errors.Is(err, ErrInput) {
			t.Errorf("%s %+v:\ngot  %v\nwant %s", c.workload, c.options, err, c.want)
		}
	}
}

// The numbers of the article and of the measured tables.
func TestPageDefaults(t *testing.T) {
	worst := open(t, "worst-case").(*updates).model.Config()
	want := fpw.Config{
		Table:  fpw.Table{Rows: 1_000_000, TupleBytes: 117, Fillfactor: 100},
		Tables: 4, RowsPerUpdate: 100, NonHot: 0.0033, Phase: fpw.Phase{Kind: fpw.Images, Images: 10},
		Seed: fpw.PlanSeed, OtherBytes: 34, HotData: [2]int{11, 11}, FirstNode: 16384,
	}
	if worst != want || worst.Table.RowsPerPage() != 65 {
		t.Errorf("worst-case is %+v with %d rows a page, want %+v with 65", worst, worst.Table.RowsPerPage(), want)
	}
	oltp := open(t, "oltp").(*updates).model.Config()
	if oltp.RowsPerUpdate != 1 || oltp.Table.Rows != 2_000_000 || oltp.Phase.Kind != fpw.Late {
		t.Errorf("oltp is %+v", oltp)
	}
	steady, err := openWith("worst-case", PageOptions{Phase: "steady"})
	if err != nil {
		t.Fatal(err)
	}
	c := steady.(*updates).model.Config()
	if got := float64(c.CycleBytes) * 1.9 / (1 << 30); got < 0.999 || got > 1.001 {
		t.Errorf("a cycle has %d bytes, want max_wal_size of 1 GB / 1.9", c.CycleBytes)
	}
}

// A tenth of the rows, by default, whatever their number.
func TestDefaultPhaseFollowsRows(t *testing.T) {
	w, err := openWith("worst-case", PageOptions{RowsPerUpdate: 5})
	if err != nil {
		t.Fatal(err)
	}
	if p := w.(*updates).model.Config().Phase.String(); p != "images=0.5" {
		t.Errorf("phase %s, want images=0.5", p)
	}
}

func TestCompressionNote(t *testing.T) {
	w, err := openWith("worst-case", PageOptions{Compression: "lz4"})
	if err != nil {
		t.Fatal(err)
	}
	if notes := w.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "worst-case: images are compressed") {
		t.Errorf("notes %q", notes)
	}
	if notes := open(t, "worst-case").Notes(); notes != nil {
		t.Errorf("notes %q without compression", notes)
	}
}
