// Package experiment is what walbench's commands do: it puts workloads, logs
// and strategies together, runs them, reads every log back and turns the counts
// into results.
//
// Life of a run: a [Config] is completed and checked by [NewRun] (workload
// loaded, strategies paired with suites, pilot for durations); [Run.Execute]
// runs the repetitions, all designs of one after the other, and hands back a
// result that is complete or marked as not.
package experiment
