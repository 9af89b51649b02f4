package results

// ModelWork is what only a model knows of a measured window, in picoseconds.
type ModelWork struct {
	// LockIdlePs is for how long the serialising lock was free while somebody waited
	// for it: what handing it over takes.
	LockIdlePs int64
	// DevicePs is for how long the device worked.
	DevicePs int64
	// MemoryPs is for how long the way to memory worked for the updaters.
	MemoryPs int64
}

func (w *ModelWork) add(o *ModelWork) {
	w.LockIdlePs += o.LockIdlePs
	w.DevicePs += o.DevicePs
	w.MemoryPs += o.MemoryPs
}

// Limits say what a modelled run was limited by: how busy each resource was, and
// how many commits a second it would let through at most.
type Limits struct {
	// Resource is "lock", "cores", "device", "memory", for PostgreSQL's locks also "insertion",
	// "position" or "mapping", or "updaters" if none of them was used up: too few updaters, or
	// updaters that think. Its "lock" is the write lock.
	Resource string   `json:"resource"`
	BoundTPS *float64 `json:"bound_tps"` // the lowest of them
	Reached  *float64 `json:"reached"`   // throughput divided by it

	LockBoundTPS   *float64 `json:"lock_bound_tps"`
	CoreBoundTPS   *float64 `json:"core_bound_tps"`
	DeviceBoundTPS *float64 `json:"device_bound_tps"` // null if it was never waited for
	MemoryBoundTPS *float64 `json:"memory_bound_tps"` // null if it has no end

	LockUtilisation   *float64 `json:"lock_utilisation"` // handing over included
	CoreUtilisation   *float64 `json:"core_utilisation"`
	DeviceUtilisation *float64 `json:"device_utilisation"`
	MemoryUtilisation *float64 `json:"memory_utilisation"`

	// Of PostgreSQL's locks; null under the single one.
	InsertionBoundTPS    *float64 `json:"insertion_bound_tps"`
	PositionBoundTPS     *float64 `json:"position_bound_tps"`
	InsertionUtilisation *float64 `json:"insertion_utilisation"` // of all insertion locks, handing over included
	PositionUtilisation  *float64 `json:"position_utilisation"`
	MappingBoundTPS      *float64 `json:"mapping_bound_tps"`
	MappingUtilisation   *float64 `json:"mapping_utilisation"`
}

// The resources that can limit a run.
const (
	LimitLock     = "lock"
	LimitCores    = "cores"
	LimitDevice   = "device"
	LimitMemory   = "memory"
	LimitUpdaters = "updaters"

	LimitInsertion = "insertion"
	LimitPosition  = "position"
	LimitMapping   = "mapping"
)

const (
	// usedUp is the utilisation from which on a resource is the limit.
	usedUp = 0.9
	// insertionUsedUp is that of the insertion locks together: updaters stay with one
	// until they have to wait, so that some are waited for while others are free.
	insertionUsedUp = 0.75
	// sameBound is by how much the device's bound may be above the lock's for the
	// device to be named: under the single lock syncs happen inside the holds.
	sameBound = 1.1
)

// limits is nil for a measured sample.
func (t *Sample) limits() *Limits {
	if t.Model == nil || t.Cores == nil || t.WindowNs <= 0 {
		return nil
	}
	lockPs := t.Hold.SumPs + t.Model.LockIdlePs
	windowPs := 1000 * t.WindowNs
	l := &Limits{
		LockBoundTPS: perSecond(t.Counts.Commits, lockPs), DeviceBoundTPS: perSecond(t.Counts.Commits, t.Model.DevicePs),
		LockUtilisation: quotient(lockPs, windowPs), DeviceUtilisation: quotient(t.Model.DevicePs, windowPs),
		MemoryBoundTPS: perSecond(t.Counts.Commits, t.Model.MemoryPs), MemoryUtilisation: quotient(t.Model.MemoryPs, windowPs),
	}
	if t.CPUNs != nil {
		l.CoreBoundTPS = perSecond(t.Counts.Commits*int64(*t.Cores), 1000**t.CPUNs)
		l.CoreUtilisation = quotient(*t.CPUNs, t.WindowNs*int64(*t.Cores))
	}
	l.addInsertion(t)
	l.name()
	l.Reached = ratio(t.throughput(), l.BoundTPS)
	return l
}

// perSecond is n things in so many picoseconds, a second; nil for none.
func perSecond(n, ps int64) *float64 {
	if ps <= 0 {
		return nil
	}
	v := float64(n) * 1e12 / float64(ps)
	return &v
}

// usage is how far a resource is used.
type usage struct {
	resource           string
	bound, utilisation *float64
}

// share is the utilisation as a share of what counts as used up.
func (u *usage) share() float64 {
	if u.resource == LimitInsertion {
		return *u.utilisation / insertionUsedUp
	}
	return *u.utilisation / usedUp
}

// name finds the lowest bound, and whether it is near enough to be the limit.
func (l *Limits) name() {
	used := 0.0
	for _, r := range []usage{
		{LimitLock, l.LockBoundTPS, l.LockUtilisation},
		{LimitDevice, l.DeviceBoundTPS, l.DeviceUtilisation},
		{LimitMemory, l.MemoryBoundTPS, l.MemoryUtilisation},
		{LimitCores, l.CoreBoundTPS, l.CoreUtilisation},
		{LimitInsertion, l.InsertionBoundTPS, l.InsertionUtilisation},
		{LimitPosition, l.PositionBoundTPS, l.PositionUtilisation},
		{LimitMapping, l.MappingBoundTPS, l.MappingUtilisation},
	} {
		if r.bound == nil || r.utilisation == nil {
			continue
		}
		used = max(used, r.share())
		if l.BoundTPS == nil || *r.bound < *l.BoundTPS {
			l.BoundTPS, l.Resource = r.bound, r.resource
		}
	}
	if d := l.DeviceBoundTPS; l.Resource == LimitLock && d != nil && *d < sameBound**l.BoundTPS {
		l.Resource = LimitDevice
	}
	if used < 1 {
		l.Resource = LimitUpdaters
	}
}
