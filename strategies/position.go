package strategies

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim/pgformat"
)

// positionCipher encrypts log bytes by their position under one key. All
// positioned designs share it, so their files are byte-equal for the same log,
// key and start, whatever their batching.
type positionCipher struct {
	ctr   CTR
	suite *Suite
	tli   uint32
	work  []aesctr.Record // of one flush; kept
}

func newPositionCipher(s Start) (*positionCipher, error) {
	ctr, err := s.Suite.newContext(s.Key)
	if err != nil {
		return nil, err
	}
	return &positionCipher{ctr: ctr, suite: s.Suite, tli: s.TLI}, nil
}

// add puts the log bytes src, which stand at LSN at, on the list of what xor
// encrypts into dst.
func (c *positionCipher) add(dst, src []byte, at pgformat.LSN) {
	if len(src) == 0 {
		return
	}
	from, skip := PositionCounter(c.tli, at)
	c.work = append(c.work, aesctr.Record{Dst: dst, Src: src, From: from, Skip: skip})
}

// xor encrypts all that was added, in one call.
func (c *positionCipher) xor(m *simtime.Meter) {
	xorRecords(m, c.suite, c.ctr, c.work)
	c.work = c.work[:0]
}

// positionReader undoes positionCipher.
type positionReader struct {
	ctr CTR
	tli uint32
	seg pgformat.SegmentSize
}

func newPositionReader(s Start) (PageDecoder, error) {
	ctr, err := s.Suite.newReader(s.Key)
	if err != nil {
		return nil, err
	}
	return &positionReader{ctr: ctr, tli: s.TLI, seg: s.SegmentSize}, nil
}

// Decode implements PageDecoder: the page header stays as it is.
func (r *positionReader) Decode(at pgformat.LSN, page []byte, from, to pgformat.LSN) {
	from = max(from, at+pgformat.LSN(r.seg.HeaderSize(at)))
	if from >= to {
		return
	}
	b := page[from-at : to-at]
	counter, skip := PositionCounter(r.tli, from)
	r.ctr.XORKeyStream(b, b, counter, skip)
}
