package simtime

// CipherSampleEvery is how many cipher calls go by between two that are timed,
// inside the lock or outside. A prime number: transactions repeat themselves
// after a few calls, and every place in them has to be met as often as any
// other. As with SampleEvery, processes begin at different places.
const CipherSampleEvery = 61

// A timed call that took longer than the slowest cipher, and the interruption
// limit on top, was interrupted: the thread lost its core, for milliseconds, and
// the mean would be made of that. Such a call is left out.
const (
	interruptionLimit = 100 * Microsecond
	slowestPerByte    = 20 * Nanosecond // twice what AES in software takes
)

// CipherSamples are the timed cipher calls of one process: how much time for how
// many bytes.
type CipherSamples struct {
	Count int64
	Ps    int64 // sum; each call's contains one reading of the clock
	Bytes int64

	left  int64 // calls until the next timed one; 0 or less: no clock, never
	on    bool
	since Time
	clock *source
}

// newCipherSamples begins the cycle of samples at a place that depends on the
// number of the process.
func newCipherSamples(number int64, clock *source) CipherSamples {
	return CipherSamples{left: number*sampleStride%CipherSampleEvery + 1, clock: clock}
}

func (c *CipherSamples) reset() {
	*c = CipherSamples{left: c.left, clock: c.clock}
}

func (c *CipherSamples) add(o *CipherSamples) {
	c.Count += o.Count
	c.Ps += o.Ps
	c.Bytes += o.Bytes
}

// beginCipherSample starts the clock, unless the hold that the call is in is
// being looked into: its phases must not contain more readings than they count.
func (m *Meter) beginCipherSample() {
	if m.Holds.on {
		m.CipherTime.left = 1 // the next one
		return
	}
	c := &m.CipherTime
	c.left = CipherSampleEvery
	c.on, c.since = true, c.clock.now()
}

func (c *CipherSamples) end(n int) {
	took := c.clock.now().Sub(c.since)
	c.on = false
	if took > interruptionLimit+Duration(n)*slowestPerByte {
		return
	}
	c.Count++
	c.Ps += int64(took)
	c.Bytes += int64(n)
}
