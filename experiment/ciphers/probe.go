package ciphers

import (
	"runtime"
	"time"
)

// probes tell what state the processor was in.
type probes struct {
	// clockGHz is estimated from a chain of multiplications, each of which takes
	// three cycles on every amd64 processor of the last fifteen years; 0 elsewhere.
	clockGHz float64
	// addsPerNs counts independent additions: they slow down, and the chain does
	// not, when the other half of the core is busy.
	addsPerNs float64
	// gapShare is the part of the time that a busy loop did not get.
	gapShare float64
}

const multiplyCycles = 3

// sink keeps results of the probes alive.
var sink uint64

func probe() probes {
	var p probes
	if runtime.GOARCH == "amd64" {
		p.clockGHz = multiplyCycles / bestNs(multiplyChain)
	}
	p.addsPerNs = 1 / bestNs(independentAdds)
	p.gapShare = gaps(20 * time.Millisecond)
	return p
}

// bestNs is the best time of one step of f, which does n steps.
func bestNs(f func(n int)) float64 {
	const samples, n = 100, 20_000
	best := 0.0
	for i := range samples {
		start := time.Now()
		f(n)
		if ns := float64(time.Since(start).Nanoseconds()) / n; i == 0 || ns < best {
			best = ns
		}
	}
	return best
}

func multiplyChain(n int) {
	x := sink | 1
	for range n / 8 {
		x = x * x * x * x * x * x * x * x * x // eight multiplications
	}
	sink = x
}

func independentAdds(n int) {
	var a, b, c, d, e, f, g, h uint64
	k := sink
	for range n / 8 {
		a, b, c, d = a+k, b+k, c+k, d+k
		e, f, g, h = e+k, f+k, g+k, h+k
	}
	sink = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}

// gaps reads the clock without a pause for d, and sums the steps that are too
// long to be its own doing.
func gaps(d time.Duration) float64 {
	const longest = 2 * time.Microsecond
	start := time.Now()
	last, lost := start, time.Duration(0)
	for {
		now := time.Now()
		if step := now.Sub(last); step > longest {
			lost += step
		}
		if last = now; now.Sub(start) >= d {
			return float64(lost) / float64(now.Sub(start))
		}
	}
}
