package aesctr

// Record is one piece of work of [Cipher.XORRecords]: its own source,
// destination and nonce.
type Record struct {
	// Dst is at least as long as Src, and either the same memory or none of it.
	Dst, Src []byte
	// From and Skip say where the keystream begins, as for XORKeyStream.
	From Counter
	Skip int
}

// XORRecords encrypts (or decrypts) all records in one call, in any order: no
// record's Dst may be memory of another record. Each is what XORKeyStream makes
// of it, and misuse panics as there, when other records may have been done. It
// returns how many streams had to be set up, which only stdlib does.
func (c *Cipher) XORRecords(recs []Record) (setups int) {
	if c.kind != kindStdlib && len(recs) > fewRecords {
		c.recordsKernel(recs)
		return 0
	}
	for i := range recs {
		r := &recs[i]
		if c.XORKeyStream(r.Dst, r.Src, r.From, r.Skip) {
			setups++
		}
	}
	return setups
}

// Setups is what XORRecords would return for recs, whose bytes it does not look at.
func (c *Cipher) Setups(recs []Record) (setups int) {
	if c.kind != kindStdlib {
		return 0
	}
	for i := range recs {
		if !shortEnough(len(recs[i].Src), recs[i].Skip) {
			setups++
		}
	}
	return setups
}

// fewRecords is how many records are better done by single calls: the kernel for
// many loads a counter as a whole, and waits for it if it has just been stored
// half by half.
const fewRecords = 2

// maxRecords is how many records one call into assembly does at most: short ones
// take the time of a register each.
const maxRecords = maxCall / 64

// recordsKernel does the records in place every other first, and then the others.
// Adjacent short records cost two to three times as much one after the other: the
// load of the next overlaps the masked store of the last, and waits for it.
func (c *Cipher) recordsKernel(recs []Record) {
	stride := 1
	if inPlace(&recs[0]) {
		stride = 2
	}
	for first := range stride {
		c.everyNth(recs, first, stride)
	}
}

func inPlace(r *Record) bool { return len(r.Dst) > 0 && len(r.Src) > 0 && &r.Dst[0] == &r.Src[0] }

// everyNth does every stride'th record from i on. It alternates between the
// kernel, which stops at any record that is out of the ordinary (empty, misused,
// very long, a carry in its counter) and now and then to let the scheduler in, and
// the single call.
func (c *Cipher) everyNth(recs []Record, i, stride int) {
	for i < len(recs) {
		count := min((len(recs)-i+stride-1)/stride, maxRecords)
		n := c.recordsPiece(recs[i:], count, stride)
		if i += stride * n; n < count {
			r := &recs[i]
			c.XORKeyStream(r.Dst, r.Src, r.From, r.Skip)
			i += stride
		}
	}
}
