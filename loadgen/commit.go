package loadgen

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/walbench/walbench/walsim/pgformat"
)

// commitBytes is the length of a commit record: header 24, main data header 2, xact_time.
const commitBytes = 24 + 2 + commitMainLen

// commitRecord is the commit of an updater's transactions, with a time that rises.
// It must not be copied.
type commitRecord struct {
	draw  *rand.PCG
	time  uint64 // microseconds since 2000
	stamp [commitMainLen]byte
	spec  pgformat.Spec
	none  pgformat.Content // it has main data only
}

func (c *commitRecord) init(seed uint64, updater int) {
	c.draw = NewPCG(seed, "commit time", updater)
	c.time = firstCommitTime + c.draw.Uint64()%commitTimeSpread
	c.spec = pgformat.Spec{
		RMID: pgformat.RMXact, Info: pgformat.InfoXactCommit, MainLen: commitMainLen, Main: c.stamp[:],
	}
}

// next moves on to the next transaction.
func (c *commitRecord) next() {
	c.time += 1 + c.draw.Uint64()%commitTimeStep
	binary.LittleEndian.PutUint64(c.stamp[:], c.time)
}

func (c *commitRecord) add(to sink) { to.Add(&c.spec, &c.none) }
