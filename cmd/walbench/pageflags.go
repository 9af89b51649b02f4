package main

import (
	"github.com/spf13/pflag"

	"github.com/walbench/walbench/internal/sizeflag"
	"github.com/walbench/walbench/loadgen"
)

// pageFlags are the flags of workloads that update or fill tables.
var pageFlags = []string{
	"tables", "rows-per-table", "rows-per-update", "fillfactor", "phase",
	"checkpoint-bytes", "checkpoint-commits", "compression", "compressibility",
}

// pageFlagValues are their values as typed.
type pageFlagValues struct {
	options    loadgen.PageOptions
	checkpoint sizeflag.Size
}

func (v *pageFlagValues) register(fl *pflag.FlagSet) {
	o := &v.options
	fl.IntVar(&o.Tables, "tables", 0, "`NUMBER` of tables of worst-case (4) and oltp (1)")
	fl.Int64Var(&o.RowsPerTable, "rows-per-table", 0, "`NUMBER` of rows in each (worst-case 1000000, oltp 2000000)")
	fl.IntVar(&o.RowsPerUpdate, "rows-per-update", 0, "`NUMBER` of random rows a transaction updates (100; oltp 1), or inserts (bulk 1000)")
	fl.IntVar(&o.Fillfactor, "fillfactor", 0, "`PERCENT` of a page that is filled at first (100)")
	fl.StringVar(&o.Phase, "phase", "", "`PHASE` between two checkpoints: fresh, steady, late or images=N (worst-case images=10, oltp late)")
	fl.Var(&v.checkpoint, "checkpoint-bytes", "`SIZE` of the records between two checkpoints of fresh and steady (539MB)")
	fl.Int64Var(&o.CheckpointCommits, "checkpoint-commits", 0, "`NUMBER` of commits between them, in place of --checkpoint-bytes")
	fl.StringVar(&o.Compression, "compression", "", "`METHOD` of page images: off, lz4 or zstd (off)")
	fl.StringVar(&o.Compressibility, "compressibility", "", "`KIND` of rows: hex, blanks, or a share of blanks from 0 to 1 (hex)")
}
