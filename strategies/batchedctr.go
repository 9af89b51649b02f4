package strategies

import "github.com/walbench/walbench/simtime"

// batched-ctr encrypts all records of a transaction before the lock in one go,
// with a cipher context that is kept: our reading of the article's fast
// prototype, which was not published. Each record has a nonce of its own, so that
// every record decrypts alone. With the standard library's suites a record of
// more than 128 bytes still costs a stream of its own, and an allocation.
//
// Nonce argument: RecordNonce, stored in the record; see there.
//
// Security: confidentiality; header and CRC (over the ciphertext) are in clear.
func init() {
	Register(&Design{
		Name: "batched-ctr", Unit: "all records of a transaction", Place: "prepare",
		Nonce:     "stored in the record: key id, updater, sequence",
		Integrity: "none (CRC over the ciphertext)",
		Summary:   "encrypts the records of a transaction before the lock with contexts that are kept",
		StandsFor: "the article's prototype without measurable loss (our reading)",
		Mode:      ModeCTR, DefaultSuite: "aes-128-ctr",
		Trailer:          storedNonceTrailer,
		New:              func(s Start) (Instance, error) { return &batchedCTR{s}, nil },
		NewRecordDecoder: newNonceDecoder,
	})
}

type batchedCTR struct{ start Start }

func (d *batchedCTR) Updater(id uint16, m *simtime.Meter) Phases {
	s := d.start.Suite
	ctr, err := s.newContext(d.start.Key)
	if err != nil {
		panic("strategies: " + err.Error()) // the key has the suite's size
	}
	nonces := newRecordNonces(d.start.KeyID, id)
	return Phases{Prepare: func(recs []Record) []Record {
		for i := range recs {
			body, nonce := splitStored(recs[i].Buf)
			nonces.next(nonce)
			xorCTR(m, s, ctr, body, body, nonce.counter(), 0)
		}
		return recs
	}}
}
