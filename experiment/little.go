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
	spent := r.window.apart
	spent.add(&o.meter)
	if err := little("the lock", r.end.AtLock-r.window.from.AtLock, spent[simtime.LockSerial]); err != nil {
		return err
	}
	for class := simtime.LockInsert; class <= simtime.LockMapping; class++ {
		name := otherLocks[class]
		if err := little(name, r.end.AtLocks[class]-r.window.from.AtLocks[class], spent[class]); err != nil {
			return err
		}
	}
	if have := simtime.Duration(r.cores) * r.span(); o.cpu > have {
		return fmt.Errorf("%w: %d ps of processor time used, %d cores had %d", ErrModel, o.cpu, r.cores, have)
	}
	return nil
}

// otherLocks are those of the postgres topology besides the write lock; nobody is at
// them under the single lock.
var otherLocks = map[simtime.LockClass]string{
	simtime.LockInsert: "the insertion locks", simtime.LockPosition: "the position lock", simtime.LockMapping: "the mapping lock",
}

// little compares a lock's own count of the time spent at it with its users'.
func little(lock string, own, spent simtime.Duration) error {
	if diff := max(own-spent, spent-own); diff > own/1_000_000 {
		return fmt.Errorf("%w: Little's law: %d ps spent at %s by its own count, %d by its users'", ErrModel, own, lock, spent)
	}
	return nil
}

// lockTimes is the time processes have spent at each class of locks: waiting, also
// in vain, and owning it.
type lockTimes [simtime.NumLockClasses]simtime.Duration

func (t *lockTimes) add(m *simtime.Meter) {
	for class := range m.Locks {
		t[class] += simtime.Duration(m.Locks[class].WaitPs + m.Locks[class].HoldPs)
	}
}

// less is t without what was spent before.
func (t lockTimes) less(before *lockTimes) lockTimes {
	for class := range t {
		t[class] -= before[class]
	}
	return t
}

// span is the measured window with its pauses.
func (r *repetition) span() simtime.Duration { return r.window.end.Sub(r.window.start) }
