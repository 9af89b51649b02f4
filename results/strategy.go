package results

// Strategy is the result of one strategy with one suite under one workload.
// Every figure but Verified covers the measured windows only. Counts are sums
// over all repetitions, and ratios are quotients of such sums; medians are over
// repetitions.
type Strategy struct {
	Workload string       `json:"workload"`
	Name     string       `json:"name"`
	Suite    string       `json:"suite"`
	Cores    *int         `json:"cores"`  // virtual cores; null if measured
	Range    *Sensitivity `json:"range"`  // null if measured
	Limits   *Limits      `json:"limits"` // null if measured

	ThroughputTPS      Throughput `json:"throughput_tps"`
	RelativeThroughput *Range     `json:"relative_throughput"` // null if "none" was not run

	LockHeldNsPerCommit *float64     `json:"lock_held_ns_per_commit"`
	RelativeLockHeld    *Range       `json:"relative_lock_held"` // a commit; null if "none" was not run
	LockAcquisitions    int64        `json:"lock_acquisitions"`
	Locks               *Locks       `json:"locks"`
	LockHoldNs          LockHold     `json:"lock_hold_ns"`
	RelativeLockHoldP50 *Range       `json:"relative_lock_hold_p50"` // null if "none" was not run
	LockHoldCPUNs       *CPUTime     `json:"lock_hold_cpu_ns"`       // of the sampled holds
	LockWaitNs          Distribution `json:"lock_wait_ns"`

	InstrumentNsPerHold   *float64  `json:"instrument_ns_per_hold"` // part of every hold
	InstrumentShareOfHold *float64  `json:"instrument_share_of_hold"`
	DeviceLatenessNs      *Lateness `json:"device_lateness_ns"` // null unless the device is modelled
	NoiseGapShare         *float64  `json:"noise_gap_share"`    // the worst of all repetitions
	NoiseStealShare       *float64  `json:"noise_steal_share"`

	CommitLatencyNs   Distribution  `json:"commit_latency_ns"`
	IntendedLatencyNs *Distribution `json:"intended_latency_ns"` // null in a closed loop

	RealBytes      int64 `json:"real_bytes"`
	EncryptedBytes int64 `json:"encrypted_bytes"`
	WrittenBytes   int64 `json:"written_bytes"`

	LogGrowth                 *float64 `json:"log_growth"`
	EncryptedBytesPerRealByte *float64 `json:"encrypted_bytes_per_real_byte"`
	WrittenBytesPerRealByte   *float64 `json:"written_bytes_per_real_byte"`
	BytesPerFlush             *float64 `json:"bytes_per_flush"` // advance of the log position
	CommitsPerFlush           *float64 `json:"commits_per_flush"`

	CipherSetups int64 `json:"cipher_setups"`
	CipherCalls  int64 `json:"cipher_calls"`
	Records      int64 `json:"records"`
	Commits      int64 `json:"commits"`
	Flushes      int64 `json:"flushes"`
	Images       int64 `json:"images"`
	Retries      int64 `json:"retries"`

	WALBuffersFull int64 `json:"wal_buffers_full"` // writes by inserters without room

	CipherNsPerByte *float64 `json:"cipher_ns_per_byte"` // of the sampled calls
	AllocsPerRecord *float64 `json:"allocs_per_record"`
	CPUNsPerCommit  *float64 `json:"cpu_ns_per_commit"`

	Verified       *Verified       `json:"verified"` // null if nothing was kept to read back
	KeystreamAudit *KeystreamAudit `json:"keystream_audit"`

	Repetitions []Repetition `json:"repetitions"`
}

// Range is a median over repetitions with its 95 % interval, or, with fewer
// than six repetitions, the lowest and highest of them.
type Range struct {
	Median *float64 `json:"median"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

// Throughput is commits a second: the range, and every repetition with a window
// longer than nothing, in order.
type Throughput struct {
	Range
	Runs []float64 `json:"runs"`
}

// Sensitivity is how far a modelled relative throughput moves when each assumed
// or derived cost is halved and doubled, and which cost moves it most.
type Sensitivity struct {
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	Driver *string  `json:"driver"`
}

// Distribution is a set of times in nanoseconds. Mean and Max are exact,
// percentiles are from a histogram of two digits. All are null if there was no
// event.
type Distribution struct {
	Mean *float64 `json:"mean"`
	P50  *int64   `json:"p50"`
	P99  *int64   `json:"p99"`
	Max  *int64   `json:"max"`
}

// LockHold is how long the serialising lock was held an acquisition. The phases
// were seen in sampled holds only; their shares there are applied to the exact
// mean of all holds, so that they add up to it.
type LockHold struct {
	Distribution
	PhasesNsMean *Phases `json:"phases_ns_mean"`
	SampledEvery *int64  `json:"sampled_every"` // acquisitions for each one split into phases
}

// Lateness is how much longer waits for a modelled device took than they should
// have.
type Lateness struct {
	Distribution
	Count int64 `json:"count"` // waits
}

// Phases splits a mean hold by what was done meanwhile, in nanoseconds.
type Phases struct {
	Header  float64 `json:"header"`
	Copy    float64 `json:"copy"`
	CRC     float64 `json:"crc"`
	Encrypt float64 `json:"encrypt"`
	Write   float64 `json:"write"`
	Sync    float64 `json:"sync"`
	Other   float64 `json:"other"`
}

// CPUTime is processor time used while a lock was held, in nanoseconds, less
// what taking it used. A holder that waited, or was not let run, has a longer
// hold than this.
type CPUTime struct {
	Mean *float64 `json:"mean"`
	P50  *int64   `json:"p50"`
	P99  *int64   `json:"p99"`
}

// Locks tells PostgreSQL's kinds of lock apart.
type Locks struct {
	Insert   *Lock `json:"insert"`
	Position *Lock `json:"position"`
	Write    *Lock `json:"write"`
	Mapping  *Lock `json:"mapping"`
}

// Lock is what happened at one kind of lock.
type Lock struct {
	Acquisitions      int64        `json:"acquisitions"`
	HeldNsPerCommit   *float64     `json:"held_ns_per_commit"`
	WaitedNsPerCommit *float64     `json:"waited_ns_per_commit"`
	HoldNs            Distribution `json:"hold_ns"`
	WaitNs            Distribution `json:"wait_ns"` // those that did not end with the lock too
}

// Verified is what reading the log back found: the whole log, warm-up included,
// summed over the repetitions that were read back.
type Verified struct {
	RecordsAcknowledged int64    `json:"records_acknowledged"`
	RecordsRecovered    int64    `json:"records_recovered"`
	Lost                int64    `json:"lost"`
	Phantom             int64    `json:"phantom"`
	RecoveryMBPerS      *float64 `json:"recovery_mb_per_s"` // 10^6 bytes of log a second
}

// OK says whether everything acknowledged came back, and nothing else.
func (v *Verified) OK() bool { return v.Lost == 0 && v.Phantom == 0 }

// KeystreamAudit is what looking for keystream used twice found.
type KeystreamAudit struct {
	Bytes  int64 `json:"bytes"`
	Reused int64 `json:"reused"` // bytes
}

// Repetition holds the figures of one repetition that a comparison of two
// results can use: each number but the first two is named like its metric.
type Repetition struct {
	Repetition int   `json:"repetition"` // from 0
	WindowNs   int64 `json:"window_ns"`  // length of the measured window
	Commits    int64 `json:"commits"`
	Busy       bool  `json:"busy"` // something else took much of the machine

	ThroughputTPS             *float64 `json:"throughput_tps"`
	RelativeThroughput        *float64 `json:"relative_throughput"`
	LockHeldNsPerCommit       *float64 `json:"lock_held_ns_per_commit"`
	RelativeLockHeld          *float64 `json:"relative_lock_held"`
	LockHoldNsMean            *float64 `json:"lock_hold_ns_mean"`
	LockHoldNsP50             *int64   `json:"lock_hold_ns_p50"`
	LockHoldNsP99             *int64   `json:"lock_hold_ns_p99"`
	RelativeLockHoldP50       *float64 `json:"relative_lock_hold_p50"`
	LockHoldCPUNsMean         *float64 `json:"lock_hold_cpu_ns_mean"`
	LockWaitNsMean            *float64 `json:"lock_wait_ns_mean"`
	LockWaitNsP99             *int64   `json:"lock_wait_ns_p99"`
	CommitLatencyNsMean       *float64 `json:"commit_latency_ns_mean"`
	CommitLatencyNsP99        *int64   `json:"commit_latency_ns_p99"`
	EncryptedBytesPerRealByte *float64 `json:"encrypted_bytes_per_real_byte"`
	WrittenBytesPerRealByte   *float64 `json:"written_bytes_per_real_byte"`
	LogGrowth                 *float64 `json:"log_growth"`
	BytesPerFlush             *float64 `json:"bytes_per_flush"`
	AllocsPerRecord           *float64 `json:"allocs_per_record"`
	CPUNsPerCommit            *float64 `json:"cpu_ns_per_commit"`
	NoiseGapShare             *float64 `json:"noise_gap_share"`
	NoiseStealShare           *float64 `json:"noise_steal_share"`
}
