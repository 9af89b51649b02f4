package pgformat

import "encoding/binary"

// RecordHeader is the fixed header of a record (XLogRecord, access/xlogrecord.h).
//
//	0         4        8               16    17    18      20       24
//	+---------+--------+---------------+-----+-----+-------+--------+
//	| tot_len | xid    | prev          | info| rmid| zero  | crc    |
//	+---------+--------+---------------+-----+-----+-------+--------+
type RecordHeader struct {
	TotLen uint32 // whole record, header included, padding not
	Xid    uint32
	Prev   LSN
	Info   uint8 // low 4 bits common flags, high 4 the resource manager's
	RMID   uint8
	CRC    uint32
}

// Encode writes the header to dst[:24].
func (h *RecordHeader) Encode(dst []byte) {
	le := binary.LittleEndian
	le.PutUint32(dst[0:], h.TotLen)
	le.PutUint32(dst[4:], h.Xid)
	le.PutUint64(dst[8:], uint64(h.Prev))
	dst[16], dst[17], dst[18], dst[19] = h.Info, h.RMID, 0, 0
	le.PutUint32(dst[20:], h.CRC)
}

// DecodeRecordHeader reads the header from src[:24].
func DecodeRecordHeader(src []byte) RecordHeader {
	le := binary.LittleEndian
	return RecordHeader{
		TotLen: le.Uint32(src[0:]), Xid: le.Uint32(src[4:]), Prev: LSN(le.Uint64(src[8:])),
		Info: src[16], RMID: src[17], CRC: le.Uint32(src[20:]),
	}
}

// TotLen reads xl_tot_len from the first four bytes of a record.
func TotLen(src []byte) uint32 { return binary.LittleEndian.Uint32(src) }
