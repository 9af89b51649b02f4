package strategies

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
)

// CTR is a counter-mode cipher under one key, seekable at any byte. It keeps
// scratch memory and so serves one process at a time. [aesctr.Cipher] is one.
type CTR interface {
	// XORKeyStream encrypts (or decrypts) src into dst, which is at least as
	// long and either the same memory or none of it. The keystream begins skip (0
	// to 15) bytes into the block whose counter is from; counters count up as
	// 128-bit big-endian integers (NIST SP 800-38A). It reports whether a stream
	// had to be set up for the call.
	XORKeyStream(dst, src []byte, from aesctr.Counter, skip int) (setup bool)
	// XORRecords does that for all records, in any order: no record's
	// destination is memory of another record. It returns how many streams had
	// to be set up.
	XORRecords(recs []aesctr.Record) (setups int)
	// Setups is what XORRecords would return for recs, which it does not touch.
	Setups(recs []aesctr.Record) (setups int)
}

// What follows are the counted calls: every design encrypts through them.

// xorRecords encrypts many pieces in one call; none is no call.
func xorRecords(m *simtime.Meter, s *Suite, c CTR, recs []aesctr.Record) {
	if len(recs) == 0 {
		return
	}
	total := 0
	for i := range recs {
		total += len(recs[i].Src)
	}
	before := m.Enter(simtime.PhaseEncrypt)
	setups := 0
	if m.Cipher(s.id, len(recs), total) {
		setups = c.XORRecords(recs)
	} else {
		setups = c.Setups(recs)
	}
	m.CipherSetup(s.id, setups)
	m.CipherDone(total)
	m.Enter(before)
}

// oneShotCTR encrypts one piece with a context of its own: one set-up, one call.
func oneShotCTR(m *simtime.Meter, s *Suite, key, dst, src []byte, from aesctr.Counter) {
	before := m.Enter(simtime.PhaseEncrypt)
	setup, call := m.CipherSetup(s.id, 1), m.Cipher(s.id, 1, len(src))
	if setup && call {
		s.encryptOnce(key, dst, src, from)
	}
	m.CipherDone(len(src))
	m.Enter(before)
}
