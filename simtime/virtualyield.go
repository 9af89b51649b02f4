package simtime

import "slices"

// With VirtualOptions.WorkYields, work that is not metered (that of a server outside
// the log, and of its client) gives way to the log: a process that becomes runnable
// for anything else, and finds no free core, takes the core of one that works. A
// system's scheduler does about that, without knowing why: who has slept, and needs
// a core for some microseconds, goes before who has been computing. Work that gave way
// goes on, in turn, when no other process wants a core; it has no quantum.

// workYielding is Work that gives way.
func (p *virtualProc) workYielding(d Duration) {
	p.settle()
	c := p.clock
	p.left = d
	if c.ready.n > 0 { // it has its core from something else
		c.yielded.push(p)
		c.giveCore(p.core)
		p.sleep()
	}
	for p.left > 0 {
		p.since = c.now
		p.alarm++
		c.working = append(c.working, p)
		c.queue.push(event{at: c.now.Add(p.left), proc: p, runs: true, alarm: p.alarm})
		p.sleep()
	}
	p.sliceEnd = c.now.Add(Duration(c.costs.QuantumPs))
}

// worked ends a stretch of p's work.
func (c *virtualClock) worked(p *virtualProc) {
	done := c.now.Sub(p.since)
	p.left -= done
	p.cpu += done
	p.alarm++
	i := slices.Index(c.working, p)
	c.working = slices.Delete(c.working, i, i+1)
}

// displace gives the core of the process that has worked longest to the first one in
// the queue.
func (c *virtualClock) displace() {
	if len(c.working) == 0 {
		return
	}
	p := c.working[0]
	c.worked(p)
	c.yielded.push(p)
	c.giveCore(p.core)
}
