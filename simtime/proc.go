// Package simtime is the seam between walbench's code and time: updaters, log
// and strategies block, wait, sleep, start helpers and read time only through
// a [Proc], and move bytes only through its [Meter]. So the same code runs on
// the real clock ([NewReal]), where a process is a goroutine on a thread of its
// own, and on a virtual one ([NewVirtual]) with any number of cores, whose costs
// come from a [Profile].
//
// Life of a process: [Clock.Run] (or [Proc.Spawn]) starts it with a Proc of its
// own; it locks, waits, sleeps and counts; when its function returns, whoever
// holds its [Handle] may join it and then read its meter. State shared between
// processes is read and written only under a [Mutex] or directly after
// [Proc.Sync].
package simtime

// Time is a moment on a clock, and Duration a distance between two, in
// picoseconds. Picoseconds, since the costs that a modelled run adds up are
// fractions of a nanosecond; 64 bits hold 106 days of them. Zero is the moment
// the clock was made.
type (
	Time     int64
	Duration int64
)

// Units of Duration.
const (
	Picosecond  Duration = 1
	Nanosecond           = 1000 * Picosecond
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Sub is the distance from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// Add moves t by d.
func (t Time) Add(d Duration) Time { return t + Time(d) }

// Nanoseconds is d in whole nanoseconds, rounded down.
func (d Duration) Nanoseconds() int64 { return int64(d / Nanosecond) }

// Seconds is d in seconds.
func (d Duration) Seconds() float64 { return float64(d) / float64(Second) }

// Proc is one process as its own code sees it: its clock, its locks, its
// meter. A Proc belongs to one process and is not safe for concurrent use.
type Proc interface {
	// Now is the current time.
	Now() Time
	// CPU is the processor time this process has used.
	CPU() Duration
	// Lock acquires m, Unlock releases it. Wait and hold go to the meter, under
	// the mutex's class. Unlocking a mutex the process does not own panics.
	Lock(m *Mutex)
	Unlock(m *Mutex)
	// Acquire is Lock, and says whether it had to wait.
	Acquire(m *Mutex) (waited bool)
	// LockOrWait acquires m if it is free. Otherwise it waits until the owner of
	// that moment has released it, does not try again, and says no: what m was
	// wanted for may have been done meanwhile (PostgreSQL's LWLockAcquireOrWait,
	// lwlock.c). m was made with [NewWatched].
	LockOrWait(m *Mutex) (owned bool)
	// SetProgress says how far the owner of m has got: a number that only rises
	// while m is owned, from 0 at the acquisition. AwaitProgress waits until m is
	// free, or the owner of the moment of the call has released it or got to v
	// (lwlock.c: LWLockUpdateVar, LWLockWaitForVar). It returns the owner's
	// progress, or [Free]. m was made with [NewWatched].
	SetProgress(m *Mutex, v int64)
	AwaitProgress(m *Mutex, v int64) (progress int64)
	// Wait releases c's mutex, blocks until a Signal or Broadcast, and owns the
	// mutex again when it returns. As with sync.Cond the condition must be
	// checked again. Time spent blocked counts neither as hold nor as lock wait.
	Wait(c *Cond)
	// WaitFor is Wait that ends after d at the latest.
	WaitFor(c *Cond, d Duration)
	// Signal wakes one waiter of c, Broadcast all. The caller owns c's mutex.
	Signal(c *Cond)
	Broadcast(c *Cond)
	// Sleep blocks for d without using a core.
	Sleep(d Duration)
	// Work uses a core for d: work that is not metered, such as a client's.
	Work(d Duration)
	// Sync brings the clock up to all the work this process has metered, so that
	// what it reads next from other processes is what they have written by now.
	Sync()
	// Device reports that op has just been done to d on n bytes, and waits for as
	// long as the device takes for it beyond that: a modelled one as long as its
	// model says, and on a virtual clock every one as long as the profile says.
	Device(d *Device, op DeviceOp, n int64)
	// Spawn starts another process on the same clock.
	Spawn(name string, f func(Proc)) Handle
	// Meter is where this process counts its work.
	Meter() *Meter
}

// Handle is a started process.
type Handle interface {
	// Join blocks the calling process until the started one has returned. What
	// it did is visible to the caller afterwards.
	Join(p Proc)
	// Meter is the started process's meter, to be read when it and all others of
	// its name have been joined.
	Meter() *Meter
}

// Clock makes processes.
type Clock interface {
	// Run runs f as a process and returns when it has returned.
	Run(name string, f func(Proc))
	// Modelled says whether times on this clock are computed, not measured.
	Modelled() bool
}
