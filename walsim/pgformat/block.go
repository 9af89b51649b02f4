package pgformat

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrBlock is returned, wrapped, for a block reference that no server writes.
var ErrBlock = errors.New("invalid block reference")

// Bits of a block header's fork_flags byte (access/xlogrecord.h); the low four
// are the fork number.
const (
	blockForkMask = 0x0F
	blockHasImage = 0x10
	blockHasData  = 0x20
	blockWillInit = 0x40
	blockSameRel  = 0x80
)

// imageCompressed are the image flags that name a compression method.
const imageCompressed = ImagePGLZ | ImageLZ4 | ImageZstd

// maxFork is the highest fork number a server writes (init).
const maxFork = 3

// compressed says whether the block's image is stored compressed.
func (b *Block) compressed() bool { return b.ImageInfo&imageCompressed != 0 }

// storesHoleLen says whether the hole's length has a field of its own: only
// then, since without compression it is what the image lacks of a page.
func (b *Block) storesHoleLen() bool {
	return b.compressed() && b.ImageInfo&ImageHasHole != 0
}

// headerLen is the length of the block's header in bytes.
func (b *Block) headerLen(sameRel bool) int {
	n := 4 + 4 // id, fork_flags, data_len; block number
	if b.HasImage {
		n += 5
		if b.storesHoleLen() {
			n += 2
		}
	}
	if !sameRel {
		n += 12
	}
	return n
}

// payloadLen is how many bytes of image and data follow the headers.
func (b *Block) payloadLen() int {
	n := 0
	if b.HasImage {
		n += b.ImageLen
	}
	if b.HasData {
		n += b.DataLen
	}
	return n
}

// encodeHeader writes the block's header to the start of dst and returns its
// length (XLogRecordBlockHeader, XLogRecordBlockImageHeader,
// XLogRecordBlockCompressHeader, RelFileNode, BlockNumber).
//
//	0    1            2         4
//	+----+------------+---------+
//	| id | fork_flags | data_len|
//	+----+------------+---------+
//	then, with an image:           2             4           5
//	+------------------+-------------+-----------+----------------------+
//	| image length     | hole offset | bimg_info | hole length, 2 bytes,|
//	|                  |             |           | if compressed + hole |
//	+------------------+-------------+-----------+----------------------+
//	then, unless the relation is the one before:     then always
//	+------------+----------+---------------+        +--------------+
//	| tablespace | database | relfilenumber |        | block number |
//	+------------+----------+---------------+        +--------------+
func (b *Block) encodeHeader(dst []byte, sameRel bool) int {
	le := binary.LittleEndian
	dst[0], dst[1] = b.ID, b.forkFlags(sameRel)
	le.PutUint16(dst[2:], 0)
	if b.HasData {
		le.PutUint16(dst[2:], uint16(b.DataLen))
	}
	at := 4
	if b.HasImage {
		le.PutUint16(dst[at:], uint16(b.ImageLen))
		le.PutUint16(dst[at+2:], uint16(b.HoleOffset))
		dst[at+4] = b.ImageInfo
		at += 5
		if b.storesHoleLen() {
			le.PutUint16(dst[at:], uint16(b.HoleLen))
			at += 2
		}
	}
	if !sameRel {
		le.PutUint32(dst[at:], b.Rel.Spc)
		le.PutUint32(dst[at+4:], b.Rel.DB)
		le.PutUint32(dst[at+8:], b.Rel.Node)
		at += 12
	}
	le.PutUint32(dst[at:], b.Number)
	return at + 4
}

func (b *Block) forkFlags(sameRel bool) byte {
	f := b.Fork & blockForkMask
	if b.HasImage {
		f |= blockHasImage
	}
	if b.HasData {
		f |= blockHasData
	}
	if b.WillInit {
		f |= blockWillInit
	}
	if sameRel {
		f |= blockSameRel
	}
	return f
}

// check says whether the block can be written: what fits its fields and what
// DecodeXLogRecord accepts.
func (b *Block) check() error {
	switch {
	case int(b.ID) >= MaxBlocks:
		return fmt.Errorf("block id %d, want at most %d: %w", b.ID, MaxBlocks-1, ErrBlock)
	case b.Fork > maxFork:
		return fmt.Errorf("block %d: fork %d, want at most %d: %w", b.ID, b.Fork, maxFork, ErrBlock)
	case b.HasData && (b.DataLen < 1 || b.DataLen > 0xFFFF):
		return fmt.Errorf("block %d: %d bytes of data, want 1 to 65535: %w", b.ID, b.DataLen, ErrBlock)
	case !b.HasData && b.DataLen != 0:
		return fmt.Errorf("block %d: %d bytes of data without HasData: %w", b.ID, b.DataLen, ErrBlock)
	case b.HasImage:
		return b.checkImage()
	}
	return nil
}

// checkImage applies the rules that DecodeXLogRecord (access/xlogreader.c) has
// for an image's length and hole, and one more: that it fits a page.
func (b *Block) checkImage() error {
	hole := b.ImageInfo&ImageHasHole != 0
	switch {
	case b.ImageLen < 0 || b.HoleOffset < 0 || b.HoleLen < 0 || b.ImageLen+b.HoleLen > PageSize ||
		b.HoleOffset+b.HoleLen > PageSize:
		return fmt.Errorf("block %d: image of %d bytes with hole %d+%d, want at most %d together: %w",
			b.ID, b.ImageLen, b.HoleOffset, b.HoleLen, PageSize, ErrBlock)
	case hole && (b.HoleOffset == 0 || b.HoleLen == 0 || b.ImageLen == PageSize):
		return fmt.Errorf("block %d: image of %d bytes has the hole flag, but hole %d+%d: %w",
			b.ID, b.ImageLen, b.HoleOffset, b.HoleLen, ErrBlock)
	case !hole && (b.HoleOffset != 0 || b.HoleLen != 0):
		return fmt.Errorf("block %d: hole %d+%d without the hole flag: %w",
			b.ID, b.HoleOffset, b.HoleLen, ErrBlock)
	case b.compressed() && b.ImageLen == PageSize:
		return fmt.Errorf("block %d: compressed image of a whole page (%d bytes): %w", b.ID, b.ImageLen, ErrBlock)
	case !b.compressed() && b.ImageLen+b.HoleLen != PageSize:
		return fmt.Errorf("block %d: plain image of %d bytes with hole of %d, want %d together: %w",
			b.ID, b.ImageLen, b.HoleLen, PageSize, ErrBlock)
	}
	return nil
}
