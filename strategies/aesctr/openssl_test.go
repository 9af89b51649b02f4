package aesctr

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// needOpenSSL leaves a test out on machines without a program, unless
// WALBENCH_REQUIRE_OPENSSL says that it must not be.
func needOpenSSL(t *testing.T, missing string) {
	t.Helper()
	if os.Getenv("WALBENCH_REQUIRE_OPENSSL") != "" {
		t.Fatalf("%s, and WALBENCH_REQUIRE_OPENSSL is set", missing)
	}
	t.Skipf("%s (WALBENCH_REQUIRE_OPENSSL=1 makes this an error)", missing)
}

func run(t *testing.T, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", name, err, stderr.Bytes())
	}
	return out
}

// openssl runs a cipher of the command on data.
func openssl(t *testing.T, mode string, decrypt bool, key []byte, from Counter, data []byte) []byte {
	t.Helper()
	path, err := exec.LookPath("openssl")
	if err != nil {
		needOpenSSL(t, "no openssl command")
	}
	way, iv := "-e", from.Block()
	if decrypt {
		way = "-d"
	}
	args := []string{"enc", way, "-nopad", fmt.Sprintf("-aes-%d-%s", 8*len(key), mode), "-K", hex.EncodeToString(key)}
	if mode == "ctr" {
		args = append(args, "-iv", hex.EncodeToString(iv[:]))
	}
	return run(t, data, path, args...)
}

// The command decrypts what was encrypted, given the counter that this package
// documents: it is the -iv, as 16 bytes.
func TestOpenSSLDecryptsStreams(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, r := mustNew(t, impl, key), rand.New(rand.NewPCG(80, 0))
		for _, from := range []Counter{{0, 0}, {0x0102030405060708, 0x090a0b0c0d0e0f10}, {3, 1<<32 - 2}, {7, maxLo - 1}} {
			clear := noise(r, 1+r.IntN(5000))
			secret := make([]byte, len(clear))
			c.XORKeyStream(secret, clear, from, 0)
			same(t, openssl(t, "ctr", true, key, from, secret), clear, "from %v", from)
		}
	})
}

// Records with a nonce each, as a log writes them: the nonce above, the blocks of
// the record below.
func TestOpenSSLDecryptsRecords(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, r := mustNew(t, impl, key), rand.New(rand.NewPCG(81, 0))
		var recs []Record
		for i, n := range []int{1, 33, 64, 100, 700} {
			recs = append(recs, Record{Dst: make([]byte, n), Src: noise(r, n), From: Counter{r.Uint64(), uint64(i) << 32}})
		}
		c.XORRecords(recs)
		for i, rec := range recs {
			same(t, openssl(t, "ctr", true, key, rec.From, rec.Dst), rec.Src, "record %d", i)
		}
	})
}

// A piece of a stream that begins inside a block, as the position in a file makes
// it: the command decrypts it behind as many bytes as were skipped.
func TestOpenSSLDecryptsFromPosition(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, r := mustNew(t, impl, key), rand.New(rand.NewPCG(82, 0))
		for _, position := range []uint64{7, 8192 + 24, 1<<36 + 15, 1<<63 + 1} {
			from, skip := Counter{9, position / BlockSize}, int(position%BlockSize)
			clear := noise(r, 333)
			secret := make([]byte, len(clear))
			c.XORKeyStream(secret, clear, from, skip)
			got := openssl(t, "ctr", true, key, from, append(make([]byte, skip), secret...))
			same(t, got[skip:], clear, "position %d", position)
		}
	})
}

func TestOpenSSLBlocks(t *testing.T) {
	forEachKey(t, func(t *testing.T, impl *Implementation, key []byte) {
		c, clear := mustNew(t, impl, key), noise(rand.New(rand.NewPCG(83, 0)), 1024)
		secret, again := make([]byte, 1024), make([]byte, 1024)
		c.EncryptBlocks(secret, clear)
		same(t, openssl(t, "ecb", false, key, Counter{}, clear), secret, "encrypt")
		c.DecryptBlocks(again, secret)
		same(t, openssl(t, "ecb", true, key, Counter{}, secret), again, "decrypt")
	})
}

// libcryptoXTS compiles the program of testdata/xts.c, since the command has no
// XTS.
func libcryptoXTS(t *testing.T) (path string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		needOpenSSL(t, "no C compiler cc")
	}
	path = filepath.Join(t.TempDir(), "xts")
	if out, err := exec.Command(cc, "-o", path, "testdata/xts.c", "-lcrypto").CombinedOutput(); err != nil {
		needOpenSSL(t, fmt.Sprintf("testdata/xts.c does not compile, no headers of libssl? %v: %s", err, out))
	}
	return path
}

// Ciphertext stealing has no oracle in Go: libcrypto has it.
func TestOpenSSLXTS(t *testing.T) {
	program := libcryptoXTS(t)
	r := rand.New(rand.NewPCG(84, 0))
	for _, size := range []int{32, 64} {
		for _, n := range []int{16, 17, 31, 32, 33, 47, 100, 255, 300, 512, 1023, 4097, 8191} {
			key, unit, clear := noise(r, size), r.Uint64(), noise(r, n)
			number := Counter{0, unit}.Block()
			slices.Reverse(number[:]) // little endian
			args := []string{hex.EncodeToString(key), hex.EncodeToString(number[:]), fmt.Sprint(n)}
			secret := run(t, clear, program, append([]string{"e"}, args...)...)
			same(t, run(t, secret, program, append([]string{"d"}, args...)...), clear, "libcrypto there and back, %d bytes", n)
			same(t, oracleStealing(t, key, clear, unit), secret, "the oracle of the other tests, %d bytes", n)
			forEach(t, func(t *testing.T, impl *Implementation) {
				checkXTS(t, mustXTS(t, impl, key), clear, secret, unit, r)
			})
		}
	}
}
