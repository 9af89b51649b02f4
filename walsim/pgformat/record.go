package pgformat

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrRecord is returned, wrapped, for bytes that are not a valid record.
var ErrRecord = errors.New("invalid WAL record")

// Record is a record taken apart. It holds no pointer into the record's bytes:
// MainHeaderAt and PayloadAt are offsets in them. The zero value is ready to be
// parsed into, again and again; a Record is not safe for concurrent use and
// must not be copied, since Blocks points into it.
type Record struct {
	Header    RecordHeader
	Blocks    []Block // in the record's order, ids rising; valid until the next parse
	HasOrigin bool
	Origin    uint16 // replication origin
	HasTopXid bool
	TopXid    uint32 // top-level transaction, for a subtransaction's first record

	Images     int // page images in it
	ImageBytes int // their stored bytes
	MainLen    int // bytes of main data

	MainHeaderAt int // where the main data's header begins; PayloadAt if there is none
	PayloadAt    int // where images and data begin

	store [MaxBlocks]Block
}

// ParseRecord takes apart rec, a whole plain record of xl_tot_len bytes, and
// checks it as DecodeXLogRecord does (access/xlogreader.c); beyond that it
// refuses images and holes that do not fit a page. CRC and xl_prev are the
// caller's question. It never reads outside rec, never panics, and allocates
// only for an error, which wraps ErrRecord or ErrBlock.
func ParseRecord(rec []byte, into *Record) error {
	into.reset()
	if len(rec) < RecordHeaderSize {
		return fmt.Errorf("%d bytes, want at least %d: %w", len(rec), RecordHeaderSize, ErrRecord)
	}
	into.Header = DecodeRecordHeader(rec)
	if uint64(into.Header.TotLen) != uint64(len(rec)) {
		return fmt.Errorf("length field says %d, got %d bytes: %w", into.Header.TotLen, len(rec), ErrRecord)
	}
	p := recordParser{rec: rec, at: RecordHeaderSize, into: into}
	if err := p.headers(); err != nil {
		return err
	}
	if left := len(rec) - p.at; left != p.payload {
		return fmt.Errorf("%d bytes behind the headers, headers say %d: %w", left, p.payload, ErrRecord)
	}
	into.PayloadAt = p.at
	if !p.main {
		into.MainHeaderAt = p.at
	}
	return nil
}

func (r *Record) reset() {
	r.Header, r.Blocks = RecordHeader{}, r.store[:0]
	r.HasOrigin, r.Origin, r.HasTopXid, r.TopXid = false, 0, false, 0
	r.Images, r.ImageBytes, r.MainLen, r.MainHeaderAt, r.PayloadAt = 0, 0, 0, 0, 0
}

// recordParser walks over the headers of one record.
type recordParser struct {
	rec     []byte
	at      int
	payload int  // bytes of images and data announced so far
	main    bool // the main data header, always the last, has been seen
	into    *Record
}

// headers reads headers until nothing is left but what they have announced.
func (p *recordParser) headers() error {
	for !p.main && len(p.rec)-p.at > p.payload {
		id := p.rec[p.at]
		if err := p.header(id); err != nil {
			return err
		}
	}
	return nil
}

func (p *recordParser) header(id byte) error {
	size := 0
	switch {
	case id < MaxBlocks:
		return p.block()
	case id == idMainShort:
		size = 2
	case id == idMainLong, id == idTopXid:
		size = 5
	case id == idOrigin:
		size = 3
	default:
		return fmt.Errorf("header id %d at offset %d: %w", id, p.at, ErrRecord)
	}
	b, ok := p.take(size)
	if !ok {
		return p.short(size)
	}
	p.fixed(id, b)
	return nil
}

// fixed reads a header of fixed size, b, id byte included.
func (p *recordParser) fixed(id byte, b []byte) {
	le := binary.LittleEndian
	switch id {
	case idMainShort:
		p.mainData(len(b), int(b[1]))
	case idMainLong:
		p.mainData(len(b), int(le.Uint32(b[1:])))
	case idTopXid:
		p.into.HasTopXid, p.into.TopXid = true, le.Uint32(b[1:])
	case idOrigin:
		p.into.HasOrigin, p.into.Origin = true, le.Uint16(b[1:])
	}
}

func (p *recordParser) mainData(header, length int) {
	p.main = true
	p.into.MainHeaderAt, p.into.MainLen = p.at-header, length
	p.payload += length
}

// block reads a block header.
func (p *recordParser) block() error {
	r := p.into
	b, ok := p.take(4)
	if !ok {
		return p.short(4)
	}
	if n := len(r.Blocks); n > 0 && b[0] <= r.Blocks[n-1].ID {
		return fmt.Errorf("block id %d after %d: %w", b[0], r.Blocks[n-1].ID, ErrRecord)
	}
	flags := b[1]
	r.store[len(r.Blocks)] = Block{
		ID: b[0], Fork: flags & blockForkMask, WillInit: flags&blockWillInit != 0,
		HasImage: flags&blockHasImage != 0, HasData: flags&blockHasData != 0,
		DataLen: int(binary.LittleEndian.Uint16(b[2:])),
	}
	blk := &r.store[len(r.Blocks)]
	if blk.HasData != (blk.DataLen != 0) {
		return fmt.Errorf("block %d: data flag %t, but %d bytes of data: %w",
			blk.ID, blk.HasData, blk.DataLen, ErrRecord)
	}
	if err := p.image(blk); err != nil {
		return err
	}
	if err := p.place(blk, flags&blockSameRel != 0); err != nil {
		return err
	}
	p.payload += blk.payloadLen()
	r.Blocks = r.store[:len(r.Blocks)+1]
	return nil
}

// image reads the part of a block header that describes its page image.
func (p *recordParser) image(blk *Block) error {
	if !blk.HasImage {
		return nil
	}
	le := binary.LittleEndian
	b, ok := p.take(5)
	if !ok {
		return p.short(5)
	}
	blk.ImageLen, blk.HoleOffset, blk.ImageInfo = int(le.Uint16(b)), int(le.Uint16(b[2:])), b[4]
	switch {
	case blk.storesHoleLen():
		if b, ok = p.take(2); !ok {
			return p.short(2)
		}
		blk.HoleLen = int(le.Uint16(b))
	case !blk.compressed():
		blk.HoleLen = PageSize - blk.ImageLen
	}
	p.into.Images++
	p.into.ImageBytes += blk.ImageLen
	return blk.checkImage()
}

// place reads relation and block number.
func (p *recordParser) place(blk *Block, sameRel bool) error {
	le := binary.LittleEndian
	if sameRel {
		n := len(p.into.Blocks)
		if n == 0 {
			return fmt.Errorf("block %d refers to a block before it, there is none: %w", blk.ID, ErrRecord)
		}
		blk.Rel = p.into.Blocks[n-1].Rel
	} else {
		b, ok := p.take(12)
		if !ok {
			return p.short(12)
		}
		blk.Rel = Rel{Spc: le.Uint32(b), DB: le.Uint32(b[4:]), Node: le.Uint32(b[8:])}
	}
	b, ok := p.take(4)
	if !ok {
		return p.short(4)
	}
	blk.Number = le.Uint32(b)
	return nil
}

// take returns the next n bytes and moves behind them.
func (p *recordParser) take(n int) ([]byte, bool) {
	if len(p.rec)-p.at < n {
		return nil, false
	}
	b := p.rec[p.at : p.at+n]
	p.at += n
	return b, true
}

func (p *recordParser) short(n int) error {
	return fmt.Errorf("headers want %d bytes at offset %d, %d left: %w",
		n, p.at, len(p.rec)-p.at, ErrRecord)
}
