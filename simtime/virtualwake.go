package simtime

import "slices"

// How a process that can go on gets a core. An idle core has to be brought to it, which
// takes wake_ps: a sleeping core is woken, looks for work, and finds it. If a core that
// is awake has nothing more to do in the meantime, it takes the process over, which
// costs no more than any change of process; so does Go's scheduler, whose woken
// goroutine stays with the waker until somebody takes it away.

// wake makes a blocked process runnable, and says whether a core has been sent for.
func (c *virtualClock) wake(p *virtualProc) (sent bool) {
	if p.parking { // it still has its core
		p.parking = false
		return false
	}
	c.blocked--
	return c.find(p)
}

// find gets a core for a process that can run: an idle one, or it waits its turn.
func (c *virtualClock) find(p *virtualProc) (sent bool) {
	if c.idle == 0 {
		c.ready.push(p)
		c.displace()
		return false
	}
	c.idle--
	c.coming = append(c.coming, p)
	p.comes = c.now.Add(Duration(c.costs.WakePs))
	p.alarm++
	c.queue.push(event{at: p.comes, proc: p, alarm: p.alarm, bring: true})
	return true
}

// arrived says that an idle core has come to p.
func (c *virtualClock) arrived(p *virtualProc) {
	i := slices.Index(c.coming, p)
	c.coming = slices.Delete(c.coming, i, i+1)
	p.alarm++
	p.sliceEnd = c.now.Add(Duration(c.costs.QuantumPs))
}

// overtake is the first process that gets the core of another one, which has just left
// it, sooner than the idle core that is on its way to it. That one stays idle.
func (c *virtualClock) overtake() (p *virtualProc, ok bool) {
	there := c.now.Add(Duration(c.costs.SwitchPs))
	i := slices.IndexFunc(c.coming, func(p *virtualProc) bool { return there < p.comes })
	if i < 0 {
		return nil, false
	}
	p = c.coming[i]
	c.coming = slices.Delete(c.coming, i, i+1)
	p.alarm++ // the event is of no use any more
	c.idle++
	return p, true
}

// yieldTo lets w, which this process has just handed a lock, go on at once on its core,
// and looks for another one itself. So does Go's scheduler (runtime/sema.go,
// semrelease1: it yields behind a direct hand-off).
func (p *virtualProc) yieldTo(w *virtualProc) {
	c := p.clock
	c.blocked--
	c.switchTo(w)
	if c.find(p) {
		p.meter.work += c.costs.WakeCallPs * fsPerPs
	}
	p.sleep()
}
