package loadgen

import (
	"github.com/walbench/walbench/fpw"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

const (
	bulkRows  = 1000 // a transaction, unless the user says otherwise
	bulkTuple = 117  // gives INSERT records of 148 bytes, as measured for CREATE TABLE AS
)

// bulk is a table being filled: many INSERT records of 148 bytes before each
// commit, as CREATE TABLE AS logs them one by one.
type bulk struct {
	plain
	rows int
}

func openBulk(name, _ string, o Options) (Workload, error) {
	rows := o.RowsPerUpdate
	orDefault(&rows, bulkRows)
	if rows < 1 || rows > fpw.MaxUpdateRows {
		return nil, &OptionError{optRowsPerUpdate, rows, boundsText(1, fpw.MaxUpdateRows)}
	}
	return bulk{plain{name}, rows}, nil
}

func (w bulk) Source(o SourceOptions) Source {
	checkUpdater(o.Updater, o.Updaters)
	s := &bulkSource{rows: fpw.NewAppends(fpw.AppendOptions{
		TupleBytes: bulkTuple, Node: firstRelation, Rows: w.rows, Updater: o.Updater, Updaters: o.Updaters,
		Pool: newContent(o).pool, Draw: NewPCG(o.Seed, "content place", o.Updater),
	})}
	s.commit.init(o.Seed, o.Updater)
	return s
}

type bulkSource struct {
	rows   *fpw.Appends
	commit commitRecord
}

func (s *bulkSource) Next() {
	s.rows.Next()
	s.commit.next()
}

func (s *bulkSource) Build(tx *walsim.Tx, redo pgformat.LSN) { s.buildFor(tx, redo) }

func (s *bulkSource) build(to sink) { s.buildFor(to, 0) }

func (s *bulkSource) buildFor(to sink, redo pgformat.LSN) {
	s.rows.Build(to, redo)
	s.commit.add(to)
}
