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

// fewRecords is how many records are better done by single calls: the kernel for
// many loads a counter as a whole, and waits for it if it has just been stored
// half by half.
const fewRecords = 2

// maxRecords is how many records one call into assembly does at most: short ones
// take the time of a register each.
const maxRecords = maxCall / 64

// recordsKernel alternates between the kernel, which stops at any record that is
// out of the ordinary (empty, misused, very long, a carry in its counter) and
// now and then to let the scheduler in, and the single call.
func (c *Cipher) recordsKernel(recs []Record) {
	if len(recs) > 1 && inPlace(&recs[0]) {
		c.everyOther(recs)
		return
	}
	for len(recs) > 0 {
		count := min(len(recs), maxRecords)
		n := c.recordsPiece(recs, count, 1)
		if recs = recs[n:]; n < count {
			r := &recs[0]
			c.XORKeyStream(r.Dst, r.Src, r.From, r.Skip)
			recs = recs[1:]
		}
	}
}

func inPlace(r *Record) bool { return len(r.Dst) > 0 && len(r.Src) > 0 && &r.Dst[0] == &r.Src[0] }

// everyOther does the even records and then the odd ones. In place, adjacent
// short records cost two to three times as much one after the other: the load
// of the next record overlaps the masked store of the last, and waits for it.
func (c *Cipher) everyOther(recs []Record) {
	for first := range 2 {
		for i := first; i < len(recs); {
			count := min((len(recs)-i+1)/2, maxRecords)
			n := c.recordsPiece(recs[i:], count, 2)
			if i += 2 * n; n < count {
				r := &recs[i]
				c.XORKeyStream(r.Dst, r.Src, r.From, r.Skip)
				i += 2
			}
		}
	}
}
