package simtime

import (
	"errors"
	"fmt"
	"strings"
)

// MaxCores is the largest number of virtual cores.
const MaxCores = 1024

// VirtualOptions say what a virtual clock is to model.
type VirtualOptions struct {
	Profile *Profile
	Cores   int // 1 to MaxCores
	// Counts makes meters count without touching bytes: copies, checksums and
	// cipher calls cost what they cost, and are not carried out.
	Counts bool
	// WorkYields has [Proc.Work] give way: see virtualyield.go.
	WorkYields bool
}

// Errors of NewVirtual, wrapped with the value.
var (
	ErrCores = errors.New("virtual cores: want 1 to 1024")
)

// virtualClock is a machine with a number of cores under a discrete-event
// scheduler. A process runs as a coroutine, one at a time; what it does takes no
// time by itself, but the costs that its meter has added up are made good at the
// next point where another process could notice: a lock, a wait, a device. There
// the process keeps its core until that time, and everything that happens before
// goes first.
//
// Cores are given in the order in which processes ask (a queue for all of them),
// and kept until a process blocks or its quantum is over while others wait.
// Events at one moment happen in the order in which they were made, so that
// nothing depends on the machine the model runs on.
type virtualClock struct {
	options VirtualOptions
	costs   Costs

	now     Time
	queue   eventQueue
	memory  memory
	idle    []int          // cores without a process; the last one to become so goes first
	last    []*virtualProc // by core, the one that it has made ready last
	ready   fifo[*virtualProc]
	yielded fifo[*virtualProc] // those whose work gave way
	coming  []*virtualProc     // those that an idle core is being brought to, in order
	working []*virtualProc     // those whose work would, in the order in which they got their cores
	procs   []*virtualProc
	ended   bool  // processes that are left are unwound
	blocked int   // processes that wait for others, for what a deadlock prints
	events  int64 // scheduler events so far
	meters  map[string]*Meter
	charges *charges
}

// NewVirtual returns a virtual clock that begins at 0. What runs on it is
// repeatable to the picosecond. A clock with its processes belongs to one
// goroutine at a time; any number of clocks may run side by side.
func NewVirtual(o VirtualOptions) (Clock, error) {
	if o.Cores < 1 || o.Cores > MaxCores {
		return nil, fmt.Errorf("%d %w", o.Cores, ErrCores)
	}
	c := &virtualClock{options: o, costs: o.Profile.Costs(), last: make([]*virtualProc, o.Cores), meters: map[string]*Meter{}}
	for core := range o.Cores {
		c.idle = append(c.idle, core)
	}
	c.charges = newCharges(o.Profile, o.Counts)
	return c, nil
}

func (c *virtualClock) Modelled() bool { return true }

// Events is the number of scheduler events so far: stretches of time that a
// process was busy for, and wake-ups. It is 0 on a real clock.
func Events(c Clock) int64 {
	if v, ok := c.(*virtualClock); ok {
		return v.events
	}
	return 0
}

// Run runs f and every process it starts until all have returned. It panics if
// they all wait for each other, and passes panics of processes on.
func (c *virtualClock) Run(name string, f func(Proc)) {
	defer c.abandon()
	c.start(name, f)
	for {
		e, ok := c.queue.pop()
		if !ok {
			break
		}
		if e.alarm != 0 {
			c.ring(&e)
			continue
		}
		c.now = e.at
		c.events++
		if e.runs || c.takeCore(e.proc) {
			e.proc.resume()
		}
	}
	if c.blocked > 0 {
		panic("simtime: deadlock: all that are left wait for each other: " + strings.Join(c.waiting(), ", "))
	}
}

// ring carries out an event that may have become pointless.
func (c *virtualClock) ring(e *event) {
	if e.alarm != e.proc.alarm {
		return
	}
	if e.cond != nil && !remove(&e.cond.virtual, e.proc) {
		return
	}
	c.now = e.at
	c.events++
	switch {
	case e.cond != nil:
		c.wake(e.proc, nobody)
		return
	case e.bring:
		c.arrived(e.proc)
	default:
		c.worked(e.proc)
	}
	e.proc.resume()
}

// waiting names the processes that have not returned.
func (c *virtualClock) waiting() (names []string) {
	for _, p := range c.procs {
		if !p.done {
			names = append(names, fmt.Sprintf("%s (%d)", p.name, p.number))
		}
	}
	return names
}

// abandon ends the coroutines that are left when a process has panicked.
func (c *virtualClock) abandon() {
	c.ended = true
	for _, p := range c.procs {
		p.abandon()
	}
	c.procs = nil
}

// start makes a process that is runnable now.
func (c *virtualClock) start(name string, f func(Proc)) *virtualProc {
	p := newVirtualProc(c, name, f)
	c.procs = append(c.procs, p)
	c.at(c.now, p, false)
	return p
}

// at makes an event of process p: it runs, on the core it has, or it becomes
// runnable.
func (c *virtualClock) at(t Time, p *virtualProc, runs bool) {
	c.queue.push(event{at: t, proc: p, runs: runs})
}

// takeCore gives a core to a process that has become runnable, or puts it into
// the queue for one.
func (c *virtualClock) takeCore(p *virtualProc) bool {
	n := len(c.idle)
	if n == 0 {
		p.home = nobody
		c.ready.push(p)
		c.displace()
		return false
	}
	p.core, c.idle = c.idle[n-1], c.idle[:n-1]
	p.sliceEnd = c.now.Add(Duration(c.costs.QuantumPs))
	return true
}
