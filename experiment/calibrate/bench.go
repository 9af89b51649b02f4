package calibrate

import (
	"fmt"
	"strings"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Sizes in bytes of what is copied, cleared and summed: a small record, and the
// piece of a large one that fits a page.
const (
	smallBytes = 100
	largeBytes = pgformat.PageSize - pgformat.ShortHeaderSize
	ringBytes  = 16 << 20
	// flushPages is about one flush of worst-case: so many pages are begun, filled
	// and written before the next ones.
	flushPages = 12
)

// bench is everything that is timed on one process.
type bench struct {
	p      simtime.Proc
	meter  *simtime.Meter
	probes []*probe
	named  map[string]*probe

	ring []byte // WAL buffers
	at   int    // where the next flush begins in it
	warm []byte // a page of source bytes

	small, worst recordTally
	inserted     *insertTally
	allocated    map[string]allocation // by suite
	closers      []func() error
}

func newBench(p simtime.Proc) *bench {
	b := &bench{p: p, meter: simtime.NewMeter(), named: map[string]*probe{}}
	b.ring, b.warm = make([]byte, ringBytes), make([]byte, pgformat.PageSize)
	for i := range b.ring {
		b.ring[i] = byte(i) // touched: the first access to a page is slow
	}
	for i := range b.warm {
		b.warm[i] = byte(7*i + 1)
	}
	return b
}

// add adds a probe that times itself, in samples of so many operations; 0: as
// many as fill one.
func (b *bench) add(name string, operations int, time func(n int) (simtime.Duration, error)) {
	p := &probe{name: name, time: time, operations: operations}
	b.probes = append(b.probes, p)
	b.named[name] = p
}

// loop adds a probe of work that needs no preparation.
func (b *bench) loop(name string, work func(n int)) {
	b.add(name, 0, func(n int) (simtime.Duration, error) {
		start := b.p.Now()
		work(n)
		return b.p.Now().Sub(start), nil
	})
}

// read is the reading of the probe called name.
func (b *bench) read(name string) reading { return b.named[name].read() }

// close gives back what probes hold.
func (b *bench) close() (err error) {
	for _, f := range b.closers {
		if e := f(); err == nil {
			err = e
		}
	}
	b.closers = nil
	return err
}

// nextFlush is the part of the ring that the next flush is made in.
func (b *bench) nextFlush() []byte {
	const n = flushPages * pgformat.PageSize
	if b.at+n > len(b.ring) {
		b.at = 0
	}
	b.at += n
	return b.ring[b.at-n : b.at]
}

// goRound clears and fills the whole ring once, untimed, as a log does: what comes next
// in it was used last a round ago, and by nobody but the log since.
func (b *bench) goRound() {
	for at := 0; at+flushPages*pgformat.PageSize <= len(b.ring); at += flushPages * pgformat.PageSize {
		flush := b.nextFlush()
		clear(flush)
		for i := range flushPages {
			copy(flush[i*pgformat.PageSize:], b.warm)
		}
	}
}

// spread names the probes whose median is far from their best, for a warning; it
// is empty if there are none.
func (b *bench) spread() string {
	var names []string
	for _, p := range b.probes {
		if r := p.read(); r.median > 2*r.best {
			names = append(names, fmt.Sprintf("%s (%s, %s)", p.name, nanoseconds(r.best), nanoseconds(r.median)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d operations took more than twice as long in the median as at best: %s",
		len(names), len(b.probes), strings.Join(names, ", "))
}
