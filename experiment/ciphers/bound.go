package ciphers

import (
	"time"

	"github.com/walbench/walbench/strategies/aesctr"
)

// boundSteps is how often the AES rounds of an implementation are run for one
// reading: some tens of microseconds.
const boundSteps = 16384

// bounds are the fastest AES rounds seen of each implementation.
type bounds map[*aesctr.Implementation]float64 // ns a round of one block

// probe times one implementation's rounds.
func (b bounds) probe(i *aesctr.Implementation) {
	start := time.Now()
	rounds := i.UnitRounds(boundSteps)
	ns := float64(time.Since(start).Nanoseconds()) / float64(rounds)
	if best, seen := b[i]; !seen || ns < best {
		b[i] = ns
	}
}

// ns is the least that the AES units let a record of the cell take; nil if
// nothing is known of them.
func (b bounds) ns(c *cell) *float64 {
	per, known := b[c.subject.units]
	if !known {
		return nil
	}
	v := per * float64(aesctr.Rounds(c.subject.aesKey)) * c.ring.blocks()
	return &v
}
