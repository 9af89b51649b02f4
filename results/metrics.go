package results

// Direction says which values of a metric are better.
type Direction string

// The directions. A metric without one describes the work or the setting; a
// change of it is neither better nor worse.
const (
	Lower       Direction = "lower"
	Higher      Direction = "higher"
	NoDirection Direction = "none"
)

// Unit is what a metric is counted in. It also stands in the metric's name,
// but for the two units that are plain numbers: counts and ratios.
type Unit string

// The units.
const (
	Count     Unit = "count"
	Ratio     Unit = "ratio"
	Bytes     Unit = "bytes"
	Ns        Unit = "ns"
	TPS       Unit = "tps"      // commits a second
	MBPerS    Unit = "mb_per_s" // 10^6 bytes a second
	NsPerTx   Unit = "ns_per_commit"
	NsPerByte Unit = "ns_per_byte"
	PerRecord Unit = "per_record"
)

// Metric is one figure of a [Strategy]: what it is called on the command line
// and in comparisons, and where it stands.
type Metric struct {
	Name    string
	Unit    Unit
	Better  Direction
	Meaning string
	// Path is where the figure stands in an entry of "strategies", member names
	// joined by dots.
	Path string
	// Headline is false for details that a comparison leaves out unless asked.
	Headline bool
}

// Metrics lists all metrics in the order of the schema. The list is new with
// every call.
func Metrics() []Metric {
	list := []Metric{
		{"cores", Count, NoDirection, "virtual cores of the model", "cores", false},
		{"sensitivity_low", Ratio, NoDirection, "lowest relative throughput when assumed costs are halved or doubled", "range.low", false},
		{"sensitivity_high", Ratio, NoDirection, "highest relative throughput when assumed costs are halved or doubled", "range.high", false},
		{"limit_bound_tps", TPS, Higher, "commits a second that the scarcest resource of the model lets through at most", "limits.bound_tps", false},
		{"limit_reached", Ratio, NoDirection, "throughput divided by that bound", "limits.reached", false},
		{"lock_bound_tps", TPS, Higher, "commits a second that the serialising lock lets through at most", "limits.lock_bound_tps", false},
		{"core_bound_tps", TPS, Higher, "commits a second that the cores can do at most", "limits.core_bound_tps", false},
		{"device_bound_tps", TPS, Higher, "commits a second that the device lets through at most", "limits.device_bound_tps", false},
		{"memory_bound_tps", TPS, Higher, "commits a second that the way to memory lets through at most", "limits.memory_bound_tps", false},
		{"lock_utilisation", Ratio, NoDirection, "share of the window in which the lock was held or handed over", "limits.lock_utilisation", false},
		{"core_utilisation", Ratio, NoDirection, "share of the cores' time in which updaters used them", "limits.core_utilisation", false},
		{"insertion_bound_tps", TPS, Higher, "commits a second that the insertion locks let through at most", "limits.insertion_bound_tps", false},
		{"position_bound_tps", TPS, Higher, "commits a second that the position lock lets through at most", "limits.position_bound_tps", false},
		{"mapping_bound_tps", TPS, Higher, "commits a second that the mapping lock lets through at most", "limits.mapping_bound_tps", false},
		{"insertion_utilisation", Ratio, NoDirection, "share of the insertion locks' time in which they were held or handed over", "limits.insertion_utilisation", false},
		{"position_utilisation", Ratio, NoDirection, "share of the window in which the position lock was held or handed over", "limits.position_utilisation", false},
		{"mapping_utilisation", Ratio, NoDirection, "share of the window in which the mapping lock was held or handed over", "limits.mapping_utilisation", false},
		{"device_utilisation", Ratio, NoDirection, "share of the window in which the device worked", "limits.device_utilisation", false},
		{"memory_utilisation", Ratio, NoDirection, "share of the window in which the way to memory worked", "limits.memory_utilisation", false},
		{"throughput_tps", TPS, Higher, "commits a second", "throughput_tps.median", true},
		{"relative_throughput", Ratio, Higher, "throughput divided by that of none in the same repetition", "relative_throughput.median", true},
		{"lock_held_ns_per_commit", NsPerTx, Lower, "time the serialising lock was held, a commit: what designs are compared by", "lock_held_ns_per_commit", true},
		{"relative_lock_held", Ratio, Lower, "lock_held_ns_per_commit divided by that of none in the same repetition", "relative_lock_held.median", true},
		{"relative_lock_hold_p50", Ratio, Lower, "median lock hold divided by that of none in the same repetition", "relative_lock_hold_p50.median", true},
		{"lock_acquisitions", Count, NoDirection, "acquisitions of the serialising lock", "lock_acquisitions", false},
	}
	for _, kind := range []string{"insert", "position", "write", "mapping"} {
		list = append(list, lockMetrics(kind)...)
	}
	list = append(list, distribution("lock_hold_ns", "time an acquisition holds the serialising lock", true)...)
	list = append(list, phaseMetrics()...)
	list = append(list,
		Metric{"lock_hold_sampled_every", Count, NoDirection, "acquisitions for each one split into phases", "lock_hold_ns.sampled_every", false})
	list = append(list, distribution("lock_hold_cpu_ns", "processor time used while the lock is held", false)[:3]...)
	list = append(list, distribution("lock_wait_ns", "time from asking for the serialising lock to owning it", true)...)
	list = append(list, distribution("commit_latency_ns", "time from a commit's begin to its acknowledgement", true)...)
	list = append(list, distribution("intended_latency_ns", "time from a commit's intended begin to its acknowledgement", false)...)
	list = append(list, instrumentMetrics()...)
	return append(list, workMetrics()...)
}

// instrumentMetrics are how far the times can be trusted.
func instrumentMetrics() []Metric {
	list := []Metric{
		{"instrument_ns_per_hold", Ns, NoDirection, "part of a lock hold that taking its time adds", "instrument_ns_per_hold", false},
		{"instrument_share_of_hold", Ratio, NoDirection, "that part of the mean lock hold", "instrument_share_of_hold", false},
	}
	list = append(list, distribution("device_lateness_ns", "time by which waits for the modelled device ended late", false)...)
	return append(list,
		Metric{"device_lateness_count", Count, NoDirection, "waits for the modelled device", "device_lateness_ns.count", false},
		Metric{"noise_gap_share", Ratio, NoDirection, "time that a spinning thread lost just before the worst repetition", "noise_gap_share", false},
		Metric{"noise_steal_share", Ratio, NoDirection, "time of all cores that the hypervisor took during the worst repetition", "noise_steal_share", false},
	)
}

// workMetrics are the counts of work and what follows from them.
func workMetrics() []Metric {
	return []Metric{
		{"real_bytes", Bytes, NoDirection, "length of all records before a strategy adds anything", "real_bytes", false},
		{"encrypted_bytes", Bytes, Lower, "bytes that went through a cipher, each time they went", "encrypted_bytes", false},
		{"written_bytes", Bytes, Lower, "bytes handed to the device", "written_bytes", false},
		{"log_growth", Ratio, Lower, "stored length of records / real bytes - 1", "log_growth", true},
		{"encrypted_bytes_per_real_byte", Ratio, Lower, "encryption amplification", "encrypted_bytes_per_real_byte", true},
		{"written_bytes_per_real_byte", Ratio, Lower, "write amplification", "written_bytes_per_real_byte", true},
		{"bytes_per_flush", Bytes, NoDirection, "advance of the log position in one flush", "bytes_per_flush", true},
		{"commits_per_flush", Ratio, NoDirection, "transactions committed for each flush: more than 1 is group commit", "commits_per_flush", false},
		{"cipher_setups", Count, Lower, "key schedules or streams set up", "cipher_setups", false},
		{"cipher_calls", Count, NoDirection, "calls that encrypted", "cipher_calls", false},
		{"cipher_ns_per_byte", NsPerByte, Lower, "time of the sampled cipher calls, a byte", "cipher_ns_per_byte", false},
		{"records", Count, NoDirection, "records inserted", "records", false},
		{"commits", Count, NoDirection, "transactions committed", "commits", false},
		{"flushes", Count, NoDirection, "flushes of the log", "flushes", false},
		{"images", Count, NoDirection, "full-page images in records", "images", false},
		{"retries", Count, Lower, "transactions built again because the redo pointer moved", "retries", false},
		{"wal_buffers_full", Count, Lower, "writes by inserters who found no room in the WAL buffers", "wal_buffers_full", false},
		{"allocs_per_record", PerRecord, Lower, "heap allocations a record", "allocs_per_record", true},
		{"cpu_ns_per_commit", NsPerTx, Lower, "processor time a commit", "cpu_ns_per_commit", true},
		{"verified_records_acknowledged", Count, NoDirection, "records acknowledged over the whole log", "verified.records_acknowledged", false},
		{"verified_records_recovered", Count, NoDirection, "records read back", "verified.records_recovered", false},
		{"verified_lost", Count, Lower, "acknowledged records that were not read back", "verified.lost", false},
		{"verified_phantom", Count, Lower, "records read back that nobody wrote", "verified.phantom", false},
		{"recovery_mb_per_s", MBPerS, Higher, "speed of reading the log back", "verified.recovery_mb_per_s", false},
		{"keystream_audit_bytes", Bytes, NoDirection, "encrypted bytes looked at by the keystream audit", "keystream_audit.bytes", false},
		{"keystream_reused_bytes", Bytes, Lower, "bytes whose keystream also covered another plaintext", "keystream_audit.reused", false},
	}
}

// distribution is mean, p50, p99 and max of the times at path.
func distribution(path, meaning string, headline bool) []Metric {
	name := flatName(path)
	return []Metric{
		{name + "_mean", Ns, Lower, meaning + ": mean", path + ".mean", headline},
		{name + "_p50", Ns, Lower, meaning + ": median", path + ".p50", headline},
		{name + "_p99", Ns, Lower, meaning + ": 99th percentile", path + ".p99", headline},
		{name + "_max", Ns, Lower, meaning + ": longest", path + ".max", false},
	}
}

func lockMetrics(kind string) []Metric {
	path := "locks." + kind
	list := []Metric{
		{flatName(path) + "_acquisitions", Count, NoDirection, "acquisitions of the " + kind + " lock", path + ".acquisitions", false},
		{flatName(path) + "_held_ns_per_commit", NsPerTx, Lower, "time the " + kind + " lock was held, a commit", path + ".held_ns_per_commit", false},
	}
	list = append(list, Metric{
		flatName(path) + "_waited_ns_per_commit", NsPerTx, Lower, "time spent waiting for the " + kind + " lock, a commit", path + ".waited_ns_per_commit", false})
	list = append(list, distribution(path+".hold_ns", "time an acquisition holds the "+kind+" lock", false)...)
	return append(list, distribution(path+".wait_ns", "time from asking for the "+kind+" lock to owning it", false)...)
}

func phaseMetrics() []Metric {
	meanings := [][2]string{
		{"header", "reserving space and page headers"}, {"copy", "copying records"}, {"crc", "checksums"},
		{"encrypt", "encryption"}, {"write", "writing to the device"}, {"sync", "waiting for the device to be durable"},
		{"other", "everything else"},
	}
	var list []Metric
	for _, m := range meanings {
		list = append(list, Metric{"lock_hold_ns_" + m[0] + "_mean", Ns, Lower, "part of the mean lock hold: " + m[1],
			"lock_hold_ns.phases_ns_mean." + m[0], false})
	}
	return list
}
