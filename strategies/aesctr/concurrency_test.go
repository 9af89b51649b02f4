package aesctr

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// Two Ciphers and two XTS of one key, in two goroutines: nothing is shared. The
// race detector sees the Go code, the results show the assembly.
func TestConcurrency(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		var both sync.WaitGroup
		for worker := range 2 {
			c, x := mustNew(t, impl, key), mustXTS(t, impl, append(key[:len(key):len(key)], testKey(len(key) + 8)[:len(key)]...))
			both.Go(func() {
				if err := alternate(t, c, x, key, uint64(worker)); err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
			})
		}
		both.Wait()
	})
}

// alternate mixes the calls of one worker.
func alternate(t *testing.T, c *Cipher, x *XTS, key []byte, seed uint64) error {
	r, block := rand.New(rand.NewPCG(90, seed)), mustBlock(t, key)
	for range 200 {
		s := stream{n: r.IntN(701), skip: r.IntN(BlockSize), from: Counter{seed, r.Uint64()}, inPlace: r.IntN(2) == 0}
		if err := s.check(c, block, r); err != nil {
			return err
		}
		b := batch{lengths: mixed(r, 20), inPlace: r.IntN(2) == 0, nonce: randomNonce(r)}
		if err := b.check(c, block, r); err != nil {
			return err
		}
		f, n := newField(r, 0, 333), uint64(r.Uint32())
		clear := append([]byte(nil), f.buffer()...)
		x.Encrypt(f.buffer(), f.buffer(), n)
		x.Decrypt(f.buffer(), f.buffer(), n)
		if err := f.check(clear); err != nil {
			return err
		}
	}
	return nil
}
