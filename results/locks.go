package results

// LockSamples are the times at PostgreSQL's locks in one repetition, but for the
// write lock, whose times are Sample's Hold and Wait.
type LockSamples struct {
	InsertionLocks            int64 // how many there are
	Insert, Position, Mapping LockSample
}

// LockSample is what happened at one kind of lock.
type LockSample struct {
	Hold Timing // its Count is the number of acquisitions
	Wait Timing // those that did not end with the lock too
	// IdlePs is for how long locks were free while somebody waited for them; of a
	// model only.
	IdlePs int64
}

func (l *LockSample) merge(o *LockSample) {
	l.Hold.merge(&o.Hold)
	l.Wait.merge(&o.Wait)
	l.IdlePs += o.IdlePs
}

func (l *LockSamples) merge(o *LockSamples) *LockSamples {
	if o == nil {
		return l
	}
	if l == nil {
		l = &LockSamples{}
	}
	l.InsertionLocks = o.InsertionLocks
	l.Insert.merge(&o.Insert)
	l.Position.merge(&o.Position)
	l.Mapping.merge(&o.Mapping)
	return l
}

// lock is the schema's form, for so many commits.
func (l *LockSample) lock(commits int64) *Lock {
	return &Lock{
		Acquisitions:      l.Hold.Count,
		HeldNsPerCommit:   quotient(l.Hold.SumPs, 1000*commits),
		WaitedNsPerCommit: quotient(l.Wait.SumPs, 1000*commits),
		HoldNs:            l.Hold.distribution(), WaitNs: l.Wait.distribution(),
	}
}

// locks is nil under the single lock.
func (t *Sample) locks() *Locks {
	if t.Locks == nil {
		return nil
	}
	n := t.Counts.Commits
	write := LockSample{Hold: t.Hold, Wait: t.Wait}
	return &Locks{
		Insert: t.Locks.Insert.lock(n), Position: t.Locks.Position.lock(n),
		Write: write.lock(n), Mapping: t.Locks.Mapping.lock(n),
	}
}

// heldPs is for how long serialising locks were held: the single lock, or write lock
// and position lock. Insertion locks are held side by side.
func (t *Sample) heldPs() int64 {
	if t.Locks == nil {
		return t.Hold.SumPs
	}
	return t.Hold.SumPs + t.Locks.Position.Hold.SumPs
}

// addInsertion adds what insertion lets through at most; nil bounds if it was not
// waited for.
func (l *Limits) addInsertion(t *Sample) {
	if t.Locks == nil {
		return
	}
	n, windowPs := t.Locks.InsertionLocks, 1000*t.WindowNs
	insert, position, mapping := t.Locks.Insert.usedPs(), t.Locks.Position.usedPs(), t.Locks.Mapping.usedPs()
	l.InsertionBoundTPS, l.InsertionUtilisation = perSecond(t.Counts.Commits*n, insert), quotient(insert, windowPs*n)
	l.PositionBoundTPS, l.PositionUtilisation = perSecond(t.Counts.Commits, position), quotient(position, windowPs)
	l.MappingBoundTPS, l.MappingUtilisation = perSecond(t.Counts.Commits, mapping), quotient(mapping, windowPs)
}

// usedPs is for how long locks were held or on their way to the next owner.
func (l *LockSample) usedPs() int64 { return l.Hold.SumPs + l.IdlePs }
