package ciphers

import "github.com/walbench/walbench/strategies/aesctr"

// What records look like in memory. Both sides of a comparison have the same: the
// rival's program builds its ring by the same rules (rival/openssl.c).
const (
	// setBytes is the working set of either side, source and destination, for
	// records of one size: both fit a first-level cache of 32 kB and more. Larger
	// records are a set of one.
	setBytes = 16 << 10
	// mixedRecords have random lengths: too many for a branch predictor to learn.
	mixedRecords  = 4096
	mixedSetBytes = 1 << 20 // at most, so that both sides stay in a second-level cache

	align = 8  // of records in the log (MAXALIGN)
	slack = 64 // bytes behind the last record: masked loads and stores reach there
	// offsetBytes is the distance of destination and source modulo 4096. Where
	// they meet in one 4 kB page position, loads wait for stores to other pages,
	// and a copy can lose nine tenths of its speed.
	offsetBytes = 2048
	pageBytes   = 4096

	nonceHi  = 0x0102030405060708 // first half of all nonces
	ringSeed = 20260720           // of the lengths
)

// ring is the records that are encrypted in turn, over and over, out of place.
type ring struct {
	size  Size
	recs  []aesctr.Record
	bytes int // sum of lengths
	src   []byte
	dst   []byte
}

func newRing(size Size) *ring {
	r := &ring{size: size, recs: make([]aesctr.Record, ringRecords(size))}
	lengths := splitmix{ringSeed}
	spans := make([]int, len(r.recs))
	total := 0
	for i := range spans {
		spans[i] = size.Min + int(lengths.next()%uint64(size.Max-size.Min+1))
		total += aligned(spans[i], align)
	}
	distance := aligned(total+slack, pageBytes) + offsetBytes
	memory := make([]byte, distance+total+slack)
	for i := range memory { // touched: the first access to a page is slow
		memory[i] = filler(i)
	}
	r.src, r.dst = memory[:total+slack], memory[distance:]
	at := 0
	for i, n := range spans {
		r.recs[i] = aesctr.Record{Src: r.src[at:][:n:n], Dst: r.dst[at:][:n], From: nonce(i)}
		at += aligned(n, align)
		r.bytes += n
	}
	return r
}

// ringRecords is the number of records of a ring.
func ringRecords(size Size) int {
	if size.Mixed() {
		return max(1, min(mixedRecords, mixedSetBytes/size.Max))
	}
	return max(1, setBytes/aligned(size.Min, align))
}

// quantum is what the number of records in a sample is a multiple of: whole
// rings where a call takes the ring or where lengths differ.
func (r *ring) quantum(call string) int {
	if call == CallBatch || r.size.Mixed() {
		return len(r.recs)
	}
	return 1
}

// blocks is the mean number of AES blocks of a record.
func (r *ring) blocks() float64 {
	n := 0
	for i := range r.recs {
		n += (len(r.recs[i].Src) + aesctr.BlockSize - 1) / aesctr.BlockSize
	}
	return float64(n) / float64(len(r.recs))
}

// meanBytes is the mean length of a record.
func (r *ring) meanBytes() float64 { return float64(r.bytes) / float64(len(r.recs)) }

// nonce is where the keystream of the record with number i begins: 96 bits of
// nonce, 32 of block counter.
func nonce(i int) aesctr.Counter { return aesctr.Counter{Hi: nonceHi, Lo: uint64(i) << 32} }

func aligned(n, to int) int { return (n + to - 1) / to * to }

// filler is the byte at position i of the memory.
func filler(i int) byte { return byte(uint32(i) * 0x9e3779b1 >> 24) }

// splitmix is the generator SplitMix64 (Steele, Lea, Flood 2014): a few lines in
// any language.
type splitmix struct{ state uint64 }

func (s *splitmix) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
