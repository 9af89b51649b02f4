package strategies

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// in-lock encrypts immediately before writing, under the lock, what has been
// filled so far: the filled part of every page of the flush, the page begun by
// an earlier flush from its start.
//
// Nonce argument: the counter is the log position (PositionCounter) under a key
// of this start. A page begun by an earlier flush is encrypted again from its
// start, but its bytes are the same ones at the same places; the tail behind
// the last record is written as plain zeros, so no keystream is exposed there.
//
// Cost: all encryption under the lock, half a page per small commit on average.
// Security: confidentiality; the CRC lies inside the ciphertext and is no
// protection against tampering.
func init() {
	Register(&Design{
		Name: "in-lock", Unit: "filled part of each page", Place: "flush",
		Nonce: "log position under a key of this start", Integrity: "none (CRC inside the ciphertext)",
		Summary:   "encrypts the filled part of each page immediately before writing it, under the lock",
		StandsFor: "the article's in-lock encryption of what was filled so far",
		Mode:      ModeCTR, DefaultSuite: "aes-128-ctr",
		Positioned: true,
		New: func(s Start) (Instance, error) {
			c, err := newPositionCipher(s)
			if err != nil {
				return nil, err
			}
			return &inLock{c}, nil
		},
		NewPageDecoder: newPositionReader,
	})
}

// inLock's one cipher context is shared by all updaters: it is used under the
// serialising lock only.
type inLock struct{ *positionCipher }

func (d *inLock) Updater(uint16, *simtime.Meter) Phases { return Phases{Flush: d.flush} }

// flush encrypts the filled parts of all pages in one call.
func (d *inLock) flush(f *Flush) {
	f.eachPage(d.page)
	d.xor(f.Meter)
}

// page fills one page of the flush: header and stored bytes in clear, the
// filled part to be encrypted, zeros behind it.
func (d *inLock) page(f *Flush, at pgformat.LSN, in, out []byte) {
	clearEnd, filled := f.parts(at)
	f.Meter.Copy(out, in[:clearEnd])
	d.add(out[clearEnd:filled], in[clearEnd:filled], at+pgformat.LSN(clearEnd))
	if filled < pgformat.PageSize {
		f.Meter.Zero(out[filled:])
	}
}
