package calibrate

import (
	"errors"
	"os"

	"github.com/walbench/walbench/simtime"
)

const (
	switchesPerSample = 64
	switchWarmUp      = 8
)

// addSwitch adds a core's change from one thread to the next.
func (b *bench) addSwitch() error {
	there, err := newPipe()
	if err != nil {
		return err
	}
	b.closers = append(b.closers, there.close)
	back, err := newPipe()
	if err != nil {
		return err
	}
	b.closers = append(b.closers, back.close)
	b.add("switch", switchesPerSample, func(count int) (simtime.Duration, error) {
		return b.switches(there, back, count)
	})
	return nil
}

// switches has two threads on one core wake each other in turn, count times in
// all: each waits for a byte that the other writes.
func (b *bench) switches(there, back *pipe, count int) (took simtime.Duration, err error) {
	defer pin(0)()
	trips := (count + 1) / 2
	var otherErr error
	other := b.p.Spawn("other", func(simtime.Proc) {
		defer pin(0)()
		for range switchWarmUp + trips {
			otherErr = errors.Join(otherErr, there.take(), back.give())
		}
	})
	var start simtime.Time
	for i := range switchWarmUp + trips {
		if i == switchWarmUp {
			start = b.p.Now()
		}
		err = errors.Join(err, there.give(), back.take())
	}
	took = b.p.Now().Sub(start) * simtime.Duration(count) / simtime.Duration(2*trips)
	other.Join(b.p)
	return took, errors.Join(err, otherErr)
}

// pipe passes single bytes. Its ends block their threads.
type pipe struct {
	in, out *os.File
	byte    [1]byte
}

func newPipe() (*pipe, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	// Asking for a descriptor takes the file away from the runtime's poller, which
	// would wake a goroutine in place of the thread that waits.
	in.Fd()
	out.Fd()
	return &pipe{in: in, out: out}, nil
}

func (p *pipe) give() error {
	_, err := p.in.Write([]byte{1})
	return err
}

func (p *pipe) take() error {
	_, err := p.out.Read(p.byte[:])
	return err
}

func (p *pipe) close() error { return errors.Join(p.in.Close(), p.out.Close()) }
