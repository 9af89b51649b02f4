package strategies

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/walbench/walbench/strategies/aesctr"
)

// The two suites here build counter mode as pg_tde does (enc_aes.c): a batch of
// counter blocks is written to a buffer, encrypted in place with one multi-block
// ECB call, and XORed with the data: byte by byte before its July 2026 fix, with
// wide operations after it (percona/pg_tde pull request 633). The batch is 200
// blocks of 16 bytes.
//
// What differs: pg_tde's ECB is OpenSSL's, eight blocks at a time in AES-NI; here
// it is this project's kernel on the same instructions. pg_tde writes the block
// number over the last 4 bytes of a block in the order of the machine, so that
// its counter is not the standard one; here it is, at the same cost of two
// stores a block.
func init() {
	i := ecbImplementation()
	registerECBSuite(i, &Suite{
		Name:    "ctr-ecb-scalar",
		Summary: "AES-128 counter mode as pg_tde built it before July 2026: ECB batches of 3200 B, XOR byte by byte",
	}, xorBytewise)
	registerECBSuite(i, &Suite{
		Name:    "ctr-ecb-vector",
		Summary: "the same with a wide XOR, as pg_tde builds it since",
	}, xorWide)
}

// ecbImplementation is what encrypts the batches: AES-NI, which is what pg_tde's
// OpenSSL 3.0 really runs, also where the processor can do more. A machine
// without it, or a WALBENCH_AESCTR that asks for no kernel, gets what is selected.
func ecbImplementation() *aesctr.Implementation {
	selected, _ := aesctr.Selected() // a wrong WALBENCH_AESCTR is the commands' to report
	if aesni, err := aesctr.Lookup("aes-ni"); err == nil && selected.Name != stdlibName {
		return aesni
	}
	return selected
}

func registerECBSuite(i *aesctr.Implementation, s *Suite, xor func(dst, src, stream []byte)) {
	s.Mode, s.KeySize, s.Cipher, s.Implementation = ModeCTR, 16, s.Name, i
	s.Summary += "; ECB by " + i.Name
	if i.Name == stdlibName {
		s.Warning = "portable Go encrypts one block a call where pg_tde's OpenSSL encrypts eight at once: " +
			"slower than what it stands for"
	}
	s.newCTR = func(key []byte) (CTR, error) { return newECBCTR(i, key, xor) }
	registerSuite(s)
}

// ecbBatch is pg_tde's NUM_AES_BLOCKS_IN_BATCH, 200 blocks, in bytes.
const ecbBatch = 200 * aesctr.BlockSize

// ecbCTR is counter mode out of batches of encrypted counter blocks.
type ecbCTR struct {
	cipher *aesctr.Cipher
	xor    func(dst, src, stream []byte)
	stream [ecbBatch]byte
}

func newECBCTR(i *aesctr.Implementation, key []byte, xor func(dst, src, stream []byte)) (*ecbCTR, error) {
	c, err := i.New(key)
	if err != nil {
		return nil, err
	}
	return &ecbCTR{cipher: c, xor: xor}, nil
}

func (c *ecbCTR) XORKeyStream(dst, src []byte, from aesctr.Counter, skip int) (setup bool) {
	aesctr.CheckXOR(dst, src, from, skip)
	for len(src) > 0 {
		n := min(len(src), ecbBatch-skip)
		from = c.batch(from, skip+n)
		c.xor(dst[:n], src[:n], c.stream[skip:skip+n])
		dst, src, skip = dst[n:], src[n:], 0
	}
	return false
}

// XORRecords does one record after the other: pg_tde knows one piece a call.
func (c *ecbCTR) XORRecords(recs []aesctr.Record) (setups int) {
	for i := range recs {
		r := &recs[i]
		c.XORKeyStream(r.Dst, r.Src, r.From, r.Skip)
	}
	return 0
}

// Setups is 0: the context is kept.
func (c *ecbCTR) Setups([]aesctr.Record) int { return 0 }

// batch makes the keystream of n bytes from a counter on, rounded up to whole
// blocks, and returns the counter behind it.
func (c *ecbCTR) batch(from aesctr.Counter, n int) aesctr.Counter {
	blocks := c.stream[:(n+aesctr.BlockSize-1)/aesctr.BlockSize*aesctr.BlockSize]
	for off := 0; off < len(blocks); off += aesctr.BlockSize {
		binary.BigEndian.PutUint64(blocks[off:], from.Hi)
		binary.BigEndian.PutUint64(blocks[off+8:], from.Lo)
		from, _ = from.Add(1)
	}
	c.cipher.EncryptBlocks(blocks, blocks)
	return from
}

// xorBytewise is the loop that pg_tde's compiler could not vectorise, since it
// may be called in place; Go's compiler does not vectorise either.
func xorBytewise(dst, src, stream []byte) {
	for i := range src {
		dst[i] = src[i] ^ stream[i]
	}
}

func xorWide(dst, src, stream []byte) { subtle.XORBytes(dst, src, stream) }
