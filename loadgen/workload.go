package loadgen

import (
	"strings"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Default is the workload of a run that names none.
const Default = "worst-case"

// Workload is a kind of work, loaded and ready. It never changes, and its
// methods may be called from any number of updaters at once.
type Workload interface {
	// Name is the spelling the workload was opened with.
	Name() string
	// Source makes the transactions of one updater. It panics if Updater is out of
	// range.
	Source(o SourceOptions) Source
	// UnitsWithoutCommit says that the recorded log has no commit, so that its
	// transactions are units of [UnitRecords] records.
	UnitsWithoutCommit() bool
	// Notes is what the user should know about the input, one line each: what
	// was left out and what had to be guessed.
	Notes() []string
}

// SourceOptions say whose transactions to make.
type SourceOptions struct {
	Updater, Updaters int // Updater from 0, below Updaters
	Seed              uint64
	// Blank leaves records blank where their lengths do not depend on what is in
	// them: nobody is going to look.
	Blank bool
}

// Source makes the transactions of one updater, one after the other. It
// belongs to one updater, is not safe for concurrent use, and allocates
// nothing once it is made.
type Source interface {
	// Next moves on to the updater's next transaction; the first call moves to
	// the first one.
	Next()
	// Build adds the current transaction's records to tx, the same ones with
	// the same bytes however often it is called. redo is the log's redo pointer
	// (records at or behind it need page images). It panics before the first
	// Next.
	Build(tx *walsim.Tx, redo pgformat.LSN)
}

// A source is what the log builds transactions with.
var _ walsim.Builder = Source(nil)

// Options is what opening a workload needs besides its name.
type Options struct {
	// FS is where trace and segment files are read from.
	FS vfs.FS
	// MaxWALBytes limits the records a wal: workload keeps in memory; 0 means
	// [DefaultMaxWALBytes].
	MaxWALBytes int64
	// PageOptions are for worst-case, oltp and bulk; others refuse them.
	PageOptions
}

// Kind describes one kind of workload for a listing.
type Kind struct {
	Name    string // as typed, with its argument in capitals
	Meaning string // one line
}

// opener is a kind with the function that opens it. An argument follows a
// prefix, which ends in a colon; without one the prefix is the whole name.
type opener struct {
	Kind
	prefix string
	open   func(name, arg string, o Options) (Workload, error)
	// options are the page options it knows.
	options []string
}

// updateOptions are the options of workloads that update rows.
var updateOptions = []string{
	optTables, optRowsPerTable, optRowsPerUpdate, optFillfactor, optPhase,
	optCheckpointBytes, optCheckpointCommits, optCompression, optCompressibility,
}

var openers = []opener{
	{Kind{"worst-case", "updates of 100 random rows over 4 tables of a million, about 10 page images each"},
		"worst-case", openWorstCase, updateOptions},
	{Kind{"oltp", "pgbench -N: a one-row update and an insert, long after a checkpoint"},
		"oltp", openOLTP, updateOptions},
	{Kind{"bulk", "a table being filled (CREATE TABLE AS): 1000 INSERT records of 148 bytes a commit"},
		"bulk", openBulk, []string{optRowsPerUpdate}},
	{Kind{"small", "one 100-byte record (a logical message) that is its own commit"}, "small", openSmall, nil},
	{Kind{"insert", "one-row INSERT: a 71-byte record and a 34-byte commit"}, "insert", openInsert, nil},
	{Kind{"trace:embedded", "built-in trace: 100-row updates, about 12 page images each (PostgreSQL 15, 8 clients)"},
		"trace:embedded", openEmbedded, nil},
	{Kind{"trace:FILE", "recorded trace (CSV or CSV.gz), dealt out to the updaters by whole transactions"},
		"trace:", openTrace, nil},
	{Kind{"wal:DIR|FILE", "real PostgreSQL segments, dealt out to the updaters by whole transactions"},
		"wal:", openWAL, nil},
}

// Kinds lists the kinds of workload that [Open] knows.
func Kinds() []Kind {
	kinds := make([]Kind, len(openers))
	for i := range openers {
		kinds[i] = openers[i].Kind
	}
	return kinds
}

// Open finds the workload called name (see [Kinds]) and loads it. A name it
// does not know gives an [*UnknownError]; an input that is missing or cannot be
// read as what it should be, and an option it cannot use, give an error that wraps
// [ErrInput]. A trace file that is really called "embedded" is spelled
// "trace:./embedded".
func Open(name string, o Options) (Workload, error) {
	for i := range openers {
		p := openers[i].prefix
		arg, found := strings.CutPrefix(name, p)
		if found && (arg == "" || strings.HasSuffix(p, ":")) {
			if err := o.only(name, openers[i].options...); err != nil {
				return nil, err
			}
			return openers[i].open(name, arg, o)
		}
	}
	return nil, &UnknownError{Name: name, Known: Kinds()}
}
