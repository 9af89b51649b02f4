package loadgen

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// DefaultMaxWALBytes limits the records of a wal: workload in memory.
const DefaultMaxWALBytes = 1 << 30

// WAL is the log of a real server as a workload: its records as they are, with
// their real content, in its own transactions.
type WAL struct {
	name      string
	records   [][]byte
	deals     transactions
	notes     []string
	realBytes int64
}

// openWAL loads wal:DIR|FILE.
func openWAL(name, path string, o Options) (Workload, error) {
	if path == "" {
		return nil, &InputError{File: name, Want: "a segment file or a folder of them behind the colon"}
	}
	info, err := o.FS.Stat(path)
	if err != nil {
		return nil, openError(path, err)
	}
	from := walsim.ReaderOptions{FS: o.FS}
	if info.Dir {
		from.Dir = path
	} else {
		from.Files = []string{path}
	}
	r, err := walsim.OpenReader(from)
	if err != nil {
		return nil, readError(path, err)
	}
	limit := o.MaxWALBytes
	if limit == 0 {
		limit = DefaultMaxWALBytes
	}
	l := walLoader{path: path, limit: limit, wal: &WAL{name: name}, group: newGrouper()}
	if err := errors.Join(l.load(r), r.Close()); err != nil {
		return nil, err
	}
	return l.wal, nil
}

// walLoader reads a log into a WAL.
type walLoader struct {
	path     string
	limit    int64
	wal      *WAL
	arena    arena
	group    *grouper
	subs     []uint32
	switches int
}

func (l *walLoader) load(r *walsim.Reader) error {
	for {
		rec, lsn, ok, err := r.Next()
		if err != nil {
			return readError(l.path, err)
		}
		if !ok {
			break
		}
		if err := l.add(rec, lsn, r.Parsed()); err != nil {
			return err
		}
	}
	if err := l.end(r.End()); err != nil {
		return err
	}
	l.remark(r.Stats())
	w := l.wal
	w.deals = l.group.finish()
	if w.deals.count() == 0 {
		if l.switches > 0 {
			return &InputError{File: l.path, Err: errOnlySwitches}
		}
		return &InputError{File: l.path, Err: errors.New("no whole WAL record in it: nothing to replay")}
	}
	w.notes = append(w.notes, append(w.deals.notes(), switchNotes(l.switches)...)...)
	return nil
}

// add keeps one record, which the reader has parsed.
func (l *walLoader) add(rec []byte, lsn pgformat.LSN, parsed *pgformat.Record) error {
	if isSwitch(parsed.Header.RMID, parsed.Header.Info) {
		l.switches++
		return nil
	}
	w := l.wal
	m := describe(len(w.records), rec, parsed, l.subs)
	l.subs = m.subs
	l.group.add(m)
	w.records = append(w.records, l.arena.keep(rec))
	w.realBytes += int64(len(rec))
	if l.arena.bytes > l.limit {
		return &InputError{File: l.path, Err: fmt.Errorf(
			"more than %d bytes of records up to %v: pass fewer segments", l.limit, lsn)}
	}
	return nil
}

// end judges how the log ended: a damaged one is no workload, a torn one is
// what every copy of a running server's log is.
func (l *walLoader) end(end walsim.End) error {
	switch end.Kind {
	case walsim.EndDamaged:
		return &InputError{File: l.path, Err: fmt.Errorf("damaged at %v (segment %s, offset %d): %s",
			end.LSN, end.Damage.Segment, end.Damage.Offset, end.Damage.Reason)}
	case walsim.EndTorn:
		l.wal.notes = append(l.wal.notes, fmt.Sprintf("the log is cut at %v: %s", end.LSN, end.Reason))
	}
	return nil
}

// remark notes what the reader has left out.
func (l *walLoader) remark(s walsim.ReaderStats) {
	if s.SkippedBytes > 0 {
		l.wal.notes = append(l.wal.notes, fmt.Sprintf("%d bytes of cut records left out", s.SkippedBytes))
	}
	if s.OtherSegments > 0 {
		l.wal.notes = append(l.wal.notes, fmt.Sprintf("%d segments of other timelines left out", s.OtherSegments))
	}
}

// readError tells an input that is no log from a file system that fails.
func readError(path string, err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return &InputError{File: path, Err: err}
}

// Name is the spelling the log was opened with.
func (w *WAL) Name() string { return w.name }

// UnitsWithoutCommit implements [Workload].
func (w *WAL) UnitsWithoutCommit() bool { return w.deals.withoutCommit }

// Notes implements [Workload].
func (w *WAL) Notes() []string { return named(w.name, w.notes) }

// Records is the number of records that are replayed.
func (w *WAL) Records() int { return len(w.records) }

// RealBytes is the sum of their lengths (xl_tot_len) in bytes.
func (w *WAL) RealBytes() int64 { return w.realBytes }

// Transactions is the number of transactions or units, after which the log
// starts again.
func (w *WAL) Transactions() int { return w.deals.count() }

// Source implements [Workload]. The seed changes nothing: the log has its own
// content.
func (w *WAL) Source(o SourceOptions) Source {
	checkUpdater(o.Updater, o.Updaters)
	return &walSource{wal: w, deal: newDeal(o.Updater, o.Updaters, w.deals.count())}
}

type walSource struct {
	wal  *WAL
	deal deal
}

func (s *walSource) Next() { s.deal.next() }

func (s *walSource) Build(tx *walsim.Tx, _ pgformat.LSN) { s.build(tx) }

func (s *walSource) buildFor(to sink, _ pgformat.LSN) { s.build(to) }

func (s *walSource) build(to sink) {
	for _, i := range s.wal.deals.at(s.deal.current) {
		to.AddRaw(s.wal.records[i])
	}
}
