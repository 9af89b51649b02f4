package aesctr

import (
	"crypto/aes"
	"fmt"
)

// Cipher is AES under one key, for counter mode and for the multi-block ECB and
// XTS that share its units. It keeps scratch memory and so serves one process
// at a time.
type Cipher struct {
	// keys are the kernels' schedules, apart from what has pointers: such memory
	// begins with a word of the allocator, and rows would lie across cache lines.
	keys *schedule
	impl *Implementation
	kind kind         // of impl, one load nearer
	std  stdlibCipher // of stdlib
}

// New expands key, of 16 bytes for AES-128 or 32 for AES-256, for the selected
// implementation.
func New(key []byte) (*Cipher, error) { return selected.New(key) }

// New expands key, of 16 bytes for AES-128 or 32 for AES-256, for implementation
// i. It panics if i cannot run here.
func (i *Implementation) New(key []byte) (*Cipher, error) {
	if !i.Supported() {
		panic("aesctr: " + i.Name + " needs " + i.Missing)
	}
	if len(key) != 16 && len(key) != 32 {
		return nil, fmt.Errorf("AES key of %d bytes, want 16 or 32: %w", len(key), aes.KeySizeError(len(key)))
	}
	c := &Cipher{impl: i, kind: i.kind}
	if i.kind != kindStdlib {
		c.keys = new(schedule)
		c.keys.expand(key)
		return c, nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	c.std.block = block
	return c, nil
}

// Implementation is the one that c uses.
func (c *Cipher) Implementation() *Implementation { return c.impl }

// String keeps the key out of logs.
func (c *Cipher) String() string { return "AES key (secret), " + c.impl.Name }

// GoString keeps the key out of %#v.
func (c *Cipher) GoString() string { return c.String() }
