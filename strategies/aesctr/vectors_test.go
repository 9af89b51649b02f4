package aesctr

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

func unhex(t tester, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// NIST SP 800-38A, appendix F: the keys and the four blocks of all its examples.
const (
	nistKey128 = "2b7e151628aed2a6abf7158809cf4f3c"
	nistKey256 = "603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4"
	nistText   = "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51" +
		" 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
	nistCounter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
)

// Appendices F.1.1, F.1.2, F.1.5 and F.1.6.
func TestNISTBlocks(t *testing.T) {
	forEach(t, func(t *testing.T, impl *Implementation) {
		for key, secret := range map[string]string{
			nistKey128: "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf" +
				" 43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4",
			nistKey256: "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870" +
				" b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7",
		} {
			c, got := mustNew(t, impl, unhex(t, key)), make([]byte, 64)
			c.EncryptBlocks(got, unhex(t, nistText))
			same(t, got, unhex(t, secret), "encrypt, key %s", key)
			c.DecryptBlocks(got, unhex(t, secret))
			same(t, got, unhex(t, nistText), "decrypt, key %s", key)
		}
	})
}

// Appendices F.5.1, F.5.2, F.5.5 and F.5.6, as one call, as a record, and from
// every byte on.
func TestNISTCounterMode(t *testing.T) {
	from := CounterOf([BlockSize]byte(unhex(t, nistCounter)))
	forEach(t, func(t *testing.T, impl *Implementation) {
		for key, hexed := range map[string]string{
			nistKey128: "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff" +
				" 5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee",
			nistKey256: "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5" +
				" 2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6",
		} {
			c, got := mustNew(t, impl, unhex(t, key)), make([]byte, 64)
			clear, secret := unhex(t, nistText), unhex(t, hexed)
			c.XORKeyStream(got, clear, from, 0)
			same(t, got, secret, "encrypt, key %s", key)
			c.XORKeyStream(got, got, from, 0)
			same(t, got, clear, "decrypt, key %s", key)
			c.XORRecords([]Record{{Dst: got, Src: clear, From: from}, {Dst: clear, Src: secret, From: from}})
			same(t, got, secret, "record, key %s", key)
			same(t, clear, unhex(t, nistText), "decrypt record, key %s", key)
			for at := range clear {
				at16, _ := from.Add(uint64(at / BlockSize))
				c.XORKeyStream(got[at:], clear[at:], at16, at%BlockSize)
				same(t, got[at:], secret[at:], "from byte %d, key %s", at, key)
			}
		}
	})
}

// FIPS 197, appendices B, C.1 and C.3.
func TestFIPS197Blocks(t *testing.T) {
	const text, counting = "00112233445566778899aabbccddeeff", "000102030405060708090a0b0c0d0e0f"
	forEach(t, func(t *testing.T, impl *Implementation) {
		for _, v := range []struct{ key, clear, secret string }{
			{nistKey128, "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
			{counting, text, "69c4e0d86a7b0430d8cdb78070b4c55a"},
			{counting + "101112131415161718191a1b1c1d1e1f", text, "8ea2b7ca516745bfeafc49904b496089"},
		} {
			c, got := mustNew(t, impl, unhex(t, v.key)), make([]byte, BlockSize)
			c.EncryptBlocks(got, unhex(t, v.clear))
			same(t, got, unhex(t, v.secret), "encrypt, key %s", v.key)
			c.DecryptBlocks(got, got)
			same(t, got, unhex(t, v.clear), "decrypt, key %s", v.key)
		}
	})
}

// xtsVector is one of testdata/ieee1619.txt.
type xtsVector struct {
	number        int
	key           []byte
	unit          uint64
	clear, secret []byte
}

// xtsVectors reads the file: words and values, a vector begins with its number.
func xtsVectors(t *testing.T) (list []xtsVector) {
	t.Helper()
	text, err := os.ReadFile("testdata/ieee1619.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		word, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "vector" {
			list = append(list, xtsVector{})
		}
		if word != "" && word != "#" {
			must(t, list[len(list)-1].set(t, word, value), "%q", line)
		}
	}
	return list
}

func (v *xtsVector) set(t *testing.T, word, value string) (err error) {
	t.Helper()
	switch word {
	case "vector":
		v.number, err = strconv.Atoi(value)
	case "key1", "key2":
		v.key = append(v.key, unhex(t, value)...)
	case "unit":
		v.unit, err = strconv.ParseUint(value, 16, 64)
	case "plaintext":
		if value == "pattern" {
			for i := range 512 {
				v.clear = append(v.clear, byte(i))
			}
			return nil
		}
		v.clear = append(v.clear, unhex(t, value)...)
	case "ciphertext":
		v.secret = append(v.secret, unhex(t, value)...)
	default:
		t.Fatalf("unknown word %q", word)
	}
	return err
}

func TestIEEE1619(t *testing.T) {
	list := xtsVectors(t)
	if len(list) != 9 {
		t.Fatalf("%d vectors, want 9", len(list))
	}
	forEach(t, func(t *testing.T, impl *Implementation) {
		r := rand.New(rand.NewPCG(70, 0))
		for _, v := range list {
			checkXTS(t, mustXTS(t, impl, v.key), v.clear, v.secret, v.unit, r)
			if v.number < 15 && !bytes.Equal(oracleXTS(t, v.key, v.clear, v.unit), v.secret) {
				t.Errorf("x/crypto does not agree with vector %d", v.number)
			}
			if !bytes.Equal(oracleStealing(t, v.key, v.clear, v.unit), v.secret) {
				t.Errorf("the oracle of ciphertext stealing does not agree with vector %d", v.number)
			}
		}
	})
}
