package strategies

import (
	"encoding/binary"

	"github.com/walbench/walbench/walsim/pgformat"
)

// CounterBlock is the 128-bit block that counter mode encrypts to get 16 bytes
// of keystream.
type CounterBlock [16]byte

// PositionCounter is the counter block of the 16 log bytes that hold l under a
// positioned design, and how far into them l is:
//
//	0          4         8                16
//	+----------+---------+----------------+
//	| timeline | 0       | LSN / 16       |  big endian
//	+----------+---------+----------------+
//
// Every byte of the log has a keystream byte of its own under (key, timeline),
// and the key is drawn afresh at every start, so a byte that is written twice
// under one key is the same byte at the same place.
func PositionCounter(tli uint32, l pgformat.LSN) (iv CounterBlock, skip int) {
	binary.BigEndian.PutUint32(iv[0:], tli)
	binary.BigEndian.PutUint64(iv[8:], uint64(l)/16)
	return iv, int(l & 15)
}

// RecordNonceSize is the size of a RecordNonce in bytes.
const RecordNonceSize = 12

// RecordNonce is the 96-bit nonce that designs with stored nonces put at the
// end of a record's main data:
//
//	0        4         6                  12
//	+--------+---------+------------------+
//	| key id | updater | sequence         |  big endian
//	+--------+---------+------------------+
//
// It never repeats under one key: a key belongs to one start, updaters of a
// start have different numbers, and each updater counts up and never back, also
// when a record is built again. It doubles as the way to the key.
type RecordNonce [RecordNonceSize]byte

// maxSequence is the last sequence number that fits 6 bytes.
const maxSequence = 1<<48 - 1

// recordNonces hands out the nonces of one updater under one key.
type recordNonces struct {
	nonce    RecordNonce
	sequence uint64
}

func newRecordNonces(key KeyID, updater uint16) recordNonces {
	var n recordNonces
	binary.BigEndian.PutUint32(n.nonce[0:], uint32(key))
	binary.BigEndian.PutUint16(n.nonce[4:], updater)
	return n
}

// next writes the next nonce to dst.
func (n *recordNonces) next(dst *RecordNonce) {
	if n.sequence == maxSequence {
		panic("strategies: record nonces of an updater used up") // 2^48 records under one key
	}
	n.sequence++
	binary.BigEndian.PutUint16(n.nonce[6:], uint16(n.sequence>>32))
	binary.BigEndian.PutUint32(n.nonce[8:], uint32(n.sequence))
	*dst = n.nonce
}

// KeyID is the key that the nonce was drawn under.
func (n *RecordNonce) KeyID() KeyID { return KeyID(binary.BigEndian.Uint32(n[0:])) }

// counter is the first counter block of the record: the nonce, then a 32-bit
// block counter from zero. 2^32 blocks are 64 GB, far beyond the largest record.
func (n *RecordNonce) counter() (iv CounterBlock) {
	copy(iv[:], n[:])
	return iv
}
