package simtime

// virtualSampleEvery is how many acquisitions of the serialising lock go by
// between two whose phases are taken. Taking them disturbs nothing here; it only
// costs whoever waits for the model.
const virtualSampleEvery = 16

// newMeter makes the meter of process p. Processes of one name record into the
// same histograms, those of the first: they never run at one moment, what is
// asked for is their sum, and a thousand sets of histograms would not fit into
// any cache.
func (c *virtualClock) newMeter(p *virtualProc) *Meter {
	m := NewMeter()
	m.charges = c.charges
	m.Holds = HoldSamples{Every: virtualSampleEvery, clock: &source{virtual: p}}
	first, ok := c.meters[p.name]
	if ok {
		m.borrow(first)
		return m
	}
	for class := LockOther + 1; class < NumLockClasses; class++ {
		m.Locks[class].init()
	}
	m.Holds.CPU = newHistogram()
	m.Late, m.Latency = NewTimes(), NewTimes()
	c.meters[p.name] = m
	return m
}

// borrow makes m record into the histograms of o.
func (m *Meter) borrow(o *Meter) {
	for i := range m.Locks {
		s := &m.Locks[i]
		s.Hold, s.Wait, s.borrowed = o.Locks[i].Hold, o.Locks[i].Wait, true
	}
	m.Holds.CPU, m.Holds.borrowed = o.Holds.CPU, true
	m.Late = Times{Histogram: o.Late.Histogram, borrowed: true}
	m.Latency = Times{Histogram: o.Latency.Histogram, borrowed: true}
}
