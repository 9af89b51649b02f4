package walsim

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// Errors of a log. ErrFailed wraps the first error of the device; everything
// after it returns the same.
var (
	ErrFailed     = errors.New("the log has failed and takes no more records")
	ErrClosed     = errors.New("the log is closed")
	ErrDirectory  = errors.New("folder is not empty")
	ErrBufferSize = errors.New("WAL buffers must be a multiple of 8192 bytes and at least 65536")
)

// MinBufferSize is the least size of the WAL buffers in bytes, as in PostgreSQL.
const MinBufferSize = 8 * pgformat.PageSize

// Options say what log to create. Zero values take the defaults named.
type Options struct {
	FS  vfs.FS // where the log lives
	Dir string // its folder; created, must be empty

	// Discard drops every page instead of storing it: the null device. Nothing
	// can be read back.
	Discard bool
	// Device is what is waited for; the zero value is memory.
	Device simtime.Device

	Design *strategies.Design
	Suite  *strategies.Suite // nil for a design without cipher
	Master *strategies.MasterKey

	SegmentSize   pgformat.SegmentSize // 16 MB
	BufferBytes   int                  // 16 MB
	TLI           uint32               // 1
	SysID         uint64               // stored in the pages
	Start         pgformat.LSN         // first record; default: the start of segment 1
	SegmentsAhead int                  // segments prepared ahead; 2
	Updaters      int                  // how many updaters there will be, at least 1

	Lock Topology // Single
	LockOptions
}

func (o *Options) setDefaults() error {
	if o.SegmentSize == 0 {
		o.SegmentSize = pgformat.DefaultSegmentSize
	}
	if o.BufferBytes == 0 {
		o.BufferBytes = int(pgformat.DefaultSegmentSize)
	}
	if o.TLI == 0 {
		o.TLI = 1
	}
	if o.Start == 0 {
		o.Start = o.SegmentSize.Start(1)
	}
	if o.SegmentsAhead == 0 {
		o.SegmentsAhead = 2
	}
	o.Updaters = max(o.Updaters, 1)
	o.Start = o.SegmentSize.RecordStart(o.Start)
	if err := o.SegmentSize.Check(); err != nil {
		return err
	}
	if o.BufferBytes < MinBufferSize || o.BufferBytes%pgformat.PageSize != 0 {
		return fmt.Errorf("%d bytes: %w", o.BufferBytes, ErrBufferSize)
	}
	if pgformat.Align8(o.Start) != o.Start {
		return fmt.Errorf("start %v is not a multiple of 8", o.Start)
	}
	return o.LockOptions.setDefaults(o.Lock)
}

// Log is a log open for writing. Its methods are called by processes of one
// clock.
type Log struct {
	opts     Options
	instance strategies.Instance
	twoPhase bool // positions are reserved under the lock, records filled in behind it
	behind   bool // pages are initialised for whoever fills them in behind the lock
	pg       *postgres
	device   *device
	control  *ControlFile // nil when nothing is kept

	// serial is the one lock of `--lock single`, where it guards all that follows;
	// for `--lock postgres` see [postgres].
	serial    *simtime.Mutex
	published *simtime.Cond // an updater has filled in what it reserved

	err    error
	closed bool

	ring    ring
	insert  pgformat.LSN // where the next record goes (before any page header)
	prev    pgformat.LSN // the last record reserved
	redo    pgformat.LSN // the redo pointer
	written pgformat.LSN // bytes below have been handed to the device
	flushed pgformat.LSN // bytes below are durable
	stored  pgformat.LSN // bytes below are an earlier start's, or filler

	// inserting holds, for each updater, the LSN below which it has filled in
	// everything it has reserved; maxLSN when it has nothing open.
	inserting []pgformat.LSN

	// durable is what the control file says. borderEnds are the places it will
	// say next: for each segment border that a record has reached, the end of
	// the last record at or before it. segmentEnd is that of insert's segment.
	durable    Control
	borderEnds []pgformat.LSN
	segmentEnd pgformat.LSN
	acked      pgformat.LSN // end of the last acknowledged transaction

	flushBuf []byte // what a Flush phase fills
	tail     []byte // one page: the zero-padded copy of a page still being filled
	flushArg strategies.Flush
}

const maxLSN = pgformat.LSN(math.MaxUint64)

// Create makes a new log in o.Dir and opens it for writing, with a fresh key
// that is durable when Create returns.
func Create(p simtime.Proc, o Options) (*Log, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	if err := makeDir(o.FS, o.Dir); err != nil {
		return nil, err
	}
	ring, err := strategies.OpenKeyring(o.FS, o.Dir, o.Master)
	if err != nil {
		return nil, err
	}
	instance, err := ring.Start(strategies.StartOptions{
		Design: o.Design, Suite: o.Suite, TLI: o.TLI, StartLSN: o.Start, SegmentSize: o.SegmentSize,
	})
	if err != nil {
		return nil, err
	}
	l := newLog(o, instance)
	if err := l.begin(p); err != nil {
		return nil, errors.Join(err, l.Close(p))
	}
	return l, nil
}

func makeDir(fsys vfs.FS, dir string) error {
	if err := fsys.MkdirAll(dir, fs.FileMode(0o755)); err != nil {
		return err
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name != strategies.MasterKeyName {
			return fmt.Errorf("%s: holds %s: %w", dir, e.Name, ErrDirectory)
		}
	}
	return nil
}

func newLog(o Options, instance strategies.Instance) *Log {
	l := &Log{
		opts: o, instance: instance,
		serial: simtime.NewMutex(simtime.LockSerial),
		insert: o.Start, redo: o.Start, stored: o.Start,
		written: o.Start.Page(), flushed: o.Start.Page(),
		inserting:  make([]pgformat.LSN, o.Updaters),
		segmentEnd: o.SegmentSize.Start(o.SegmentSize.Segno(o.Start) + 1),
		acked:      o.Start,
		tail:       make([]byte, pgformat.PageSize),
	}
	l.published = simtime.NewCond(l.serial)
	l.ring.init(o.BufferBytes, o.Start)
	for i := range l.inserting {
		l.inserting[i] = maxLSN
	}
	l.twoPhase = o.Design.TwoPhase
	l.behind = l.twoPhase || o.Lock == Postgres
	if o.Lock == Postgres {
		l.serial, l.pg = simtime.NewWatched(simtime.LockSerial), newPostgres(&o)
		l.published = simtime.NewCond(l.serial)
	}
	l.durable = Control{
		SysID: o.SysID, TLI: o.TLI, SegSize: o.SegmentSize,
		StartLSN: o.Start, OldestLSN: o.Start, DurableLSN: o.Start, RedoLSN: o.Start,
	}
	return l
}

// begin makes the control file and the first segments, with the pages before
// the start filled as the rest of an earlier record.
func (l *Log) begin(p simtime.Proc) error {
	var err error
	keeps := !l.opts.Discard && p.Meter().Touches()
	l.device = newDevice(l.opts, keeps)
	if keeps {
		if l.control, err = CreateControl(l.opts.FS, l.opts.Dir, l.durable); err != nil {
			return err
		}
	}
	if err := l.device.open(p, l.opts.SegmentSize.Segno(l.opts.Start)); err != nil {
		return err
	}
	if err := l.writeFiller(p); err != nil || l.pg == nil {
		return err
	}
	l.pg.initialised.Store(uint64(l.ring.initEnd))
	l.pg.written.Store(uint64(l.written))
	l.pg.flushed.Store(uint64(l.flushed))
	if l.pg.options.AsyncCommit {
		l.startWriter(p)
	}
	return nil
}

// Close stops the log's helpers and closes its files. What has been
// acknowledged is durable already, but for asynchronous commits, which are flushed
// now. Closing twice is harmless. No updater may be inside a call.
func (l *Log) Close(p simtime.Proc) error {
	p.Lock(l.serial)
	closed := l.closed
	l.closed = true
	p.Unlock(l.serial)
	if closed {
		return nil
	}
	var errs []error
	if l.pg != nil {
		errs = append(errs, l.closePostgres(p))
	}
	if l.device != nil {
		errs = append(errs, l.device.close(p))
	}
	if l.control != nil {
		errs = append(errs, l.control.Close())
	}
	return errors.Join(errs...)
}

// fail makes err stick. The caller owns the serial lock.
func (l *Log) fail(err error) error {
	if l.err == nil {
		l.err = fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return l.err
}

// usable is the sticky error, or ErrClosed. The caller owns the serial lock.
func (l *Log) usable() error {
	if l.err != nil {
		return l.err
	}
	if l.closed {
		return ErrClosed
	}
	return nil
}

// Position is the state of a log at one moment.
type Position struct {
	Insert, Flushed, Redo pgformat.LSN
	Oldest, Durable       pgformat.LSN
	SegmentsInline        int64 // segments that a flush had to make itself
	// AtLock is the time that processes have spent at the serialising lock, as it
	// has counted itself ([simtime.Mutex.Presence]); on a virtual clock only.
	AtLock simtime.Duration
	// AtLocks is the same for each class of locks of the postgres topology. It is
	// true only while nobody else is at one of them.
	AtLocks [simtime.NumLockClasses]simtime.Duration
}

// Position reads the log's positions.
func (l *Log) Position(p simtime.Proc) Position {
	var (
		insert  pgformat.LSN
		atLocks [simtime.NumLockClasses]simtime.Duration
	)
	if l.pg != nil {
		atLocks = l.pg.atLocks()  // before the position lock is taken for this
		insert = l.pg.reserved(p) // before the write lock is: the time it takes is none of its hold
	}
	p.Lock(l.serial)
	defer p.Unlock(l.serial)
	if l.pg == nil {
		insert = l.insert
	}
	at := Position{
		Insert: insert, Flushed: l.flushed, Redo: l.redo,
		Oldest: l.durable.OldestLSN, Durable: l.durable.DurableLSN,
		SegmentsInline: l.device.inline,
		AtLock:         l.serial.Presence(), AtLocks: atLocks,
	}
	at.AtLocks[simtime.LockSerial] = at.AtLock
	return at
}
