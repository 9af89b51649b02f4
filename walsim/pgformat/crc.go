package pgformat

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC continues a CRC-32C over b, starting from 0 for the first piece.
// (crc32.Update keeps the initial and final inversion inside, so pieces chain.)
func CRC(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }

// crcOffset is where xl_crc stands in a record header; it is the last field,
// and the CRC covers the 20 bytes before it after the body.
const crcOffset = 20

// PutPrev writes xl_prev, the LSN of the record before, into a record.
func PutPrev(rec []byte, prev LSN) { binary.LittleEndian.PutUint64(rec[8:], uint64(prev)) }

// FinishCRC completes a record: bodyCRC is the CRC of rec[24:]; the first 20
// header bytes are added (xl_prev must be set) and the result stored as xl_crc.
func FinishCRC(rec []byte, bodyCRC uint32) {
	binary.LittleEndian.PutUint32(rec[crcOffset:], CRC(bodyCRC, rec[:crcOffset]))
}

// CheckCRC says whether the record's stored xl_crc is right. rec is the whole
// record, xl_tot_len bytes.
func CheckCRC(rec []byte) bool {
	want := CRC(CRC(0, rec[RecordHeaderSize:]), rec[:crcOffset])
	return binary.LittleEndian.Uint32(rec[crcOffset:]) == want
}
