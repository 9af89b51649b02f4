package simtime

import "hash/crc32"

// Counts is the work one process has done, in bytes and calls. Every figure in
// a result comes from here.
type Counts struct {
	CopyBytes, CopyCalls     int64 // into WAL buffers, and between them
	CRCBytes, CRCCalls       int64
	ZeroBytes                int64 // WAL buffer pages cleared
	EncryptedBytes           int64 // bytes that went through a cipher, each time
	CipherCalls              int64 // calls that encrypted
	CipherSetups             int64 // key schedules or streams set up
	WrittenBytes             int64 // handed to the device
	WriteCalls, SyncCalls    int64
	Records, RealBytes       int64 // real bytes: xl_tot_len before a strategy adds anything
	StoredBytes              int64 // xl_tot_len as stored
	Images, Commits, Flushes int64
	Retries                  int64 // transactions built again because the redo pointer moved
	BuffersFull              int64 // writes by inserters who found no room in the WAL buffers
}

// Sub takes o off c: what was counted between two readings.
func (c *Counts) Sub(o *Counts) {
	negative := *o
	negative.negate()
	c.Add(&negative)
}

// Add adds o to c.
func (c *Counts) Add(o *Counts) {
	c.CopyBytes += o.CopyBytes
	c.CopyCalls += o.CopyCalls
	c.CRCBytes += o.CRCBytes
	c.CRCCalls += o.CRCCalls
	c.ZeroBytes += o.ZeroBytes
	c.EncryptedBytes += o.EncryptedBytes
	c.CipherCalls += o.CipherCalls
	c.CipherSetups += o.CipherSetups
	c.WrittenBytes += o.WrittenBytes
	c.WriteCalls += o.WriteCalls
	c.SyncCalls += o.SyncCalls
	c.Records += o.Records
	c.RealBytes += o.RealBytes
	c.StoredBytes += o.StoredBytes
	c.Images += o.Images
	c.Commits += o.Commits
	c.Flushes += o.Flushes
	c.Retries += o.Retries
	c.BuffersFull += o.BuffersFull
}

func (c *Counts) negate() {
	for _, v := range []*int64{
		&c.CopyBytes, &c.CopyCalls, &c.CRCBytes, &c.CRCCalls, &c.ZeroBytes,
		&c.EncryptedBytes, &c.CipherCalls, &c.CipherSetups, &c.WrittenBytes, &c.WriteCalls,
		&c.SyncCalls, &c.Records, &c.RealBytes, &c.StoredBytes, &c.Images,
		&c.Commits, &c.Flushes, &c.Retries, &c.BuffersFull,
	} {
		*v = -*v
	}
}

// Meter does and counts the byte work of one process: copies, checksums,
// cipher calls. It is a concrete type, so that calls cost next to nothing. A
// process passes its meter to what it calls; nobody else touches it until the
// process has been joined.
type Meter struct {
	Counts
	Locks [NumLockClasses]LockStats
	Holds HoldSamples // of the serialising lock
	Late  Times       // by which sleeps ended later than they should have
	// CipherTime is what sampled cipher calls took, wherever they were made.
	CipherTime CipherSamples
	// Latency is that of commits. The process records it itself.
	Latency Times
	// DevicePs is for how long devices worked for this process; on a virtual
	// clock only.
	DevicePs int64
	// MemoryPs is for how long the way to memory worked for this process; likewise.
	MemoryPs int64

	charges *charges // what work takes on a virtual clock; nil on the real one
	work    int64    // charged and not yet made good, fs
	// streamed is what the way to memory has been charged likewise, fs.
	streamed int64
}

// NewMeter returns an empty meter.
func NewMeter() *Meter { return &Meter{} }

// Reset forgets everything counted so far: the end of the warm-up.
func (m *Meter) Reset() {
	m.Counts = Counts{}
	for i := range m.Locks {
		m.Locks[i].reset()
	}
	m.Holds.reset()
	m.Late.Reset()
	m.CipherTime.reset()
	m.Latency.Reset()
	m.DevicePs, m.MemoryPs = 0, 0
}

// Add adds everything o has counted to m.
func (m *Meter) Add(o *Meter) {
	m.Counts.Add(&o.Counts)
	for i := range m.Locks {
		m.Locks[i].add(&o.Locks[i])
	}
	m.Holds.add(&o.Holds)
	m.Late.Add(&o.Late)
	m.CipherTime.add(&o.CipherTime)
	m.Latency.Add(&o.Latency)
	m.DevicePs += o.DevicePs
	m.MemoryPs += o.MemoryPs
}

// Touches says whether bytes are to be moved and made. A virtual clock can be
// told only to count: then what is metered is not carried out, and whoever makes
// bytes that nothing but a later reading would look at may leave it.
func (m *Meter) Touches() bool { return m.charges == nil || !m.charges.counts }

// Scratch is n bytes that hold nothing and may be written, for whoever has to pass
// memory on while bytes are only counted. All processes of a clock share it.
func (m *Meter) Scratch(n int) []byte {
	if n > len(m.charges.scratch) {
		m.charges.scratch = make([]byte, 2*n)
	}
	return m.charges.scratch
}

// Copy copies src to dst, which is at least as long.
func (m *Meter) Copy(dst, src []byte) {
	m.CopyBytes += int64(len(src))
	m.CopyCalls++
	before := m.Enter(PhaseCopy)
	if m.charges == nil || m.charge(&m.charges.copy, len(src)) {
		copy(dst[:len(src)], src)
	}
	m.Enter(before)
}

// Zero clears b.
func (m *Meter) Zero(b []byte) {
	m.ZeroBytes += int64(len(b))
	before := m.Enter(PhaseCopy)
	if m.charges == nil || m.charge(&m.charges.zero, len(b)) {
		clear(b)
	}
	m.Enter(before)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC continues the CRC-32C crc over b.
func (m *Meter) CRC(crc uint32, b []byte) uint32 {
	m.CRCBytes += int64(len(b))
	m.CRCCalls++
	before := m.Enter(PhaseCRC)
	if m.charges == nil || m.charge(&m.charges.crc, len(b)) {
		crc = crc32.Update(crc, castagnoli, b)
	}
	m.Enter(before)
	return crc
}

// Cipher counts one cipher call of suite s over n bytes in a number of records
// (or other pieces), and says whether the caller has to carry it out (a clock
// that only counts says no). Behind it comes CipherDone.
func (m *Meter) Cipher(s SuiteID, records, n int) bool {
	m.EncryptedBytes += int64(n)
	m.CipherCalls++
	if m.charges != nil {
		c := m.charges.suite(s)
		m.work += c.callFs + int64(records)*c.recordFs + int64(n)*c.byteFs
		return !m.charges.counts
	}
	if m.CipherTime.left--; m.CipherTime.left == 0 {
		m.beginCipherSample()
	}
	return true
}

// CipherDone says that the call over n bytes that Cipher has counted is over.
func (m *Meter) CipherDone(n int) {
	if m.CipherTime.on {
		m.CipherTime.end(n)
	}
}

// CipherSetup counts n key schedules or streams set up for suite s, and says
// whether the caller has to carry them out.
func (m *Meter) CipherSetup(s SuiteID, n int) bool {
	m.CipherSetups += int64(n)
	if m.charges != nil {
		m.work += int64(n) * m.charges.suite(s).setupFs
		return !m.charges.counts
	}
	return true
}

// Record says that a record of n bytes is being made; that, Transaction, Reserve,
// Segment and Page are work for which only a virtual clock has to be told.
func (m *Meter) Record(n int) {
	if m.charges != nil {
		m.charge(&m.charges.record, n)
	}
}

// Transaction says that a transaction begins.
func (m *Meter) Transaction() {
	if m.charges != nil {
		m.work += m.charges.transactionFs
	}
}

// Reserve says that a record gets its place.
func (m *Meter) Reserve() {
	if m.charges != nil {
		m.work += m.charges.reserveFs
	}
}

// Segment says that n bytes of a new segment are being filled.
func (m *Meter) Segment(n int) {
	if m.charges != nil {
		m.charge(&m.charges.segment, n)
	}
}

// Page says that a WAL page gets its header.
func (m *Meter) Page() {
	if m.charges != nil {
		m.work += m.charges.pageFs
	}
}
