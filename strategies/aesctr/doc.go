// Package aesctr is AES in counter mode at the speed of the processor's AES
// units, for the call patterns of a write-ahead log: one stream at any byte
// ([Cipher.XORKeyStream]), many short records with a nonce each in one call
// ([Cipher.XORRecords]), a copy that encrypts on the way ([Cipher.CopyXOR]). On
// the same units it has multi-block ECB ([Cipher.EncryptBlocks]) and [XTS].
//
// A [Cipher] begins with [New], which expands the key once; every call after
// that brings its nonce as an argument, sets nothing up and allocates nothing.
// Which [Implementation] does the work is decided when the program starts, from
// what the processor can do or from the environment variable WALBENCH_AESCTR;
// all give the same bytes.
//
// Nothing here authenticates anything, and whoever calls chooses the nonces: two
// calls under one key whose counters meet give both plaintexts away. Lengths,
// addresses and counters decide which way the code takes; keys and data never
// do, and no table is indexed by them. (stdlib has the properties of crypto/aes.)
package aesctr
