package experiment

import (
	"errors"
	"fmt"
	"time"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

// UsageError is an error in what the user asked for: exit code 2.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}

// Defaults of a run.
const (
	DefaultClients  = 64
	DefaultDevice   = "model"
	DefaultRuns     = 5
	DefaultDuration = 500 * time.Millisecond
	DefaultWarmup   = 100 * time.Millisecond
	DefaultKeep     = 512 << 20
	DefaultSeed     = 1
	// WarmupShare: with --commits N, N/WarmupShare commits come before.
	WarmupShare = 10
	maxClients  = 4096
	maxThink    = time.Minute
	// maxWALBuffers is PostgreSQL's limit: the pages of wal_buffers and their
	// bytes have to fit an int.
	maxWALBuffers = 262143 * pgformat.PageSize
)

// Config says what to run. Zero values take the defaults above, except where a
// field says otherwise.
type Config struct {
	FS          vfs.FS // for inputs and the file device
	Strategies  []string
	Suites      []string // empty: each strategy's default suite
	Workloads   []string // several: each repetition runs all of them
	Pages       loadgen.PageOptions
	Clients     int
	Lock        string     // LockSingle or LockPostgres
	Locks       LockConfig // of LockPostgres
	Device      string
	Commits     int64         // measured commits per strategy and repetition; 0: from Duration
	Duration    time.Duration // sets Commits by a pilot run on "none"
	Warmup      time.Duration // likewise for the warm-up; negative: the default
	Runs        int
	Seed        uint64
	SegmentSize pgformat.SegmentSize
	WALBuffers  int   // bytes
	Keep        int64 // bytes of log kept before it is verified and recycled
	// VirtualCores, not empty, makes the run a modelled one, once for each number
	// of cores, with the costs of Profile.
	VirtualCores []int
	Profile      *simtime.Profile
	ProfileNote  string // where the profile comes from, if the user did not say
	// SyncLatency, not nil, is what a sync takes on virtual cores besides its bytes,
	// whatever the device.
	SyncLatency *time.Duration
	// WhatIfs are changes for each of which a modelled run is repeated.
	WhatIfs []WhatIf
	// BlockCores, not 0, adds a modelled block on so many virtual cores to a
	// measured run.
	BlockCores int
	// Ranges has each modelled relative throughput carry its range.
	Ranges bool
	// Verify makes a modelled run move and encrypt all bytes and read every log
	// back. A measured one does that anyhow.
	Verify      bool
	Think       time.Duration // work outside the lock before each transaction
	TraceOrder  string
	MasterKey   string // file; empty: a key is drawn
	CommandLine []string
}

// CanonicalWorkloads are those of a run that says nothing about the work: the
// worst case, and the ordinary one beside it.
func CanonicalWorkloads() []string { return []string{"worst-case", "oltp"} }

// TraceOrderExact replays a trace record by record at its own LSNs.
const TraceOrderExact = "exact"

// complete fills in defaults and checks what can be checked without touching
// anything.
func (c *Config) complete() error {
	if len(c.Workloads) == 0 {
		c.Workloads = []string{loadgen.Default}
	}
	setDefault(&c.Clients, DefaultClients)
	setDefault(&c.Device, DefaultDevice)
	setDefault(&c.Lock, LockSingle)
	setDefault(&c.Runs, c.defaultRuns())
	setDefault(&c.Keep, DefaultKeep)
	setDefault(&c.SegmentSize, pgformat.DefaultSegmentSize)
	setDefault(&c.WALBuffers, int(pgformat.DefaultSegmentSize))
	if c.Commits == 0 {
		setDefault(&c.Duration, DefaultDuration)
	}
	if c.Warmup < 0 && c.Commits == 0 {
		c.Warmup = DefaultWarmup
	}
	if c.TraceOrder != "" {
		if err := c.completeExact(); err != nil {
			return err
		}
	}
	return c.check()
}

// defaultRuns is one on a virtual clock: another repetition would differ by the
// draw of the work only.
func (c *Config) defaultRuns() int {
	if len(c.VirtualCores) > 0 {
		return 1
	}
	return DefaultRuns
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

func (c *Config) check() error {
	switch {
	case c.Clients < 1 || c.Clients > maxClients:
		return usagef("--clients %d: want 1 to %d", c.Clients, maxClients)
	case c.Runs < 1:
		return usagef("--runs %d: want at least 1", c.Runs)
	case c.Commits < 0:
		return usagef("--commits %d: want at least 1", c.Commits)
	case c.Duration < 0:
		return usagef("--duration %v: want more than 0", c.Duration)
	case c.Commits > 0 && c.Duration > 0:
		return usagef("--commits and --duration exclude each other")
	case c.Think < 0 || c.Think > maxThink:
		return usagef("--think %v: want 0s to %v", c.Think, maxThink)
	}
	if err := c.checkLocks(); err != nil {
		return err
	}
	if err := c.checkModel(); err != nil {
		return err
	}
	if err := c.SegmentSize.Check(); err != nil {
		return usagef("--segment-size: %w", err)
	}
	if c.WALBuffers < walsim.MinBufferSize || c.WALBuffers%pgformat.PageSize != 0 {
		return usagef("--wal-buffers: %d bytes: %w", c.WALBuffers, walsim.ErrBufferSize)
	}
	if c.WALBuffers > maxWALBuffers {
		return usagef("--wal-buffers: %d bytes: want at most %d, PostgreSQL's limit too", c.WALBuffers, maxWALBuffers)
	}
	if c.Keep < 2*int64(c.SegmentSize) {
		return usagef("--keep %d: want at least two segments of %d bytes", c.Keep, c.SegmentSize)
	}
	return nil
}

// checkModel checks what is said of the virtual clock.
func (c *Config) checkModel() error {
	switch {
	case len(c.VirtualCores) == 0 && c.Device == ProfileDevice:
		return usagef("--device %s: only with --virtual-cores", ProfileDevice)
	case c.Profile == nil && (len(c.VirtualCores) > 0 || c.BlockCores > 0):
		return usagef("a modelled run needs a cost profile")
	}
	if err := c.checkWhatIfs(); err != nil {
		return err
	}
	return checkCores(c.VirtualCores)
}

var errExact = errors.New("needs a trace workload, one client and no --commits, --duration or --warmup")

// completeExact makes the settings that exact replay implies, and refuses
// others.
func (c *Config) completeExact() error {
	if c.TraceOrder != TraceOrderExact {
		return usagef("--trace-order %s: want %s", c.TraceOrder, TraceOrderExact)
	}
	if c.Commits != 0 {
		return usagef("--trace-order %s: %w", c.TraceOrder, errExact)
	}
	c.Clients, c.Duration, c.Warmup = 1, 0, 0
	return nil
}
