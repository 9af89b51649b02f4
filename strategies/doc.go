// Package strategies holds the ways of encrypting a write-ahead log that
// walbench compares: one file a design, a registry of names, the cipher suites,
// the nonces, and the keyring that reading back needs.
//
// Life of a design: it registers itself as a [Design]; when a log is opened for
// writing, [Keyring.Start] draws a fresh key, makes it durable, and opens the
// design as an [Instance] for this start; each updater gets its [Phases] from
// it, functions that the log calls at fixed points of the write path; when the
// log is read, [Keyring.Decoder] undoes what they did, range by range.
//
// A design knows nothing of the log it serves: it sees records, positions and
// pages. It moves and encrypts bytes only through the meter it is given, so
// that every figure is counted by the code that does the work.
package strategies
