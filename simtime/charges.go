package simtime

// fsPerPs: meters add up femtoseconds, clocks run in picoseconds.
const fsPerPs = 1000

// price is what a kind of work takes: so much a call, so much a byte of the core,
// and so much a byte of the way to memory ([memory]).
type price struct{ callFs, byteFs, memoryFs int64 }

// charges are what the meters of one virtual clock charge.
type charges struct {
	counts  bool   // bytes are not to be touched
	scratch []byte // of meters that only count

	copy, zero, crc, record, write, segment price
	transactionFs                           int64
	reserveFs, pageFs                       int64
	suites                                  []suiteCharge // by SuiteID
}

type suiteCharge struct {
	known                             bool
	setupFs, callFs, recordFs, byteFs int64
}

func newCharges(p *Profile, counts bool) *charges {
	c := &p.costs
	ch := &charges{
		counts:  counts,
		copy:    price{c.CopyCallPs * fsPerPs, c.CopyByteFs, c.MemoryByteFs},
		zero:    price{c.ZeroCallPs * fsPerPs, c.ZeroByteFs, c.MemoryByteFs},
		crc:     price{c.CRCCallPs * fsPerPs, c.CRCByteFs, 0},
		record:  price{c.RecordCallPs * fsPerPs, c.RecordByteFs, c.MemoryByteFs},
		write:   price{c.WriteCallPs * fsPerPs, c.WriteByteFs, c.MemoryByteFs},
		segment: price{0, c.SegmentByteFs, c.MemoryByteFs},

		transactionFs: c.TransactionPs * fsPerPs,
		reserveFs:     c.ReservePs * fsPerPs, pageFs: c.PagePs * fsPerPs,
		suites: make([]suiteCharge, len(suiteNames)),
	}
	if c.SegmentByteFs == 0 {
		ch.segment.memoryFs = 0 // none is filled
	}
	for id, name := range suiteNames {
		if s, ok := p.suites[name]; ok {
			ch.suites[id] = suiteCharge{true, s.SetupPs * fsPerPs, s.CallPs * fsPerPs, s.RecordPs * fsPerPs, s.ByteFs}
		}
	}
	return ch
}

// suite is what a suite charges. That the profile knows all suites of a run is
// for whoever makes the clock to see to ([Profile.Suite]).
func (c *charges) suite(id SuiteID) *suiteCharge {
	if int(id) >= len(c.suites) || !c.suites[id].known {
		panic("simtime: the profile does not know suite " + SuiteName(id))
	}
	return &c.suites[id]
}

// charge adds the price of one call over n bytes to what the process owes its
// clock, and says whether the bytes are to be touched. On the real clock they
// are, and cost what they cost.
func (m *Meter) charge(p *price, n int) bool {
	m.work += p.callFs + int64(n)*p.byteFs
	m.streamed += int64(n) * p.memoryFs
	return !m.charges.counts
}

// takeWork is the work charged since the last call, in whole picoseconds; the
// rest stays for the next one.
func (m *Meter) takeWork() Duration {
	work := m.work / fsPerPs
	m.work -= work * fsPerPs
	return Duration(work)
}
