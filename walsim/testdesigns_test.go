package walsim

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Designs that use the phases no design of the canonical comparison uses, so
// that every path of the log is under test: publish and copy (two-phase), and
// place.
func init() {
	strategies.Register(&strategies.Design{
		Name: "test-two-phase", TwoPhase: true, Positioned: true, Mode: strategies.ModeCTR,
		New:            func(strategies.Start) (strategies.Instance, error) { return twoPhaseXOR{}, nil },
		NewPageDecoder: func(s strategies.Start) (strategies.PageDecoder, error) { return xorPages{s.SegmentSize}, nil },
	})
	strategies.Register(&strategies.Design{
		Name: "test-two-phase-plain", TwoPhase: true,
		New: func(strategies.Start) (strategies.Instance, error) { return twoPhasePlain{}, nil },
	})
	strategies.Register(&strategies.Design{
		Name: "test-place", LateBody: true, Mode: strategies.ModeCTR,
		Trailer: func(int) int { return strategies.RecordNonceSize },
		New:     func(s strategies.Start) (strategies.Instance, error) { return placeXOR{s.KeyID}, nil },
		NewRecordDecoder: func(strategies.Start) (strategies.RecordDecoder, error) {
			return placeXOR{}, nil
		},
	})
}

// mask stands for a keystream: it depends on the position only.
func mask(at pgformat.LSN) byte { return byte(at*131 + at>>9) }

type twoPhasePlain struct{}

func (twoPhasePlain) Updater(uint16, *simtime.Meter) strategies.Phases {
	return strategies.Phases{Publish: func(*strategies.Record) {}}
}

type twoPhaseXOR struct{}

func (twoPhaseXOR) Updater(_ uint16, m *simtime.Meter) strategies.Phases {
	return strategies.Phases{
		Publish: func(*strategies.Record) {},
		Copy: func(dst, src []byte, at pgformat.LSN) {
			for i := range src {
				dst[i] = src[i] ^ mask(at+pgformat.LSN(i))
			}
		},
	}
}

type xorPages struct{ seg pgformat.SegmentSize }

func (x xorPages) Decode(at pgformat.LSN, page []byte, from, to pgformat.LSN) {
	from = max(from, at+pgformat.LSN(x.seg.HeaderSize(at)))
	for l := from; l < to; l++ {
		page[l-at] ^= mask(l)
	}
}

// placeXOR changes the body under the lock and computes the CRC there.
type placeXOR struct{ key strategies.KeyID }

func (d placeXOR) Updater(_ uint16, m *simtime.Meter) strategies.Phases {
	return strategies.Phases{Place: func(r *strategies.Record) {
		d.flip(r.Buf)
		r.Buf[len(r.Buf)-9] = byte(d.key) // where a RecordNonce has its key id
		r.BodyCRC = m.CRC(0, r.Buf[pgformat.RecordHeaderSize:])
	}}
}

func (d placeXOR) flip(rec []byte) {
	for i := pgformat.RecordHeaderSize; i < len(rec)-strategies.RecordNonceSize; i++ {
		rec[i] ^= 0x5A
	}
}

func (d placeXOR) Decode(rec []byte) (int, error) {
	d.flip(rec)
	return strategies.RecordNonceSize, nil
}
