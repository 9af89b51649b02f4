package simtime

// DeviceKind is a kind of device.
type DeviceKind uint8

// The kinds of device.
const (
	// MemoryDevice keeps bytes in memory: nothing is waited for.
	MemoryDevice DeviceKind = iota
	// ModelDevice is a device of a given speed over storage that is faster: a sync
	// waits for the latency and for what was written since the last one to pass
	// at the bandwidth. The wait uses no core, so that the log's lock, and not the
	// processor, is what updaters queue for.
	ModelDevice
	// DiskDevice is the machine's own: a virtual clock takes the profile's.
	DiskDevice
)

// Device is where bytes become durable. It does one thing at a time, in the order
// in which processes ask.
type Device struct {
	Kind           DeviceKind
	Latency        Duration // of a ModelDevice
	BytesPerSecond int64

	// Varies makes the time of each sync another one, around the same mean.
	Varies bool

	drawn  uint64 // state of what it varies by
	freeAt Time   // on a virtual clock, when it has done all it was asked for
}

// syncTime is how long a modelled device takes for a sync of n bytes. Of a varying
// one it is asked once for each sync.
func (d *Device) syncTime(n int64) Duration {
	t := d.Latency + Duration(n*int64(Microsecond)/max(d.BytesPerSecond/1_000_000, 1))
	if d.Varies {
		return d.vary(t)
	}
	return t
}

// DeviceOp is a kind of device operation.
type DeviceOp uint8

// The device operations. A write takes processor time of whoever writes; a sync is
// told how many bytes were written since the last one.
const (
	DeviceWrite DeviceOp = iota
	DeviceSync
)

// Device charges a write to the process, and has a sync wait its turn.
func (p *virtualProc) Device(d *Device, op DeviceOp, n int64) {
	if op == DeviceWrite {
		p.meter.charge(&p.meter.charges.write, int(n))
		return
	}
	var takes Duration
	switch c := &p.clock.costs; d.Kind {
	case ModelDevice:
		takes = d.syncTime(n)
	case DiskDevice:
		takes = Duration(c.DeviceSyncPs + n*c.DeviceByteFs/fsPerPs)
	}
	if takes <= 0 {
		return
	}
	p.settle()
	p.meter.DevicePs += int64(takes)
	d.freeAt = max(d.freeAt, p.clock.now).Add(takes)
	p.away(d.freeAt)
}
