package strategies

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// page-in-lock puts whole pages through the cipher under the lock, the unfilled
// tail included, as pg_tde does (pg_tde_xlog_smgr.c: one call for the whole
// write), and so costs what pg_tde costs. It differs in two things: the tail
// behind the last record is written as zeros, not as encrypted zeros, and page
// headers stay in clear.
//
// Nonce argument: as in-lock. What the cipher makes of the zero tail is thrown
// away, so no keystream reaches the device.
//
// unsafe-zero-tail is the same with the tail written as it comes out of the
// cipher, exactly as pg_tde writes it: encrypted zeros are raw keystream, and
// the next write of the page puts a record under it. Whoever has both images of
// the page reads the record.
func init() {
	d := &Design{
		Name: "page-in-lock", Unit: "whole 8 kB pages", Place: "flush",
		Nonce: "log position under a key of this start", Integrity: "none (CRC inside the ciphertext)",
		Summary:   "puts whole pages through the cipher before writing them, under the lock; zero tail written in clear",
		StandsFor: "what pg_tde costs: ctr-ecb-scalar before its July 2026 fix, ctr-ecb-vector after",
		Mode:      ModeCTR, DefaultSuite: "ctr-ecb-vector", Positioned: true,
		New:            func(s Start) (Instance, error) { return newPageInLock(s, false) },
		NewPageDecoder: newPositionReader,
	}
	Register(d)
	leak := *d
	leak.Name, leak.Nonce = "unsafe-zero-tail", "log position, but the zero tail is written as raw keystream"
	leak.Summary = "page-in-lock exactly as pg_tde writes it: the tail is encrypted zeros (negative control)"
	leak.StandsFor = "pg_tde's write path; negative control"
	leak.Unsafe = "writes the keystream of each page's tail; two images of a page give the records away"
	leak.New = func(s Start) (Instance, error) { return newPageInLock(s, true) }
	Register(&leak)
}

// pageInLock's one cipher context is used under the serialising lock only.
type pageInLock struct {
	*positionCipher
	keepTail bool // write the encrypted tail
}

func newPageInLock(s Start, keepTail bool) (Instance, error) {
	c, err := newPositionCipher(s)
	if err != nil {
		return nil, err
	}
	return &pageInLock{c, keepTail}, nil
}

func (d *pageInLock) Updater(uint16, *simtime.Meter) Phases { return Phases{Flush: d.flush} }

// flush puts all pages through the cipher in one call.
func (d *pageInLock) flush(f *Flush) {
	f.eachPage(d.page)
	d.xor(f.Meter)
	if !d.keepTail {
		f.eachPage(clearTail)
	}
}

func (d *pageInLock) page(f *Flush, at pgformat.LSN, in, out []byte) {
	clearEnd, _ := f.parts(at)
	f.Meter.Copy(out, in[:clearEnd])
	d.add(out[clearEnd:], in[clearEnd:], at+pgformat.LSN(clearEnd))
}

// clearTail makes zeros of what stands behind the last record.
func clearTail(f *Flush, at pgformat.LSN, _, out []byte) {
	if _, filled := f.parts(at); filled < pgformat.PageSize {
		f.Meter.Zero(out[filled:])
	}
}
