// Package loadgen makes the work that every design has to do: named workloads,
// recorded traces and real segment files, as transactions of WAL records.
//
// The life of a [Workload]: [Open] finds it by name and loads what it needs
// into tables that never change afterwards; [Workload.Source] gives each
// updater a [Source] of its own; the updater's loop calls Next once for each
// transaction, and Build as often as the log wants the records (again when the
// redo pointer has moved). What a source makes depends on the seed, the
// updater's number and the number of updaters, and on nothing else, so that all
// designs get the same work.
package loadgen
