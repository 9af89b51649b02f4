package experiment

import (
	"runtime"
	"sync"

	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim"
)

// window is the measured part of a repetition: from the moment all updaters
// have finished their warm-up to the moment the last one has finished its
// share.
type window struct {
	start simtime.Time
	from  walsim.Position // the log's then
	first uint64          // heap allocations until then

	modelled bool // allocations are no figure

	// What was done in pauses; written while all updaters wait.
	paused uint64 // heap allocations
	apart  lockTimes

	mu     sync.Mutex // guards what follows
	inside int        // updaters that have not left
	end    simtime.Time
	last   uint64
}

// open is called by one updater while all others wait.
func (w *window) open(p simtime.Proc, l *walsim.Log, updaters int) {
	var before, after lockTimes
	before.add(p.Meter())
	w.from = l.BeginWindow(p)
	after.add(p.Meter())
	p.Meter().Reset()
	// BeginWindow took the locks that are measured, and is no updater's work.
	w.inside, w.paused, w.apart = updaters, 0, after.less(&before)
	w.first = w.mallocsNow()
	w.start = p.Now()
}

// leave is called by each updater behind its last commit.
func (w *window) leave(p simtime.Proc) {
	now := p.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = max(w.end, now)
	if w.inside--; w.inside == 0 {
		w.last = w.mallocsNow() // stops the world, which is why only the last one looks
	}
}

func (w *window) elapsed(g *loadgen.Gate) simtime.Duration {
	if w.end == 0 {
		return 0
	}
	return w.end.Sub(w.start) - g.Paused(w.start)
}

func (w *window) mallocs() uint64 {
	if w.last == 0 {
		return 0
	}
	return w.last - w.first - w.paused
}

func (w *window) mallocsNow() uint64 {
	if w.modelled {
		return 0
	}
	return mallocs()
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
