package simtime

import "slices"

// How a process that can go on gets a core. An idle core has to be brought to it, which
// takes wake_ps: a sleeping core is woken, looks for work, and finds it. Until then, and
// while no core is idle, it stays with the core that has made it ready, its home: when
// that one has nothing more to do it takes the process over, which costs no more than any
// change of process. Another core that becomes free has to look for it, steal_ps: Go's
// scheduler leaves the goroutine that was made ready last to its processor for a while
// (runtime/proc.go, runqgrab). Those that were made ready before, and those that nobody
// has made ready (a device's wait is over, a quantum), are anybody's.

// nobody is the home of a process that any core may take.
const nobody = -1

// wake makes a blocked process runnable, on behalf of a core or of nobody, and says
// whether an idle core has been sent for.
func (c *virtualClock) wake(p *virtualProc, home int) (sent bool) {
	if p.parking { // it still has its core
		p.parking = false
		return false
	}
	c.blocked--
	return c.find(p, home)
}

// find gets a core for a process that can run: an idle one, or it waits its turn.
func (c *virtualClock) find(p *virtualProc, home int) (sent bool) {
	c.settleAt(p, home)
	if n := len(c.idle); n > 0 {
		core := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.send(core, p, c.now.Add(Duration(c.costs.WakePs)))
		return true
	}
	c.ready.push(p)
	c.displace()
	return false
}

// settleAt makes p the process that its home has made ready last.
func (c *virtualClock) settleAt(p *virtualProc, home int) {
	p.home = home
	if home == nobody {
		return
	}
	if before := c.last[home]; before != nil && before != p && before.home == home {
		before.home = nobody
	}
	c.last[home] = p
}

// send has a core come to p.
func (c *virtualClock) send(core int, p *virtualProc, at Time) {
	c.coming = append(c.coming, p)
	p.comes, p.core = at, core
	p.alarm++
	c.queue.push(event{at: at, proc: p, alarm: p.alarm, bring: true})
}

// arrived says that the core has come that was sent to p.
func (c *virtualClock) arrived(p *virtualProc) {
	i := slices.Index(c.coming, p)
	c.coming = slices.Delete(c.coming, i, i+1)
	p.alarm++
	p.home = nobody
	p.sliceEnd = c.now.Add(Duration(c.costs.QuantumPs))
}

// takes says whether a core that has become free may take p at once.
func (c *virtualClock) takes(core int, p *virtualProc) bool {
	return p.home == nobody || p.home == core || c.costs.StealPs <= c.costs.SwitchPs
}

// overtake finds the first process that gets the core of another one, which has just left
// it, sooner than the core that is on its way to it. That one goes to the first process
// that waits, or stays idle.
func (c *virtualClock) overtake(core int) *virtualProc {
	there := c.now.Add(Duration(c.costs.SwitchPs))
	i := slices.IndexFunc(c.coming, func(p *virtualProc) bool { return there < p.comes && c.takes(core, p) })
	if i < 0 {
		return nil
	}
	p := c.coming[i]
	c.coming = slices.Delete(c.coming, i, i+1)
	p.alarm++ // the event is of no use any more
	if next, ok := c.ready.pop(); ok {
		c.send(p.core, next, p.comes)
	} else {
		c.idle = append(c.idle, p.core)
	}
	return p
}

// takeReady takes the first process out of the queue that a core may take at once.
func (c *virtualClock) takeReady(core int) (found *virtualProc) {
	for n := c.ready.n; n > 0; n-- {
		p, _ := c.ready.pop()
		if found == nil && c.takes(core, p) {
			found = p
			continue
		}
		c.ready.push(p)
	}
	return found
}

// giveCore passes the core of a process that blocks or has returned on: to one that it may
// take at once, else it looks for one that another core has made ready, else it takes
// work that gave way, else it is idle.
func (c *virtualClock) giveCore(core int) {
	next := c.overtake(core)
	if next == nil {
		next = c.takeReady(core)
	}
	if next == nil {
		if p, ok := c.ready.pop(); ok {
			c.send(core, p, c.now.Add(Duration(c.costs.StealPs)))
			return
		}
		next, _ = c.yielded.pop()
	}
	if next == nil {
		c.idle = append(c.idle, core)
		return
	}
	c.switchTo(next, core)
}

// switchTo gives next a core that another process has had until now.
func (c *virtualClock) switchTo(next *virtualProc, core int) {
	change := Duration(c.costs.SwitchPs)
	next.cpu += change
	next.core, next.home = core, nobody
	next.sliceEnd = c.now.Add(change + Duration(c.costs.QuantumPs))
	c.at(c.now.Add(change), next, true)
}

// yieldTo lets w, which this process has just handed a lock, go on at once on its core,
// and looks for another one itself. So does Go's scheduler (runtime/sema.go,
// semrelease1: it yields behind a direct hand-off).
func (p *virtualProc) yieldTo(w *virtualProc) {
	c := p.clock
	c.blocked--
	c.switchTo(w, p.core)
	if c.find(p, nobody) {
		p.meter.work += c.costs.WakeCallPs * fsPerPs
	}
	p.sleep()
}
