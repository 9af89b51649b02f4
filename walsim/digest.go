package walsim

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Digest is a running 128-bit digest (XXH3) over the plain records of one
// updater in their order. What a log owes its updaters is compared by it:
// count, order and content, but not place.
type Digest struct {
	Records uint64
	hi, lo  uint64
}

// digester extends a digest record by record without allocation. It covers what
// a record says and not where it is: transaction id, resource manager, info,
// block headers, images, data and main data; not xl_prev, CRC, lengths that a
// design changes, or what a design adds.
type digester struct {
	sum  Digest
	hash xxh3.Hasher
	buf  [digestHead + digestShort]byte
}

const (
	digestHead  = 40
	digestShort = 256 // a record up to this length is hashed in one piece, which is faster
)

func (d *digester) begin(before Digest) { d.sum = before }

// record adds one record: rec's header, the block-header region without the
// main data header, and the payload without a trailer.
func (d *digester) record(rec, headers, payload []byte) {
	le, h := binary.LittleEndian, d.buf[:digestHead]
	le.PutUint64(h[0:], d.sum.hi)
	le.PutUint64(h[8:], d.sum.lo)
	copy(h[16:20], rec[4:8]) // xid
	h[20], h[21] = rec[16], rec[17]
	le.PutUint32(h[24:], uint32(len(headers)))
	le.PutUint32(h[28:], uint32(len(payload)))
	le.PutUint64(h[32:], d.sum.Records)
	s := d.hashed(headers, payload)
	d.sum = Digest{Records: d.sum.Records + 1, hi: s.Hi, lo: s.Lo}
}

// hashed is the hash of the head in buf, headers and payload.
func (d *digester) hashed(headers, payload []byte) xxh3.Uint128 {
	if len(headers)+len(payload) <= digestShort {
		n := digestHead
		n += copy(d.buf[n:], headers)
		n += copy(d.buf[n:], payload)
		return xxh3.Hash128(d.buf[:n])
	}
	d.hash.Reset()
	d.hash.Write(d.buf[:digestHead])
	d.hash.Write(headers)
	d.hash.Write(payload)
	return d.hash.Sum128()
}

// Digester extends the digest of an updater's records as they are read back.
type Digester struct{ d digester }

// Add extends before by rec, a plain record as read, of which the last trailer
// bytes are the design's.
func (g *Digester) Add(before Digest, rec []byte, parsed *pgformat.Record, trailer int) Digest {
	headers, payload := pgformat.Canonical(rec, parsed, trailer)
	g.d.begin(before)
	g.d.record(rec, headers, payload)
	return g.d.sum
}

func putXid(rec []byte, xid uint32) { binary.LittleEndian.PutUint32(rec[4:], xid) }
