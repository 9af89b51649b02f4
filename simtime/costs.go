package simtime

import "strings"

// Costs are what things take on the machine of a profile: times in picoseconds
// (Ps), and bytes' shares of them in femtoseconds (Fs), since a byte copied is
// some tens of picoseconds. Every constant of the virtual clock is one of these;
// what each means stands in [costFields].
type Costs struct {
	CopyCallPs, CopyByteFs     int64
	ZeroCallPs, ZeroByteFs     int64
	CRCCallPs, CRCByteFs       int64
	RecordCallPs, RecordByteFs int64
	TransactionPs              int64
	ReservePs, PagePs          int64
	WriteCallPs, WriteByteFs   int64
	SegmentByteFs              int64
	DeviceSyncPs, DeviceByteFs int64
	WaitKeepPs                 int64
	LockPs                     int64
	LockLineTransferPs         int64
	MemoryByteFs               int64
	WakePs, WakeCallPs         int64
	SwitchPs, StealPs          int64
	QuantumPs                  int64
	StarvationPs               int64
}

// costField is a number that every profile has.
type costField struct {
	Name, Meaning string
	of            func(*Costs) *int64
	atLeast       int64
}

// costFields lists the numbers of a profile in the order of their documentation.
var costFields = []costField{
	{"copy_call_ps", "a copy into WAL buffers, besides its bytes", func(c *Costs) *int64 { return &c.CopyCallPs }, 0},
	{"copy_byte_fs", "each byte of it", func(c *Costs) *int64 { return &c.CopyByteFs }, 0},
	{"zero_call_ps", "clearing a piece of a WAL page, besides its bytes", func(c *Costs) *int64 { return &c.ZeroCallPs }, 0},
	{"zero_byte_fs", "each byte of it", func(c *Costs) *int64 { return &c.ZeroByteFs }, 0},
	{"crc_call_ps", "a CRC-32C, besides its bytes", func(c *Costs) *int64 { return &c.CRCCallPs }, 0},
	{"crc_byte_fs", "each byte of it", func(c *Costs) *int64 { return &c.CRCByteFs }, 0},
	{"record_call_ps", "a record's making outside the lock, besides its bytes", func(c *Costs) *int64 { return &c.RecordCallPs }, 0},
	{"record_byte_fs", "each byte of it", func(c *Costs) *int64 { return &c.RecordByteFs }, 0},
	{"transaction_ps", "a transaction's other work outside the lock", func(c *Costs) *int64 { return &c.TransactionPs }, 0},
	{"reserve_ps", "reserving a record's place, under the lock", func(c *Costs) *int64 { return &c.ReservePs }, 0},
	{"page_ps", "a WAL page's header, under the lock", func(c *Costs) *int64 { return &c.PagePs }, 0},
	{"write_call_ps", "handing a run of pages to the operating system, processor time besides its bytes", func(c *Costs) *int64 { return &c.WriteCallPs }, 0},
	{"write_byte_fs", "each byte of it", func(c *Costs) *int64 { return &c.WriteByteFs }, 0},
	{"segment_byte_fs", "each byte of a new segment that is filled ahead of its use, memory for it included", func(c *Costs) *int64 { return &c.SegmentByteFs }, 0},
	{"device_sync_ps", "a sync of the machine's own device, waited for without a core, besides its bytes", func(c *Costs) *int64 { return &c.DeviceSyncPs }, 0},
	{"device_byte_fs", "each byte of it", func(c *Costs) *int64 { return &c.DeviceByteFs }, 0},
	{"wait_keep_ps", "for how long a process that waits for a device, or sleeps, keeps its core", func(c *Costs) *int64 { return &c.WaitKeepPs }, 0},
	{"lock_ps", "taking a free lock and giving it up", func(c *Costs) *int64 { return &c.LockPs }, 0},
	{"lock_line_transfer_ps", "taking a lock that another process had last: its cache line comes from another core", func(c *Costs) *int64 { return &c.LockLineTransferPs }, 0},
	{"memory_byte_fs", "each byte's turn on the way to memory that all cores share; 0: without end", func(c *Costs) *int64 { return &c.MemoryByteFs }, 0},
	{"wake_ps", "from the call that wakes a blocked process to its running on a free core", func(c *Costs) *int64 { return &c.WakePs }, 0},
	{"wake_call_ps", "that call, for its caller", func(c *Costs) *int64 { return &c.WakeCallPs }, 0},
	{"switch_ps", "a core's change to the next process of its queue", func(c *Costs) *int64 { return &c.SwitchPs }, 0},
	{"steal_ps", "until a core that is free has found a process that another, busy one has made ready", func(c *Costs) *int64 { return &c.StealPs }, 0},
	{"quantum_ps", "time after which a core is given to the next process of the queue", func(c *Costs) *int64 { return &c.QuantumPs }, leastQuantumPs},
	{"starvation_ps", "wait after which a lock is handed over in order; before, whoever comes first takes it", func(c *Costs) *int64 { return &c.StarvationPs }, 0},
}

// leastQuantumPs is 1 us, far below what any operating system takes: a smaller one
// makes a run no truer, and endless.
const leastQuantumPs = 1_000_000

// mostOf is the most that a number may be, by the last part of its name. It is far
// beyond any machine, and keeps what one process adds up between two events (some
// hundred thousand calls, a gigabyte) from the end of 64 bits of femtoseconds.
func mostOf(name string) int64 {
	switch {
	case strings.HasSuffix(name, "_fs"):
		return 1_000_000_000 // 1 us a byte
	case name == "quantum_ps" || name == "starvation_ps":
		return 1_000_000_000_000_000 // 1,000 s, which stands for never
	case name == "device_sync_ps":
		return 10_000_000_000_000 // 10 s
	case name == "transaction_ps" || name == "wake_ps" || name == "steal_ps" || name == "wait_keep_ps":
		return 1_000_000_000_000 // 1 s
	}
	return 10_000_000_000 // 10 ms
}

// SuiteCosts are what a cipher suite takes.
type SuiteCosts struct {
	SetupPs  int64 // a key schedule or stream set up
	CallPs   int64 // a call, besides its records and bytes
	RecordPs int64 // each record (or other piece) of a call
	ByteFs   int64
}

// suiteField is a number that every suite of a profile has.
type suiteField struct {
	Name, Meaning string
	of            func(*SuiteCosts) *int64
}

var suiteFields = []suiteField{
	{"setup_ps", "a key schedule or a stream set up", func(c *SuiteCosts) *int64 { return &c.SetupPs }},
	{"call_ps", "a call, besides its records and bytes", func(c *SuiteCosts) *int64 { return &c.CallPs }},
	{"record_ps", "each record or other piece of a call", func(c *SuiteCosts) *int64 { return &c.RecordPs }},
	{"byte_fs", "each byte", func(c *SuiteCosts) *int64 { return &c.ByteFs }},
}
