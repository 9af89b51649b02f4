package strategies

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// before-lock is the naive way out of the lock: every record is encrypted
// before the lock is taken, with a cipher context set up for it alone, key
// schedule and stream. It is how HBase's codec and Badger call their ciphers,
// and the set-up is what it costs on small records.
//
// Nonce argument: RecordNonce, stored in the record; see there.
//
// Security: confidentiality; header and CRC (over the ciphertext) are in clear.
func init() {
	Register(&Design{
		Name: "before-lock", Unit: "record", Place: "prepare",
		Nonce:     "stored in the record: key id, updater, sequence",
		Integrity: "none (CRC over the ciphertext)",
		Summary:   "encrypts each record before the lock, a cipher context set up for each",
		StandsFor: "the article's naive version; HBase's and Badger's call pattern",
		Mode:      ModeCTR, DefaultSuite: "aes-128-ctr",
		Trailer:          storedNonceTrailer,
		New:              func(s Start) (Instance, error) { return &beforeLock{s}, nil },
		NewRecordDecoder: newNonceDecoder,
	})
}

type beforeLock struct{ start Start }

func (d *beforeLock) Updater(id uint16, m *simtime.Meter) Phases {
	nonces := newRecordNonces(d.start.KeyID, id)
	key := d.start.Key.derive(d.start.Suite)
	return Phases{Prepare: func(recs []Record) []Record {
		for i := range recs {
			d.encrypt(m, key, &nonces, &recs[i])
		}
		return recs
	}}
}

func (d *beforeLock) encrypt(m *simtime.Meter, key []byte, nonces *recordNonces, r *Record) {
	body, nonce := splitStored(r.Buf)
	oneShotCTR(m, d.start.Suite, key, body, body, nonces.next(nonce))
}

// storedNonceTrailer is the trailer of designs that store a RecordNonce.
func storedNonceTrailer(int) int { return RecordNonceSize }

// splitStored takes a stored record apart: the body that is encrypted, and the
// nonce behind it. The 24-byte record header stays in clear.
func splitStored(rec []byte) (body []byte, nonce *RecordNonce) {
	end := len(rec) - RecordNonceSize
	return rec[pgformat.RecordHeaderSize:end], (*RecordNonce)(rec[end:])
}

// nonceDecoder reads records that store their nonce.
type nonceDecoder struct{ ctr CTR }

func newNonceDecoder(s Start) (RecordDecoder, error) {
	ctr, err := s.Suite.newReader(s.Key)
	if err != nil {
		return nil, err
	}
	return &nonceDecoder{ctr}, nil
}

func (d *nonceDecoder) Decode(rec []byte) (trailer int, err error) {
	body, nonce := splitStored(rec)
	d.ctr.XORKeyStream(body, body, nonce.counter(), 0)
	return RecordNonceSize, nil
}
