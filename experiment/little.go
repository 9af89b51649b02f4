package experiment

import (
	"errors"
	"fmt"

	"github.com/walbench/walbench/simtime"
)

// ErrModel means that a modelled run contradicts itself: a fault of this program.
var ErrModel = errors.New("the model contradicts itself; please report this run")

// checkModel holds a modelled repetition against what must be true of every
// system. Little's law (A proof for the queuing formula L = lambda W, 1961): the
// number of processes at the serialising lock, averaged over the window by the
// lock itself, is the rate of acquisitions times the mean of wait and hold that
// the updaters have recorded. The window begins and ends with nobody there, so it
// holds exactly, and it is checked to a millionth. And no more processor time is
// used than the cores have.
func (r *repetition) checkModel(o *outcome) error {
	own := r.end.AtLock - r.window.from.AtLock
	spent := atLock(&o.meter) + r.window.apart
	if diff := max(own-spent, spent-own); diff > own/1_000_000 {
		return fmt.Errorf("%w: Little's law: %d ps spent at the lock by its own count, %d by its users'", ErrModel, own, spent)
	}
	if have := simtime.Duration(r.cores) * r.span(); o.cpu > have {
		return fmt.Errorf("%w: %d ps of processor time used, %d cores had %d", ErrModel, o.cpu, r.cores, have)
	}
	return nil
}

// atLock is the time a process has spent at the serialising lock.
func atLock(m *simtime.Meter) simtime.Duration {
	s := &m.Locks[simtime.LockSerial]
	return simtime.Duration(s.WaitPs + s.HoldPs)
}

// span is the measured window with its pauses.
func (r *repetition) span() simtime.Duration { return r.window.end.Sub(r.window.start) }
