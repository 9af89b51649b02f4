package results

// MaxSeed is the largest seed a result file can hold: the largest integer that
// every JSON reader keeps exactly (RFC 8259, section 6).
const MaxSeed = 1<<53 - 1

// Config is everything needed to do a run again. Numbers that the command line
// left open are filled in as they were used; what did not apply is null.
type Config struct {
	CommandLine []string `json:"command_line"` // words as typed, without the program's path
	StartedAt   *string  `json:"started_at"`   // RFC 3339, UTC; null if the file has to be repeatable

	Workloads          []string          `json:"workloads"`
	WorkloadOptions    map[string]string `json:"workload_options"`
	Strategies         []string          `json:"strategies"`
	Suites             []string          `json:"suites"`
	AESCTR             *string           `json:"aesctr"`          // implementation that reads logs back
	Implementations    map[string]string `json:"implementations"` // of the AES of each suite
	Clients            int               `json:"clients"`         // updaters
	Lock               string            `json:"lock"`            // "single" or "postgres"
	Device             string            `json:"device"`
	SyncLatencyNs      *int64            `json:"sync_latency_ns"` // of a model: in place of the device's own
	Commits            *int64            `json:"commits"`         // measured, of each strategy and repetition
	WarmupCommits      *int64            `json:"warmup_commits"`
	DurationNs         *int64            `json:"duration_ns"` // as asked for; it only sets the commits
	WarmupNs           *int64            `json:"warmup_ns"`
	ThinkNs            *int64            `json:"think_ns"` // work outside the lock before each transaction
	Runs               int               `json:"runs"`     // repetitions
	RatePerS           *float64          `json:"rate_per_s"`
	Seed               uint64            `json:"seed"` // a number, at most MaxSeed
	SegmentSizeBytes   int64             `json:"segment_size_bytes"`
	WALBuffersBytes    int64             `json:"wal_buffers_bytes"`
	KeepBytes          int64             `json:"keep_bytes"`
	CheckpointBytes    *int64            `json:"checkpoint_bytes"` // real bytes between checkpoints
	InsertionLocks     *int              `json:"insertion_locks"`  // of "postgres", as are the next four
	CommitDelayNs      *int64            `json:"commit_delay_ns"`
	CommitSiblings     *int              `json:"commit_siblings"`
	SynchronousCommit  *string           `json:"synchronous_commit"` // "on" or "off"
	WALWriterDelayNs   *int64            `json:"wal_writer_delay_ns"`
	RotateEveryNs      *int64            `json:"rotate_every_ns"`
	LockSampledEvery   *int64            `json:"lock_sampled_every"`
	TraceOrder         *string           `json:"trace_order"`
	TraceHash          *string           `json:"trace_hash"`
	Compressibility    *float64          `json:"compressibility"`
	Verify             bool              `json:"verify"`
	Audit              bool              `json:"audit"`
	Profile            *string           `json:"profile"`
	ProfileHash        *string           `json:"profile_hash"`
	VirtualCores       *int              `json:"virtual_cores"`
	DataPlane          *string           `json:"data_plane"`
	StartOrder         [][]string        `json:"start_order"` // of each repetition: strategies, or strategy+suite
	UnitsWithoutCommit *int64            `json:"units_without_commit"`
}

func (c *Config) normalize() {
	c.CommandLine = notNil(c.CommandLine)
	c.Workloads = notNil(c.Workloads)
	c.Strategies = notNil(c.Strategies)
	c.Suites = notNil(c.Suites)
	c.StartOrder = notNil(c.StartOrder)
	for i := range c.StartOrder {
		c.StartOrder[i] = notNil(c.StartOrder[i])
	}
}

// deviceText is the device with what was changed of it.
func (c *Config) deviceText() string {
	if c.SyncLatencyNs == nil {
		return c.Device
	}
	return c.Device + " with a sync of " + duration(c.SyncLatencyNs)
}
