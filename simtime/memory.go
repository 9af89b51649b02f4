package simtime

// memory is the way to memory that all cores of a virtual clock share. It serves
// one stretch of work at a time, in the order in which processes settle theirs: a
// stretch takes what its core needs for it, or, if that is longer, until the bytes
// that it streams have had their turn behind those of earlier stretches.
type memory struct{ freeAt Time }

// queue is for how long what streams now would have to wait.
func (m *memory) queue(now Time) Duration { return max(0, m.freeAt.Sub(now)) }

// owed is for how long a process has to be busy with what its meter has charged
// since it settled. Nobody else has run meanwhile, so the queue is as it was.
func (p *virtualProc) owed() Duration {
	m := p.meter
	d := Duration(m.work / fsPerPs)
	if m.streamed < fsPerPs {
		return d
	}
	return max(d, p.clock.memory.queue(p.clock.now)+Duration(m.streamed/fsPerPs))
}

// takeTurn gives the bytes that the process streams their turn, and says how long it
// is until they have had it. What is less than a picosecond stays for the next time.
func (p *virtualProc) takeTurn() Duration {
	m, c := p.meter, p.clock
	turn := m.streamed / fsPerPs
	m.streamed -= turn * fsPerPs
	m.MemoryPs += turn
	c.memory.freeAt = max(c.memory.freeAt, c.now).Add(Duration(turn))
	return c.memory.freeAt.Sub(c.now)
}
