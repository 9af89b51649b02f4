// Package ciphers measures cipher suites alone: how long one record takes, for
// several implementations, call patterns and record sizes, against copying the
// same records and against a rival library, in one interleaved run.
//
// Life of a [Run]: [New] turns a [Config] into subjects (suite, implementation,
// call) and cells (a subject at a size); a rival is built and started there, so
// that what it lacks is found before anything is measured. [Run.Execute] finds
// out how many records of each cell fill a sample, goes through rounds in which
// every cell is timed once, and hands back a [Report] that is complete or marked
// as not. [Run.Close] ends the rival. A Run serves one caller at a time.
package ciphers
