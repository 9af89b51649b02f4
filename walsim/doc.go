// Package walsim is a write-ahead log in PostgreSQL's format: records are
// inserted into WAL buffers, flushed to segment files and read back, with an
// encryption strategy at work at each step of the way.
//
// Life of a log: [Create] makes folder, key file, control file and first
// segments and returns a [Log]; each updater gets an [Updater] of its own and
// commits transactions through it; [Log.Close] ends it. [OpenReader] walks what
// is on disk, and [Recover] is the whole of it.
//
// Life of a transaction, with `--lock single` (one lock over all):
//
//	build    the updater assembles its records ([Tx]), for the redo pointer it knows
//	prepare  the strategy's phase without lock or position; CRC of the bodies
//	lock     taken; if the redo pointer has moved, released, and all over again
//	reserve  LSN range and xl_prev; the CRC completed with the header
//	place    into the WAL buffers, page headers in between
//	publish  two-phase strategies only: the lock is released before the records
//	         are filled in, and taken again for the flush
//	flush    whole pages up to the commit's end go to the device, then a sync
//	unlock   the transaction is acknowledged
//
// The serialising lock guards everything in Log that changes. An error of the
// device is final: it sticks, and nothing is acknowledged after it.
package walsim
