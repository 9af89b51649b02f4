package pgformat

// Rel names a relation file (RelFileNode; RelFileLocator since 16).
type Rel struct{ Spc, DB, Node uint32 }

// Image flags (bimg_info), the same in 15 to 18.
const (
	ImageHasHole = 0x01
	ImageApply   = 0x02
	ImagePGLZ    = 0x04
	ImageLZ4     = 0x08
	ImageZstd    = 0x10
)

// MaxBlocks is the number of block references a record may have
// (XLR_MAX_BLOCK_ID + 1).
const MaxBlocks = 33

// Block is one block reference of a record, with the page image and the data
// that go with it.
type Block struct {
	ID       uint8
	Fork     uint8 // 0 main, 1 fsm, 2 vm, 3 init
	Rel      Rel
	Number   uint32
	WillInit bool

	HasImage   bool
	ImageLen   int // stored bytes: PageSize minus hole, or what compression left
	HoleOffset int
	HoleLen    int
	ImageInfo  uint8

	HasData bool
	DataLen int
}

// Spec describes a record to be written: everything but its content, its
// place and its CRC. Encode it with [Spec.Encode].
type Spec struct {
	RMID    uint8
	Info    uint8
	Xid     uint32
	Blocks  []Block
	MainLen int    // bytes of main data
	Main    []byte // the first bytes of it; the rest is zero
}

// Content is where the bytes of images and block data come from: a pool that
// is read round and round from Off on. It makes content cost no more than the
// copy that assembling a record costs in PostgreSQL.
type Content struct {
	Pool []byte
	Off  int
}

// Fill copies the next len(dst) bytes of the pool to dst. It panics on an empty
// pool.
func (c *Content) Fill(dst []byte) {
	if len(c.Pool) == 0 {
		panic("pgformat: content from an empty pool")
	}
	for len(dst) > 0 {
		if c.Off >= len(c.Pool) {
			c.Off = 0
		}
		n := copy(dst, c.Pool[c.Off:])
		dst, c.Off = dst[n:], c.Off+n
	}
}
