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
	// Sync, not nil, is what a sync takes on a virtual clock besides its bytes,
	// whatever kind and profile say.
	Sync *Duration

	// Varies makes the time of each sync another one, around the same mean. Draws says
	// which: equal values give equal times in the same order, and it moves on.
	Varies bool
	Draws  uint64

	freeAt Time // on a virtual clock, when it has done all it was asked for
}

// syncTime is how long a modelled device takes for a sync of n bytes. Of a varying
// one it is asked once for each sync.
func (d *Device) syncTime(n int64) Duration { return d.varied(d.Latency + d.transfer(n)) }

// transfer is how long a modelled device takes for n bytes.
func (d *Device) transfer(n int64) Duration {
	return Duration(n * int64(Microsecond) / max(d.BytesPerSecond/1_000_000, 1))
}

// virtualSync is how long a sync of n bytes takes on a virtual clock.
func (d *Device) virtualSync(c *Costs, n int64) Duration {
	var fixed, bytes Duration
	switch d.Kind {
	case ModelDevice:
		fixed, bytes = d.Latency, d.transfer(n)
	case DiskDevice:
		fixed, bytes = Duration(c.DeviceSyncPs), Duration(n*c.DeviceByteFs/fsPerPs)
	}
	if d.Sync != nil {
		fixed = *d.Sync
	}
	return d.varied(fixed + bytes)
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
	takes := d.virtualSync(&p.clock.costs, n)
	if takes <= 0 {
		return
	}
	p.settle()
	p.meter.DevicePs += int64(takes)
	d.freeAt = max(d.freeAt, p.clock.now).Add(takes)
	p.rest(d.freeAt)
}
