package ciphers

import (
	"runtime"
	"time"
)

// What the probes do, and for how long.
const (
	chainSteps  = 1 << 20 // multiplications of one reading of the clock rate
	chainTries  = 10
	gapProbe    = time.Millisecond     // of spinning in each round
	gapLimit    = 5 * time.Microsecond // an interrupt takes less, losing the core more
	mulCycles   = 3                    // latency of a 64-bit multiplication on amd64
	chainUnroll = 8
)

// clockGHz estimates the clock rate of the core from a chain of multiplications,
// each of which needs the result of the one before; nil where their latency is
// not known.
func clockGHz() *float64 {
	if runtime.GOARCH != "amd64" {
		return nil
	}
	ghz := mulCycles * rate(mulChain)
	return &ghz
}

// addsPerNs is how many independent additions the core does in a nanosecond. It
// falls, while the clock rate does not, when somebody else uses the core's other
// thread.
func addsPerNs() float64 { return rate(addStreams) }

// rate is how many of its steps f does in a nanosecond, at best.
func rate(f func(n int, k uint64) uint64) float64 {
	best := 0.0
	for range chainTries {
		start := time.Now()
		probeSink = f(chainSteps, probeSink|1)
		best = max(best, chainSteps/float64(time.Since(start).Nanoseconds()))
	}
	return best
}

// probeSink keeps the compiler from dropping the probes.
var probeSink uint64 = 3

func mulChain(n int, k uint64) uint64 {
	x := k
	for range n / chainUnroll {
		x *= k
		x *= k
		x *= k
		x *= k
		x *= k
		x *= k
		x *= k
		x *= k
	}
	return x
}

func addStreams(n int, k uint64) uint64 {
	// They begin differently: the compiler would make one of equal sums.
	a, b, c, d, e, f, g, h := k, k+1, k+2, k+3, k+4, k+5, k+6, k+7
	for range n / chainUnroll {
		a += k
		b += k
		c += k
		d += k
		e += k
		f += k
		g += k
		h += k
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}

// gaps adds up the time in which a thread that only reads the clock did not run.
type gaps struct{ lost, spun time.Duration }

func (g *gaps) probe() {
	start := time.Now()
	for last := start; ; {
		now := time.Now()
		if step := now.Sub(last); step > gapLimit {
			g.lost += step
		}
		last = now
		if spun := now.Sub(start); spun >= gapProbe {
			g.spun += spun
			return
		}
	}
}

// share of the time; nil before the first probe.
func (g *gaps) share() *float64 {
	if g.spun == 0 {
		return nil
	}
	s := float64(g.lost) / float64(g.spun)
	return &s
}
