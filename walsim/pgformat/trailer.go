package pgformat

import "encoding/binary"

// Ids of the headers that are not block headers (access/xlogrecord.h).
const (
	idMainShort = 255 // length of the main data in one byte
	idMainLong  = 254 // in four
	idOrigin    = 253 // replication origin, two bytes
	idTopXid    = 252 // top-level transaction id, four bytes
)

// putMainHeader writes that header to the start of dst and returns its length.
func putMainHeader(dst []byte, n int) int {
	switch MainHeaderLen(n) {
	case 0:
		return 0
	case 2:
		dst[0], dst[1] = idMainShort, byte(n)
		return 2
	}
	dst[0] = idMainLong
	binary.LittleEndian.PutUint32(dst[1:], uint32(n))
	return 5
}

// LenWith is the record's xl_tot_len in bytes if trailer bytes are added to its
// main data: what Retrail returns.
func (r *Record) LenWith(trailer int) int {
	n := r.MainLen + trailer
	return int(r.Header.TotLen) - (r.PayloadAt - r.MainHeaderAt) + MainHeaderLen(n) + trailer
}

// RealLen is what the record's xl_tot_len was before trailer bytes were added
// to its main data: less the trailer and less what the main data's header grew
// by. trailer is at most MainLen.
func (r *Record) RealLen(trailer int) int {
	if trailer == 0 {
		return int(r.Header.TotLen)
	}
	return r.LenWith(-trailer)
}

// Retrail copies the plain, complete record rec to dst with trailer zero bytes
// added at the end of its main data, lengths put right, and xl_prev and xl_crc
// zero. parsed is ParseRecord's result for rec. It returns the new length,
// parsed.LenWith(trailer); dst is at least that long, does not overlap rec and
// may hold old bytes.
func Retrail(dst, rec []byte, parsed *Record, trailer int) int {
	n := parsed.LenWith(trailer)
	dst = dst[:n]
	at := copy(dst, rec[:parsed.MainHeaderAt])
	at += putMainHeader(dst[at:], parsed.MainLen+trailer)
	at += copy(dst[at:], rec[parsed.PayloadAt:])
	clear(dst[at:])
	h := parsed.Header
	h.TotLen, h.Prev, h.CRC = uint32(n), 0, 0
	h.Encode(dst)
	return n
}

// Canonical returns the two parts of a record that are the same with and
// without a trailer: everything between record header and main data header
// (block headers, origin, top-level xid), and images and data without the
// trailer. With xid, info and rmid of the header they are the record's content,
// whatever design stored it. The slices point into rec.
func Canonical(rec []byte, parsed *Record, trailer int) (headers, payload []byte) {
	return rec[RecordHeaderSize:parsed.MainHeaderAt], rec[parsed.PayloadAt : len(rec)-trailer]
}
