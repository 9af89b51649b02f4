package experiment

import (
	"sync"

	"github.com/walbench/walbench/loadgen"
)

// gates are those of the repetitions under way, and the request to stop. The zero
// value is ready for use; it is safe for concurrent use.
type gates struct {
	mu      sync.Mutex // guards what follows
	open    map[*loadgen.Gate]bool
	stopped bool
}

// add takes a gate in, and stops it if that was asked for before.
func (g *gates) add(gate *loadgen.Gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = map[*loadgen.Gate]bool{}
	}
	g.open[gate] = true
	if g.stopped {
		gate.Stop()
	}
}

func (g *gates) remove(gate *loadgen.Gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.open, gate)
}

// stop ends every repetition under way and to come at its next transaction.
func (g *gates) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = true
	for gate := range g.open {
		gate.Stop()
	}
}

func (g *gates) isStopped() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stopped
}

// Stopped says whether stop has been closed.
func Stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}
