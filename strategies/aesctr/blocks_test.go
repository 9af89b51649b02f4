package aesctr

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Whole blocks of every number, at any offset, in and out of place, there and back.
func TestBlocks(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		r := rand.New(rand.NewPCG(40, 0))
		for n := 0; n <= 700; n += BlockSize {
			for range 20 {
				checkBlocksOf(t, impl, key, n, r)
			}
		}
		for _, n := range []int{maxCall, maxCall + 16} {
			checkBlocksOf(t, impl, key, n, r)
		}
	})
}

func checkBlocksOf(t *testing.T, impl *Implementation, key []byte, n int, r *rand.Rand) {
	t.Helper()
	c := mustNew(t, impl, key)
	src, dst := newField(r, r.IntN(65), n), newField(r, r.IntN(65), n)
	clear := bytes.Clone(src.buffer())
	secret := oracleECB(mustBlock(t, key), clear)
	c.EncryptBlocks(dst.buffer(), src.buffer())
	must(t, dst.check(secret), "encrypt %d", n)
	must(t, src.check(clear), "source of encrypt %d", n)
	c.DecryptBlocks(src.buffer(), dst.buffer())
	must(t, src.check(clear), "decrypt %d", n)
	must(t, dst.check(secret), "source of decrypt %d", n)
	c.EncryptBlocks(src.buffer(), src.buffer())
	must(t, src.check(secret), "encrypt %d in place", n)
	c.DecryptBlocks(src.buffer(), src.buffer())
	must(t, src.check(clear), "decrypt %d in place", n)
}
