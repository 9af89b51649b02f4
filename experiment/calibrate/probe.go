package calibrate

import (
	"fmt"
	"slices"

	"github.com/walbench/walbench/simtime"
)

// How long samples are. Short ones, and many: what disturbs a machine leaves some
// of them alone.
const (
	sampleTime = 200 * simtime.Microsecond
	pilotTime  = 40 * simtime.Microsecond // from which a pilot tells the speed
)

// probe is one primitive at one size.
type probe struct {
	name string
	// time does n operations and says how long they took, without what had to be
	// prepared for them.
	time func(n int) (simtime.Duration, error)
	// operations of a sample; 0 until the pilot has found out.
	operations int
	every      int     // rounds between two samples; 0: none
	samples    []int64 // ps an operation, one a round
}

// pilot finds out how many operations fill a sample.
func (b *probe) pilot() error {
	if b.operations > 0 {
		return nil
	}
	n := 1
	took, err := b.time(n) // the first is slow: cold code and data
	for err == nil {
		if took, err = b.time(n); took >= pilotTime {
			break
		}
		n *= 2
	}
	if err == nil {
		b.operations = max(1, int(int64(n)*int64(sampleTime)/int64(took)))
	}
	return err
}

// due says whether a sample is taken in a round.
func (b *probe) due(round int) bool { return b.every == 0 || round%b.every == 0 }

// sample takes one.
func (b *probe) sample() error {
	took, err := b.time(b.operations)
	if err == nil {
		b.samples = append(b.samples, int64(took)/int64(b.operations))
	}
	return err
}

// reading is what came of a probe: picoseconds an operation.
type reading struct{ best, median int64 }

// read is the reading of what has been sampled; there is one sample at least.
func (b *probe) read() reading {
	s := slices.Sorted(slices.Values(b.samples))
	return reading{best: max(0, s[0]), median: max(0, s[len(s)/2])}
}

// line is a cost that grows with bytes: so much a call, so much a byte.
type line struct{ callPs, byteFs int64 }

const fsPerPs = 1000

// fit lays a line through what two sizes in bytes take, in picoseconds. A cost
// below nothing, which noise can make, is none.
func fit(smallPs, largePs int64, small, large int) line {
	byteFs := max(0, (largePs-smallPs)*fsPerPs/int64(large-small))
	return line{callPs: max(0, smallPs-int64(small)*byteFs/fsPerPs), byteFs: byteFs}
}

// nanoseconds is a time in picoseconds as people read it.
func nanoseconds(ps int64) string {
	if ps < 100*int64(simtime.Nanosecond) {
		return fmt.Sprintf("%d.%02d ns", ps/1000, ps%1000/10)
	}
	return fmt.Sprintf("%d.%d ns", ps/1000, ps%1000/100)
}
