package fpw

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/walbench/walbench/walsim/pgformat"
)

// Compression is how images are compressed (wal_compression).
type Compression uint8

// The methods, at the levels PostgreSQL 15 uses: LZ4's default, zstd's 3.
const (
	Off Compression = iota
	LZ4
	Zstd
)

// ParseCompression reads off, lz4 or zstd.
func ParseCompression(s string) (Compression, error) {
	for _, c := range []Compression{Off, LZ4, Zstd} {
		if s == c.String() {
			return c, nil
		}
	}
	return Off, fmt.Errorf("compression %q, want off, lz4 or zstd: %w", s, ErrConfig)
}

func (c Compression) String() string {
	switch c {
	case LZ4:
		return "lz4"
	case Zstd:
		return "zstd"
	}
	return "off"
}

// flag is the method's bit in bimg_info.
func (c Compression) flag() uint8 {
	switch c {
	case LZ4:
		return pgformat.ImageLZ4
	case Zstd:
		return pgformat.ImageZstd
	}
	return 0
}

// press compresses images, for one session.
type press struct {
	method Compression
	lz4    *lz4.Compressor
	zstd   *zstd.Encoder
	out    []byte
}

func newPress(c Compression) press {
	p := press{method: c}
	switch c {
	case LZ4:
		p.lz4, p.out = new(lz4.Compressor), make([]byte, lz4.CompressBlockBound(pgformat.PageSize))
	case Zstd:
		p.out = make([]byte, 0, 2*pgformat.PageSize)
		p.zstd = newZstd()
	}
	return p
}

func newZstd() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(pgformat.PageSize), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("fpw: zstd: " + err.Error()) // the options above are fixed
	}
	return e
}

// squeeze is the picture as the log stores it: compressed if that makes it
// shorter, the hole's length included, which then has a field of its own
// (XLogCompressBackupBlock, access/transam/xloginsert.c). The result is good
// until the next call.
func (p *press) squeeze(from *picture) picture {
	if p.method == Off {
		return *from
	}
	small := p.compress(from.bytes)
	extra := 0
	if from.holeLen > 0 {
		extra = holeLenBytes
	}
	if len(small) == 0 || len(small)+extra >= len(from.bytes) {
		return *from
	}
	return picture{small, from.holeOffset, from.holeLen, from.info | p.method.flag()}
}

// holeLenBytes is SizeOfXLogRecordBlockCompressHeader.
const holeLenBytes = 2

// compress returns nothing if src does not get shorter.
func (p *press) compress(src []byte) []byte {
	if p.method == Zstd {
		return p.zstd.EncodeAll(src, p.out[:0])
	}
	n, err := p.lz4.CompressBlock(src, p.out)
	if err != nil {
		panic("fpw: lz4: " + err.Error()) // out has room for any page
	}
	return p.out[:n]
}
