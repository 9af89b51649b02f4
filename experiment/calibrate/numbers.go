package calibrate

import (
	"fmt"

	"github.com/walbench/walbench/results/published/profiles"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// What Go's runtime decides, and the real clock's processes are goroutines under
// it.
const (
	goQuantum    = 10 * simtime.Millisecond // runtime/proc.go: forcePreemptNS
	goStarvation = simtime.Millisecond      // internal/sync/mutex.go: starvationThresholdNs
)

// numbers makes a profile's numbers of the readings.
type numbers struct {
	bench  *bench
	rounds int
	list   map[string]simtime.Number
}

func (b *bench) numbers(rounds, cores int, device string) map[string]simtime.Number {
	n := &numbers{bench: b, rounds: rounds, list: map[string]simtime.Number{}}
	n.addLine("copy", "copy", "into pages just cleared", smallBytes, largeBytes)
	n.addLine("zero", "zero", "of buffers of 16 MiB that have just been gone round", smallBytes, largeBytes)
	n.addLine("crc", "crc", "in a first-level cache", smallBytes, largeBytes)
	n.addLine("write", "write", "to a segment in memory that was filled before two others", pageWrite, flushWrite)
	n.addSegment()
	n.addRecords()
	n.addBest("page_ps", "page")
	n.addReserve()
	n.addBest("lock_ps", "lock")
	n.addShared(cores)
	n.addMedian("wake_ps", "wake", "a process that has been asleep for 50 us, on a thread of its own")
	n.addMedian("wake_call_ps", "wake call", "signal and unlock")
	n.addMedian("switch_ps", "switch", "two processes that wake each other in turn, on threads of their own, under a scheduler of one core")
	n.addSteal(cores)
	n.addMedian("wait_keep_ps", "keep", "sleep of 30 ms: from its begin to when another process that waits for the core gets it")
	n.set("quantum_ps", int64(goQuantum), simtime.Cited, "Go's runtime/proc.go, forcePreemptNS: 10 ms")
	n.set("starvation_ps", int64(goStarvation), simtime.Cited, "Go's internal/sync/mutex.go, starvationThresholdNs: 1 ms")
	n.addDevice(device)
	return n.list
}

func (n *numbers) set(name string, v int64, source simtime.Origin, from string) {
	n.list[name] = simtime.Number{Value: v, Source: source, From: from}
}

// addLine adds what a call and a byte of a probe at two sizes take.
func (n *numbers) addLine(name, probe, where string, small, large int) {
	a, z := n.bench.read(sized(probe, small)), n.bench.read(sized(probe, large))
	l := fit(a.best, z.best, small, large)
	from := fmt.Sprintf("%s of %d B, %s of %d B %s: best of %d rounds (medians %s, %s)",
		nanoseconds(a.best), small, nanoseconds(z.best), large, where, n.rounds, nanoseconds(a.median), nanoseconds(z.median))
	n.set(name+"_call_ps", l.callPs, simtime.Measured, from)
	n.set(name+"_byte_fs", l.byteFs, simtime.Measured, from)
}

func (n *numbers) addBest(name, probe string) {
	r := n.bench.read(probe)
	n.set(name, r.best, simtime.Measured, fmt.Sprintf("best of %d rounds (median %s)", n.rounds, nanoseconds(r.median)))
}

// addMedian is for what the operating system does: its best case is none that
// can be counted on.
func (n *numbers) addMedian(name, probe, what string) {
	r := n.bench.read(probe)
	n.set(name, r.median, simtime.Measured, fmt.Sprintf("%s: median of %d rounds (best %s)", what, n.rounds, nanoseconds(r.best)))
}

// addSegment adds what a byte of a new segment takes: mostly the operating system's work,
// so the median.
func (n *numbers) addSegment() {
	r := n.bench.read("segment")
	n.set("segment_byte_fs", r.median*fsPerPs/segmentBytes, simtime.Measured, fmt.Sprintf(
		"a segment of 16 MiB in memory that the system has to bring %s: median of %d (best %s)", nanoseconds(r.median), len(n.bench.named["segment"].samples), nanoseconds(r.best)))
}

// addRecords splits what the transactions of two workloads take into transaction,
// records and bytes. A byte's share is known from records of two sizes; what is
// left are two equations with two unknowns.
func (n *numbers) addRecords() {
	b := n.bench
	plain, image := b.read("record plain"), b.read("record image")
	// Medians throughout: transactions differ, and their best is the smallest one.
	byteFs := max(0, (image.median-plain.median)*fsPerPs/(imageBytes-plainDataBytes))
	small, worst := b.small.mean(b.read("transaction small").median, byteFs), b.worst.mean(b.read("transaction worst-case").median, byteFs)
	callPs, transactionPs := split(small, worst)
	n.set("record_byte_fs", byteFs, simtime.Measured, fmt.Sprintf("%s with %d B of data, %s with an image of %d B: medians of %d rounds (best %s, %s)",
		nanoseconds(plain.median), plainDataBytes, nanoseconds(image.median), imageBytes, n.rounds, nanoseconds(plain.best), nanoseconds(image.best)))
	from := fmt.Sprintf("without their bytes, a transaction of small (1 record) takes %s and one of worst-case (%d.%02d records) %s: medians of %d rounds",
		nanoseconds(small.restPs), worst.centirecords/100, worst.centirecords%100, nanoseconds(worst.restPs), n.rounds)
	n.set("record_call_ps", callPs, simtime.Measured, from)
	n.set("transaction_ps", transactionPs, simtime.Measured, from)
}

// share is a mean transaction: its records, in hundredths, and what it takes
// besides their bytes, in picoseconds.
type share struct{ centirecords, restPs int64 }

// mean is the share of transactions of which one takes so many picoseconds.
func (t *recordTally) mean(ps, byteFs int64) share {
	bytes := t.bytes / t.transactions
	return share{centirecords: t.records * 100 / t.transactions, restPs: max(0, ps-bytes*byteFs/fsPerPs)}
}

// split finds what a record and what a transaction takes, from two kinds of
// transactions, of which the second has more records.
func split(small, worst share) (recordPs, transactionPs int64) {
	recordPs = max(0, (worst.restPs-small.restPs)*100/(worst.centirecords-small.centirecords))
	return recordPs, max(0, small.restPs-small.centirecords*recordPs/100)
}

// addDevice adds what syncs of a file take, or, if none was given, what they take
// on the machine of the reference profile.
func (n *numbers) addDevice(device string) {
	if device != "" {
		a, z := n.bench.read(sized("sync", pageWrite)), n.bench.read(sized("sync", flushWrite))
		l := fit(a.median, z.median, pageWrite, flushWrite)
		from := fmt.Sprintf("fdatasync after a write of %d B %s, of %d B %s: medians of %d rounds (best %s, %s)", pageWrite, nanoseconds(a.median),
			flushWrite, nanoseconds(z.median), n.rounds, nanoseconds(a.best), nanoseconds(z.best))
		n.set("device_sync_ps", l.callPs, simtime.Measured, from)
		n.set("device_byte_fs", l.byteFs, simtime.Measured, from)
		return
	}
	for _, name := range []string{"device_sync_ps", "device_byte_fs"} {
		n.assume(name, "no --device file:DIR was given")
	}
}

// assume takes a number of the reference profile, for a reason.
func (n *numbers) assume(name, reason string) {
	reference := profiles.Reference()
	v, _ := reference.Input(name)
	n.set(name, v.Value, simtime.Assumed, reason+": that of profile "+reference.Name+", "+reference.Machine)
}

// suites are the costs of every suite that can run here.
func (b *bench) suites(rounds int) (map[string]map[string]simtime.Number, error) {
	all := map[string]map[string]simtime.Number{}
	for _, s := range strategies.Suites() {
		ctr, err := s.NewCTR(b.warm[:s.KeySize])
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		small, large := b.read(s.Name+" small"), b.read(s.Name+" large")
		call, once := b.read(s.Name+" call"), b.read(s.Name+" once")
		c := suiteCosts(ctr, small.best, large.best, call.best, once.best)
		from := fmt.Sprintf("best of %d rounds: %d B in a call for %d %s (median %s), of its own %s, with its own context %s; %d B in a call for %d %s (median %s)",
			rounds, cipherSmall, smallRecords, nanoseconds(small.best), nanoseconds(small.median), nanoseconds(call.best), nanoseconds(once.best),
			largeBytes, flushPages, nanoseconds(large.best), nanoseconds(large.median))
		if a := b.allocated[s.Name]; a.bytes > 0 {
			c.SetupPs = max(c.SetupPs, a.meanPs-call.best)
			from += fmt.Sprintf("; set-up from the mean with its own context where %d MiB are allocated, %d B a call, and collected: %s", stretchBytes>>20, a.bytes, nanoseconds(a.meanPs))
		}
		all[s.Name] = map[string]simtime.Number{
			"setup_ps":  {Value: c.SetupPs, Source: simtime.Measured, From: from},
			"call_ps":   {Value: c.CallPs, Source: simtime.Measured, From: from},
			"record_ps": {Value: c.RecordPs, Source: simtime.Measured, From: from},
			"byte_fs":   {Value: c.ByteFs, Source: simtime.Measured, From: from},
		}
	}
	return all, nil
}
