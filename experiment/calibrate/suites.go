package calibrate

import (
	"fmt"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
)

// Pieces that suites encrypt: records of worst-case, most of which are about as
// long, and the pages of one of its flushes.
const (
	cipherSmall  = 112
	smallRecords = 128
)

// addSuites adds every suite that can run here, called in four ways.
func (b *bench) addSuites() error {
	small := b.records(cipherSmall, smallRecords)
	large := b.records(largeBytes, flushPages)
	for _, s := range strategies.Suites() {
		if err := b.addSuite(s, small, large); err != nil {
			return fmt.Errorf("suite %s: %w", s.Name, err)
		}
	}
	return nil
}

// records are n pieces of so many bytes, out of place, in memory of their own.
func (b *bench) records(bytes, n int) []aesctr.Record {
	recs := make([]aesctr.Record, n)
	for i := range recs {
		dst := make([]byte, bytes)
		copy(dst, b.warm) // touched
		recs[i] = aesctr.Record{Dst: dst, Src: append([]byte{}, b.warm[:bytes]...), From: aesctr.Counter{Hi: 1, Lo: uint64(i) << 32}}
	}
	return recs
}

func (b *bench) addSuite(s *strategies.Suite, small, large []aesctr.Record) error {
	key := append([]byte{}, b.warm[:s.KeySize]...)
	ctr, err := s.NewCTR(key)
	if err != nil {
		return err
	}
	b.addBatch(s.Name+" small", ctr, small)
	b.addBatch(s.Name+" large", ctr, large)
	b.loop(s.Name+" call", func(count int) {
		for i := range count {
			at := i % len(small)
			ctr.XORRecords(small[at : at+1])
		}
	})
	b.loop(s.Name+" once", func(count int) {
		for i := range count {
			r := &small[i%len(small)]
			s.EncryptOnce(key, r.Dst, r.Src, r.From)
		}
	})
	return nil
}

// addBatch adds a call for many records; an operation is one of them.
func (b *bench) addBatch(name string, ctr strategies.CTR, recs []aesctr.Record) {
	b.add(name, 0, func(count int) (simtime.Duration, error) {
		calls := (count + len(recs) - 1) / len(recs)
		start := b.p.Now()
		for range calls {
			ctr.XORRecords(recs)
		}
		took := b.p.Now().Sub(start)
		return took * simtime.Duration(count) / simtime.Duration(calls*len(recs)), nil
	})
}

// suiteCosts are what the four ways come to. A call of one record is a call, a
// record and its bytes; one with a context of its own a set-up besides. A record
// for which the suite sets up a stream (the standard library's do, when it is
// longer than 128 bytes) takes a set-up too, which is therefore left out of what
// its bytes take.
func suiteCosts(ctr strategies.CTR, small, large, call, once int64) simtime.SuiteCosts {
	var c simtime.SuiteCosts
	c.SetupPs = max(0, once-call)
	inPage := ctr.Setups([]aesctr.Record{{Src: make([]byte, largeBytes)}})
	bytes := fit(small, large-int64(inPage)*c.SetupPs, cipherSmall, largeBytes)
	c.RecordPs, c.ByteFs = bytes.callPs, bytes.byteFs
	c.CallPs = max(0, call-small)
	return c
}
