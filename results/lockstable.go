package results

import (
	"bytes"
	"slices"
)

// waitTable says, where the log has PostgreSQL's locks, how commits went together and
// at which lock they waited.
var waitTable = grid{
	headers: []string{"commits\n/flush", "bytes\n/flush", "insert\nwait /commit", "mapping\nwait /commit", "position\nwait /commit",
		"write\nwait /commit", "buffers\nfull"},
	figures: func(s *Strategy) []string {
		l := s.Locks
		if l == nil {
			l = &Locks{}
		}
		return []string{
			perByte(s.CommitsPerFlush), amount(s.BytesPerFlush), waited(l.Insert), waited(l.Mapping), waited(l.Position),
			waited(l.Write), grouped(s.WALBuffersFull),
		}
	},
}

func waited(l *Lock) string {
	if l == nil || l.WaitedNsPerCommit == nil {
		return missing
	}
	ns := int64(*l.WaitedNsPerCommit)
	return duration(&ns)
}

// hasLocks says whether the rows are of a log with PostgreSQL's locks.
func hasLocks(rows []*Strategy) bool {
	return slices.ContainsFunc(rows, func(s *Strategy) bool { return s.Locks != nil })
}

// writeWaits prints nothing under the single lock.
func writeWaits(b *bytes.Buffer, rows []*Strategy) error {
	if !hasLocks(rows) {
		return nil
	}
	b.WriteString("\ngroup commit, and where a commit waits:\n")
	return waitTable.write(b, rows)
}

// withInsertion is whyTable with a column for the insertion locks.
func (g *grid) withInsertion() grid {
	const at = 2 // behind the write lock
	return grid{headers: slices.Insert(slices.Clone(g.headers), at, "insert"), figures: func(s *Strategy) []string {
		insertion := missing
		if s.Limits != nil {
			insertion = used(s.Limits.InsertionUtilisation)
		}
		return slices.Insert(g.figures(s), at, insertion)
	}}
}
