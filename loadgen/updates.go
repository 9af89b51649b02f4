package loadgen

import (
	"github.com/walbench/walbench/fpw"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// updates is a workload of updates of random rows: worst-case or oltp.
type updates struct {
	name  string
	model *fpw.Model
	// historyTuple is the length in bytes of a row that every transaction inserts
	// into a history table, 0 for none.
	historyTuple int
}

// openUpdates makes the model.
func openUpdates(name string, c fpw.Config, historyTuple int) (Workload, error) {
	model, err := fpw.New(c)
	if err != nil {
		return nil, &InputError{File: name, Err: err}
	}
	return &updates{name: name, model: model, historyTuple: historyTuple}, nil
}

// Name implements [Workload].
func (w *updates) Name() string { return w.name }

// UnitsWithoutCommit implements [Workload].
func (*updates) UnitsWithoutCommit() bool { return false }

// Notes implements [Workload].
func (w *updates) Notes() []string {
	if w.model.Config().Compression == fpw.Off {
		return nil
	}
	return named(w.name, []string{
		"images are compressed by Go libraries: sizes as PostgreSQL's, CPU time not; no figure of the lock has it",
	})
}

// CycleCommits implements [Cyclic].
func (w *updates) CycleCommits(updaters int) int64 { return w.model.CycleCommits(updaters) }

// Source implements [Workload].
func (w *updates) Source(o SourceOptions) Source {
	checkUpdater(o.Updater, o.Updaters)
	turn, _ := Derive(o.Seed, "page rotation", 0)
	s := &updateSource{session: w.model.Session(fpw.SessionOptions{
		Updater: o.Updater, Updaters: o.Updaters, Seed: turn,
		Draw: NewPCG(o.Seed, "pages", o.Updater), FirstXid: walsim.FirstXid, Blank: o.Blank,
	})}
	s.commit.init(o.Seed, o.Updater)
	if w.historyTuple > 0 {
		s.history = fpw.NewAppends(fpw.AppendOptions{
			TupleBytes: w.historyTuple, Node: firstRelation, Rows: 1, Updater: o.Updater, Updaters: o.Updaters,
			Compression: w.model.Config().Compression, Pool: s.session.Pool(),
			Draw: NewPCG(o.Seed, "history", o.Updater),
		})
	}
	return s
}

// updateSource is one updater's updates, each with its commit.
type updateSource struct {
	session *fpw.Session
	history *fpw.Appends // nil if there is none
	commit  commitRecord
}

func (s *updateSource) Next() {
	s.session.Next()
	if s.history != nil {
		s.history.Next()
	}
	s.commit.next()
}

// CheckpointDue implements [Checkpointed].
func (s *updateSource) CheckpointDue() bool { return s.session.CheckpointDue() }

func (s *updateSource) Build(tx *walsim.Tx, redo pgformat.LSN) { s.buildFor(tx, redo) }

// build is Build for the redo pointer last seen.
func (s *updateSource) build(to sink) { s.buildFor(to, 0) }

func (s *updateSource) buildFor(to sink, redo pgformat.LSN) {
	s.session.Build(to, redo)
	if s.history != nil {
		s.history.Build(to, redo)
	}
	s.commit.add(to)
}
