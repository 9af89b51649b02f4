// Package calibrate measures what single operations cost on the machine it runs
// on, and makes a cost profile of them for runs on virtual cores. It times
// primitives alone, in the state of caches that a log finds them in, and never
// runs the log: that a modelled run agrees with a measured one is then no
// circle.
//
// Life of a [Run]: [New] checks a [Config] and prepares everything that will be
// timed; [Run.Execute] goes through rounds in which each of it is timed once,
// looks before and after whether something else uses the machine, and hands back
// the profile. A Run is executed once, by one caller. [Save] keeps a profile for
// this processor, and [Resolve] finds the profile of a run again.
package calibrate
