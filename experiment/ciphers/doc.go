// Package ciphers measures the ciphers alone: every suite, implementation and
// call pattern over records of several sizes, on one thread, with nothing else
// of the log around it.
//
// A [Config] names what to measure. [Measure] opens each subject (a suite, an
// implementation and a call) for each size, then goes round by round: in a
// round every subject of a size is timed once, in an order that turns from round
// to round, so that ratios compare neighbours in time, which a noisy machine
// disturbs alike. What comes out is a [Report]: best and median of each row, the
// ratios, and what the AES units of the processor would allow.
//
// A rival is a program of another language that is timed in the same rounds:
// [OpenRival] compiles one for libcrypto.
package ciphers
