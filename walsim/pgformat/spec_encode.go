package pgformat

import (
	"errors"
	"fmt"
	"math"
)

// ErrSpec is returned, wrapped, for a record that cannot be written.
var ErrSpec = errors.New("record cannot be encoded")

// Len is the record's xl_tot_len in bytes: header, block headers, images and
// data; alignment padding and page headers are not in it.
func (s *Spec) Len() int { return s.LenWith(0) }

// LenWith is xl_tot_len in bytes if trailer bytes are added at the end of the
// main data, which may also grow the header that says how long the main data is.
func (s *Spec) LenWith(trailer int) int {
	n := RecordHeaderSize + MainHeaderLen(s.MainLen+trailer) + s.MainLen + trailer
	for i := range s.Blocks {
		n += s.Blocks[i].headerLen(s.sameRel(i)) + s.Blocks[i].payloadLen()
	}
	return n
}

// sameRel says whether block i names the relation of the block before it, so
// that its header leaves the relation out (XLogRecordAssemble,
// access/transam/xloginsert.c).
func (s *Spec) sameRel(i int) bool { return i > 0 && s.Blocks[i].Rel == s.Blocks[i-1].Rel }

// Check says whether the record can be encoded: lengths fit their fields,
// holes are what a reader accepts, block ids rise. The error wraps ErrSpec or
// ErrBlock.
func (s *Spec) Check() error {
	if s.MainLen < 0 || len(s.Main) > s.MainLen {
		return fmt.Errorf("main data of %d bytes, of which %d given: %w", s.MainLen, len(s.Main), ErrSpec)
	}
	if uint64(s.MainLen) > math.MaxUint32 || s.Len() > MaxRecordSize {
		return fmt.Errorf("%d bytes, want at most %d: %w", s.Len(), MaxRecordSize, ErrSpec)
	}
	if !ValidRM(s.RMID) {
		return fmt.Errorf("resource manager %d does not exist: %w", s.RMID, ErrSpec)
	}
	for i := range s.Blocks {
		if i > 0 && s.Blocks[i].ID <= s.Blocks[i-1].ID {
			return fmt.Errorf("block id %d after %d, want rising ids: %w",
				s.Blocks[i].ID, s.Blocks[i-1].ID, ErrSpec)
		}
		if err := s.Blocks[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// Encode writes the whole record to the start of dst, with xl_prev and xl_crc
// zero, and returns its length, LenWith(trailer). dst is at least that long and
// may hold old bytes. Images and block data come from content (zeros if it is
// nil or empty), main data is s.Main and then zeros, and so is the trailer. It
// does not allocate; a spec that Check refuses gives a record nobody can read.
func (s *Spec) Encode(dst []byte, trailer int, content *Content) int {
	n := s.LenWith(trailer)
	dst = dst[:n]
	h := RecordHeader{TotLen: uint32(n), Xid: s.Xid, Info: s.Info, RMID: s.RMID}
	h.Encode(dst)
	at := RecordHeaderSize
	for i := range s.Blocks {
		at += s.Blocks[i].encodeHeader(dst[at:], s.sameRel(i))
	}
	at += putMainHeader(dst[at:], s.MainLen+trailer)
	for i := range s.Blocks {
		end := at + s.Blocks[i].payloadLen()
		fill(dst[at:end], content)
		at = end
	}
	at += copy(dst[at:at+s.MainLen], s.Main)
	clear(dst[at:])
	return n
}

func fill(dst []byte, content *Content) {
	if content == nil || len(content.Pool) == 0 {
		clear(dst)
		return
	}
	content.Fill(dst)
}
