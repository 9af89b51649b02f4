package strategies

import (
	"slices"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
)

// batched-ctr encrypts all records of a transaction before the lock in one call,
// with a cipher context that is kept: our reading of the article's fast
// prototype, which was not published. Each record has a nonce of its own, so that
// every record decrypts alone. On a kernel that costs no set-up and no
// allocation; with the standard library's suites a record of more than 128 bytes
// still costs a stream of its own, and an allocation.
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
		Mode:      ModeCTR, DefaultSuite: selectedSuite("aes-128-ctr"), KernelCipher: "aes-128-ctr",
		Trailer:          storedNonceTrailer,
		New:              func(s Start) (Instance, error) { return &batchedCTR{s}, nil },
		NewRecordDecoder: newNonceDecoder,
	})
}

type batchedCTR struct{ start Start }

func (d *batchedCTR) Updater(id uint16, m *simtime.Meter) Phases {
	ctr, err := d.start.Suite.newContext(d.start.Key)
	if err != nil {
		panic("strategies: " + err.Error()) // the key has the suite's size
	}
	b := &recordBatch{meter: m, suite: d.start.Suite, ctr: ctr, nonces: newRecordNonces(d.start.KeyID, id)}
	return Phases{Prepare: b.prepare}
}

// recordBatch encrypts the transactions of one updater.
type recordBatch struct {
	meter  *simtime.Meter
	suite  *Suite
	ctr    CTR
	nonces recordNonces
	work   []aesctr.Record // of one transaction; kept, so that it grows a few times and then never again
}

// prepare encrypts the bodies in place: out of place small records take longer,
// since header and nonce have to be moved along, and page images no less. The
// list is filled in field by field: a record made elsewhere and copied would be
// loaded in wider pieces than it has just been stored in, which makes the
// processor wait.
func (b *recordBatch) prepare(recs []Record) []Record {
	b.work = slices.Grow(b.work[:0], len(recs))[:len(recs)]
	for i := range recs {
		body, nonce := splitStored(recs[i].Buf)
		w := &b.work[i]
		w.Dst, w.Src = body, body
		w.From = b.nonces.next(nonce)
	}
	xorRecords(b.meter, b.suite, b.ctr, b.work)
	return recs
}
