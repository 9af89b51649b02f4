package strategies

import (
	"encoding/binary"

	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim/pgformat"
)

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
func PositionCounter(tli uint32, l pgformat.LSN) (from aesctr.Counter, skip int) {
	return aesctr.Counter{Hi: uint64(tli) << 32, Lo: uint64(l) / aesctr.BlockSize}, int(l % aesctr.BlockSize)
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
	prefix   uint64 // key id and updater, where they stand in a nonce
	sequence uint64
}

func newRecordNonces(key KeyID, updater uint16) recordNonces {
	return recordNonces{prefix: uint64(key)<<32 | uint64(updater)<<16}
}

// next writes the next nonce to dst and returns the record's first counter. Both
// are made from numbers: bytes that have just been stored one by one can be
// loaded as a whole only after a wait.
func (n *recordNonces) next(dst *RecordNonce) aesctr.Counter {
	if n.sequence == maxSequence {
		panic("strategies: record nonces of an updater used up") // 2^48 records under one key
	}
	n.sequence++
	hi, lo := n.prefix|n.sequence>>32, uint32(n.sequence)
	binary.BigEndian.PutUint64(dst[0:], hi)
	binary.BigEndian.PutUint32(dst[8:], lo)
	return recordCounter(hi, lo)
}

// KeyID is the key that the nonce was drawn under.
func (n *RecordNonce) KeyID() KeyID { return KeyID(binary.BigEndian.Uint32(n[0:])) }

// counter is the first counter of the record that has this nonce.
func (n *RecordNonce) counter() aesctr.Counter {
	return recordCounter(binary.BigEndian.Uint64(n[0:]), binary.BigEndian.Uint32(n[8:]))
}

// recordCounter is a nonce, given as its first 8 bytes and its last 4, and then
// a 32-bit block counter from zero. 2^32 blocks are 64 GB, far beyond the
// largest record.
func recordCounter(hi uint64, lo uint32) aesctr.Counter {
	return aesctr.Counter{Hi: hi, Lo: uint64(lo) << 32}
}
