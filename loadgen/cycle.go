package loadgen

// Cyclic is a [Workload] that may have checkpoints at planned places.
type Cyclic interface {
	Workload
	// CycleCommits is the number of transactions of all updaters from checkpoint to
	// checkpoint, a multiple of their number, or 0 if the workload has none. The first
	// cycle begins with the first transaction. A window of a whole number of
	// cycles costs the same wherever it begins.
	CycleCommits(updaters int) int64
}

// Checkpointed is a [Source] of a [Cyclic] workload.
type Checkpointed interface {
	Source
	// CheckpointDue says, after Next, that a checkpoint stands just before the
	// transaction Next moved to. It is true for all updaters at the same number of
	// transactions. The redo pointer has to move once all updaters have committed
	// the transaction before, and before any of them builds this one.
	CheckpointDue() bool
}

// CycleCommits is that of a workload that is [Cyclic], and 0 for others.
func CycleCommits(w Workload, updaters int) int64 {
	if c, ok := w.(Cyclic); ok {
		return c.CycleCommits(updaters)
	}
	return 0
}
