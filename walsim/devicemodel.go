package walsim

import "github.com/walbench/walbench/simtime"

// DeviceModel is a device of a given speed over storage that is faster: a sync
// waits for the latency and for what was written since the last one to pass at
// the bandwidth. The wait uses no core, so that the log's lock, and not the
// processor, is what updaters queue for.
type DeviceModel struct {
	Latency        simtime.Duration
	BytesPerSecond int64
}

// time is how long a sync of n bytes lasts.
func (d *DeviceModel) time(n int64) simtime.Duration {
	return d.Latency + simtime.Duration(n*int64(simtime.Microsecond)/max(d.BytesPerSecond/1_000_000, 1))
}
