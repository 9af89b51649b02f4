package loadgen

import (
	"errors"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// ErrClockEnd means that a clock has come to [Loop.Until].
var ErrClockEnd = errors.New("the clock has come to its end")

// Loop is the closed loop of one updater: the next transaction begins when the
// last one has been acknowledged. It belongs to one process.
type Loop struct {
	Updater *walsim.Updater
	Source  Source
	Gate    *Gate
	// Think is work outside the lock before each transaction, on a core.
	Think simtime.Duration
	// Checkpoint moves the log's redo pointer; the last updater to reach a planned
	// checkpoint calls it while the others wait.
	Checkpoint func(p simtime.Proc) (redo pgformat.LSN, err error)
	// Until is the time behind which no transaction begins, so that sums of times
	// stay within their 64 bits; 0 on a clock that gets nowhere near it.
	Until simtime.Time
	End   pgformat.LSN // of the last acknowledged transaction
}

// Commit commits the transaction that b builds and records its latency: from the
// moment it is begun, building included, to its acknowledgement.
func (l *Loop) Commit(p simtime.Proc, b walsim.Builder) (end pgformat.LSN, err error) {
	from := p.Now()
	end, err = l.Updater.Commit(b)
	if err != nil {
		return 0, err
	}
	now := p.Now()
	p.Meter().Latency.Record(now.Sub(from))
	l.End = end
	if l.Until != 0 && now > l.Until {
		return end, ErrClockEnd
	}
	return end, nil
}

// Run commits n transactions, or fewer when the gate says stop, and returns how
// many were acknowledged. No transaction is left half way.
func (l *Loop) Run(p simtime.Proc, n int64) (done int64, err error) {
	for done < n && !l.Gate.Stopped() {
		l.Source.Next()
		if err := l.checkpointIfDue(p); err != nil || l.Gate.Stopped() {
			return done, err
		}
		if l.Think > 0 {
			p.Work(l.Think)
		}
		if _, err := l.Commit(p, l.Source); err != nil {
			return done, err
		}
		done++
		if err := l.PauseIfDue(p); err != nil {
			return done, err
		}
	}
	return done, nil
}

// checkpointIfDue takes part in a planned checkpoint, if one stands before the
// transaction to come.
func (l *Loop) checkpointIfDue(p simtime.Proc) error {
	c, ok := l.Source.(Checkpointed)
	if !ok || !c.CheckpointDue() {
		return nil
	}
	redo, err := l.Gate.checkpoint(p, l.Checkpoint)
	if err == nil {
		l.Updater.SeeRedo(redo)
	}
	return err
}

// PauseIfDue takes part in a pause if the log has become long enough for one. It
// is called between two transactions.
func (l *Loop) PauseIfDue(p simtime.Proc) error { return l.Gate.pauseIfDue(p, l.End) }
