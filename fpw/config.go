package fpw

import "fmt"

// Bounds of a [Config].
const (
	MaxTables     = 64
	MaxRows       = 200_000_000 // of all tables together
	MaxHeapPages  = 4_000_000   // likewise
	MaxUpdateRows = 10_000
	MaxUpdaters   = 4096
	// MaxCycleBytes and MaxCycleRows bound a checkpoint cycle; the plan keeps two
	// bits a row of it.
	MaxCycleBytes = 16 << 30
	MaxCycleRows  = 1 << 27
)

// Config says what is updated, and in which phase.
type Config struct {
	Table         Table
	Tables        int     // equal ones; a transaction updates rows of one of them
	RowsPerUpdate int     // random rows a transaction
	NonHot        float64 // share of updates that leave a page with room, 0 to 1; not in Fresh
	Phase         Phase
	Seed          uint64 // draws tables and rows; workloads use [PlanSeed]

	// CycleBytes or CycleCommits end a checkpoint cycle of Fresh and Steady: so
	// many bytes of records (xl_tot_len), or transactions.
	CycleBytes   int64
	CycleCommits int64
	// OtherBytes is what a transaction logs besides the updates, for CycleBytes.
	OtherBytes int

	// HotData are the data lengths of HOT_UPDATE records, drawn with equal chance:
	// bytes between the parts that old and new row have in common.
	HotData [2]int
	// FirstNode is the file number of the first table; its index has the next one,
	// and so on.
	FirstNode uint32

	Compression Compression
	// Blank is the share of each row's filler that is blanks, 0 to 1; the rest is
	// random hexadecimal digits.
	Blank float64
}

// check returns an error that wraps ErrConfig.
func (c *Config) check() error {
	if err := c.Table.check(); err != nil {
		return err
	}
	switch {
	case c.Tables < 1 || c.Tables > MaxTables:
		return fmt.Errorf("%d tables, want 1 to %d: %w", c.Tables, MaxTables, ErrConfig)
	case c.Table.Rows > MaxRows/int64(c.Tables):
		return fmt.Errorf("%d tables of %d rows, want at most %d rows together: %w",
			c.Tables, c.Table.Rows, MaxRows, ErrConfig)
	case c.Table.HeapPages()*int64(c.Tables) > MaxHeapPages:
		return fmt.Errorf("%d tables of %d heap pages, want at most %d pages together: %w",
			c.Tables, c.Table.HeapPages(), MaxHeapPages, ErrConfig)
	case c.RowsPerUpdate < 1 || c.RowsPerUpdate > MaxUpdateRows:
		return fmt.Errorf("%d rows an update, want 1 to %d: %w", c.RowsPerUpdate, MaxUpdateRows, ErrConfig)
	case !(c.NonHot >= 0 && c.NonHot <= 1):
		return fmt.Errorf("%v of all updates leave their page, want 0 to 1: %w", c.NonHot, ErrConfig)
	case !(c.Blank >= 0 && c.Blank <= 1):
		return fmt.Errorf("%v of the filler is blanks, want 0 to 1: %w", c.Blank, ErrConfig)
	case c.HotData[0] < 1 || c.HotData[1] < 1 || max(c.HotData[0], c.HotData[1]) > maxTupleBytes:
		return fmt.Errorf("changed part of a row %v bytes, want 1 to %d: %w", c.HotData, maxTupleBytes, ErrConfig)
	}
	return c.checkPhase()
}

func (c *Config) checkPhase() error {
	most := float64(c.RowsPerUpdate)
	switch {
	case phaseNames[c.Phase.Kind] == "":
		return fmt.Errorf("phase %d: %w", c.Phase.Kind, ErrConfig)
	case c.Phase.Kind == Images && !(c.Phase.Images >= most/100 && c.Phase.Images <= most):
		return fmt.Errorf("%v images an update of %d rows, want %v to %v: %w",
			c.Phase.Images, c.RowsPerUpdate, most/100, most, ErrConfig)
	case !c.Phase.cycles():
		if c.CycleBytes != 0 || c.CycleCommits != 0 {
			return fmt.Errorf("phase %v has no checkpoints: %w", c.Phase, ErrConfig)
		}
		return nil
	case (c.CycleBytes == 0) == (c.CycleCommits == 0):
		return fmt.Errorf("checkpoints every %d bytes and every %d commits, want one of both: %w",
			c.CycleBytes, c.CycleCommits, ErrConfig)
	case c.CycleBytes < 0 || c.CycleBytes > MaxCycleBytes:
		return fmt.Errorf("checkpoints every %d bytes, want 1 to %d: %w", c.CycleBytes, int64(MaxCycleBytes), ErrConfig)
	case c.CycleCommits < 0 || c.CycleCommits > MaxCycleRows/int64(c.RowsPerUpdate):
		return fmt.Errorf("checkpoints every %d commits, want 1 to %d: %w",
			c.CycleCommits, MaxCycleRows/c.RowsPerUpdate, ErrConfig)
	}
	return nil
}

// drawer is how the config's rows are drawn.
func (c *Config) drawer() drawer {
	d := drawer{
		seed: scramble(planSeed ^ c.Seed), tables: uint32(c.Tables), pages: uint32(c.Table.HeapPages()), perPage: uint32(c.Table.RowsPerPage()),
	}
	if c.Phase.Kind != Fresh {
		d.nonHot = uint32(min(c.NonHot*(1<<32), 1<<32-1))
	}
	return d
}

// PlanSeed draws a plan that agrees with the three measured tables in every
// bucket, in images (three Poisson sigma) and bytes (5 %). Those figures are draws
// themselves, so most seeds miss one or two of 36 buckets a little; all agree with
// the formula.
const PlanSeed = 11

// planSeed keeps the picks apart from other uses of [scramble].
const planSeed = 0x66756c6c70616765
