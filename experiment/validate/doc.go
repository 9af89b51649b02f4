// Package validate holds the model against the machine it runs on: the same
// workloads, devices, locks and designs on the real clock and on the virtual one,
// cell by cell.
//
// Life of a [Run]: [New] checks a [Config] and lists the cells; [Run.Execute]
// calibrates unless a profile was given, models every cell, measures every cell in
// repetitions that go over all of them in turn, measures again what fell on a noisy
// moment, and returns a [results.Validation], which is marked partial when it was
// stopped. What it says is an error of [ErrBeyond] or [ErrNoisy], or none.
package validate
