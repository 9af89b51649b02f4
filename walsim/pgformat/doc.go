// Package pgformat is PostgreSQL's write-ahead log format: log sequence
// numbers, page headers, records, CRC-32C, segment names, and the arithmetic
// that says where a record of a given length ends. It does no I/O and takes no
// locks; everything in it may be used from any goroutine.
//
// The life of a record here: a [Spec] says which blocks, images and data a
// record has; Encode writes its bytes; [SegmentSize.Advance] says where it ends in
// the log; [PutPrev] and [FinishCRC] complete it once its position is known;
// [ParseRecord] takes it apart again.
//
// Layouts follow PostgreSQL 15 (access/xlogrecord.h, access/xlog_internal.h,
// access/xlogreader.c); versions 16 to 18 differ in the page magic only, as far
// as this package looks.
package pgformat
