package loadgen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/walbench/walbench/fpw"
)

// PageOptions are the options of workloads that update or fill the pages of
// tables. Zero values take the workload's defaults.
type PageOptions struct {
	Tables        int   // 1 to 64
	RowsPerTable  int64 // at least 1; at most 200 million rows in all tables
	RowsPerUpdate int   // rows a transaction updates or inserts, 1 to 10,000
	Fillfactor    int   // percent, 10 to 100

	// Phase is fresh, steady, late or images=N: where between two checkpoints the
	// work is. See [fpw.PhaseKind].
	Phase string
	// CheckpointBytes and CheckpointCommits end a checkpoint cycle of fresh and
	// steady: after so many bytes of records, or after so many transactions. One of
	// them may be set.
	CheckpointBytes   int64
	CheckpointCommits int64

	// Compression of page images: off, lz4, zstd.
	Compression string
	// Compressibility of rows: hex (random digits), blanks, or the share of blanks
	// between them, 0 to 1.
	Compressibility string
}

// DefaultCheckpointBytes is what PostgreSQL's defaults give: max_wal_size 1 GB
// divided by 1 + checkpoint_completion_target 0.9.
const DefaultCheckpointBytes = 1 << 30 * 10 / 19

// Options as typed.
const (
	optTables            = "--tables"
	optRowsPerTable      = "--rows-per-table"
	optRowsPerUpdate     = "--rows-per-update"
	optFillfactor        = "--fillfactor"
	optPhase             = "--phase"
	optCheckpointBytes   = "--checkpoint-bytes"
	optCheckpointCommits = "--checkpoint-commits"
	optCompression       = "--compression"
	optCompressibility   = "--compressibility"
)

// given is an option that is not zero.
type given struct {
	option string
	value  any
}

// given lists the options that are set.
func (o *PageOptions) given() (list []given) {
	add := func(set bool, option string, value any) {
		if set {
			list = append(list, given{option, value})
		}
	}
	add(o.Tables != 0, optTables, o.Tables)
	add(o.RowsPerTable != 0, optRowsPerTable, o.RowsPerTable)
	add(o.RowsPerUpdate != 0, optRowsPerUpdate, o.RowsPerUpdate)
	add(o.Fillfactor != 0, optFillfactor, o.Fillfactor)
	add(o.Phase != "", optPhase, o.Phase)
	add(o.CheckpointBytes != 0, optCheckpointBytes, o.CheckpointBytes)
	add(o.CheckpointCommits != 0, optCheckpointCommits, o.CheckpointCommits)
	add(o.Compression != "", optCompression, o.Compression)
	add(o.Compressibility != "", optCompressibility, o.Compressibility)
	return list
}

// Given lists the options that are set, by name without dashes.
func (o *PageOptions) Given() map[string]string {
	m := map[string]string{}
	for _, g := range o.given() {
		m[g.option[2:]] = fmt.Sprint(g.value)
	}
	return m
}

// only refuses options that a workload has no use for.
func (o *PageOptions) only(workload string, known ...string) error {
	for _, g := range o.given() {
		if !slices.Contains(known, g.option) {
			return &OptionError{g.option, g.value, "it only with a workload that has it; " + workload + " does not"}
		}
	}
	return nil
}

// checkNumbers checks bounds of single options.
func (o *PageOptions) checkNumbers() error {
	for _, c := range []struct {
		option           string
		value, low, high int64
	}{
		{optTables, int64(o.Tables), 1, fpw.MaxTables},
		{optRowsPerTable, o.RowsPerTable, 1, fpw.MaxRows},
		{optRowsPerUpdate, int64(o.RowsPerUpdate), 1, fpw.MaxUpdateRows},
		{optFillfactor, int64(o.Fillfactor), 10, 100},
		{optCheckpointBytes, o.CheckpointBytes, 0, fpw.MaxCycleBytes},
		{optCheckpointCommits, o.CheckpointCommits, 0, fpw.MaxCycleRows},
	} {
		if c.value < c.low || c.value > c.high {
			return &OptionError{c.option, c.value, boundsText(c.low, c.high)}
		}
	}
	return nil
}

func boundsText(low, high int64) string { return fmt.Sprintf("%d to %d", low, high) }

// defaults fills in what is not set.
func (o *PageOptions) defaults(by PageOptions) {
	orDefault(&o.Tables, by.Tables)
	orDefault(&o.RowsPerTable, by.RowsPerTable)
	orDefault(&o.RowsPerUpdate, by.RowsPerUpdate)
	orDefault(&o.Fillfactor, by.Fillfactor)
	orDefault(&o.Phase, by.Phase)
	orDefault(&o.Compression, by.Compression)
	orDefault(&o.Compressibility, by.Compressibility)
}

func orDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// config makes the model's config for rows of tupleBytes; by are the workload's
// defaults.
func (o PageOptions) config(tupleBytes int, by PageOptions) (c fpw.Config, err error) {
	o.defaults(by)
	if err := o.checkNumbers(); err != nil {
		return c, err
	}
	c = fpw.Config{
		Table:  fpw.Table{Rows: o.RowsPerTable, TupleBytes: tupleBytes, Fillfactor: o.Fillfactor},
		Tables: o.Tables, RowsPerUpdate: o.RowsPerUpdate,
	}
	if c.Phase, err = fpw.ParsePhase(o.Phase); err != nil {
		return c, &OptionError{optPhase, o.Phase, "fresh, steady, late or images=N"}
	}
	if c.Compression, err = fpw.ParseCompression(o.Compression); err != nil {
		return c, &OptionError{optCompression, o.Compression, "off, lz4 or zstd"}
	}
	if c.Blank, err = parseCompressibility(o.Compressibility); err != nil {
		return c, err
	}
	if err := o.checkTogether(&c); err != nil {
		return c, err
	}
	return c, o.setCycle(&c)
}

// checkTogether checks bounds that depend on several options.
func (o *PageOptions) checkTogether(c *fpw.Config) error {
	perPage := int64(c.Table.RowsPerPage())
	most := fpw.MaxRows / int64(o.Tables)
	if o.RowsPerTable > most {
		return &OptionError{optRowsPerTable, o.RowsPerTable,
			fmt.Sprintf("at most %d in each of %d tables", most, o.Tables)}
	}
	if most = fpw.MaxHeapPages / int64(o.Tables) * perPage; o.RowsPerTable > most {
		return &OptionError{optRowsPerTable, o.RowsPerTable,
			fmt.Sprintf("at most %d in each of %d tables of %d rows a page", most, o.Tables, perPage)}
	}
	high := float64(o.RowsPerUpdate)
	if n := c.Phase.Images; c.Phase.Kind == fpw.Images && (n < high/100 || n > high) {
		return &OptionError{optPhase, o.Phase, "images=" + number(high/100) + " to images=" + number(high)}
	}
	if most = fpw.MaxCycleRows / int64(o.RowsPerUpdate); o.CheckpointCommits > most {
		return &OptionError{optCheckpointCommits, o.CheckpointCommits,
			fmt.Sprintf("at most %d with %d rows an update", most, o.RowsPerUpdate)}
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// setCycle says where the checkpoints are.
func (o *PageOptions) setCycle(c *fpw.Config) error {
	cycles := c.Phase.Kind == fpw.Fresh || c.Phase.Kind == fpw.Steady
	switch {
	case !cycles && o.CheckpointBytes != 0:
		return &OptionError{optCheckpointBytes, o.CheckpointBytes, "it only in the phases fresh and steady, not in " + o.Phase}
	case !cycles && o.CheckpointCommits != 0:
		return &OptionError{optCheckpointCommits, o.CheckpointCommits, "it only in the phases fresh and steady, not in " + o.Phase}
	case o.CheckpointBytes != 0 && o.CheckpointCommits != 0:
		return &OptionError{optCheckpointBytes, o.CheckpointBytes, "it or " + optCheckpointCommits + ", not both"}
	case !cycles:
		return nil
	}
	c.CycleBytes, c.CycleCommits = o.CheckpointBytes, o.CheckpointCommits
	if c.CycleBytes == 0 && c.CycleCommits == 0 {
		c.CycleBytes = DefaultCheckpointBytes
	}
	return nil
}

// parseCompressibility reads the share of blanks.
func parseCompressibility(s string) (float64, error) {
	switch s {
	case "hex":
		return 0, nil
	case "blanks":
		return 1, nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, &OptionError{optCompressibility, strconv.Quote(s), "hex, blanks, or a number from 0 to 1"}
	}
	return v, nil
}
