package strategies

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// positionCipher encrypts log bytes by their position under one key. All
// positioned designs share it, so their files are byte-equal for the same log,
// key and start, whatever their batching.
type positionCipher struct {
	ctr   CTR
	suite *Suite
	tli   uint32
	seg   pgformat.SegmentSize
}

func newPositionCipher(s Start) (*positionCipher, error) {
	ctr, err := s.Suite.newContext(s.Key)
	if err != nil {
		return nil, err
	}
	return &positionCipher{ctr: ctr, suite: s.Suite, tli: s.TLI, seg: s.SegmentSize}, nil
}

// xor encrypts the log bytes src, which stand at LSN at, into dst.
func (c *positionCipher) xor(m *simtime.Meter, dst, src []byte, at pgformat.LSN) {
	if len(src) == 0 {
		return
	}
	iv, skip := PositionCounter(c.tli, at)
	xorCTR(m, c.suite, c.ctr, dst, src, iv, skip)
}

// Decode implements PageDecoder: the page header stays as it is.
func (c *positionCipher) Decode(at pgformat.LSN, page []byte, from, to pgformat.LSN) {
	from = max(from, at+pgformat.LSN(c.seg.HeaderSize(at)))
	if from >= to {
		return
	}
	b := page[from-at : to-at]
	iv, skip := PositionCounter(c.tli, from)
	c.ctr.XORKeyStream(b, b, iv, skip)
}
