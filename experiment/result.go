package experiment

import (
	"fmt"
	"time"

	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/loadgen"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies/aesctr"
)

// sample is the outcome of one pair in one repetition.
type sample struct {
	repetition int
	outcome    outcome
	noise      *results.Noise // around it; nil if not probed
}

// result turns what has been measured or modelled so far into a result.
func (r *Run) result(complete bool) (*results.Run, error) {
	host := r.host // as it was before the run loaded it
	res := results.NewRun(results.Measured, r.config(), &host)
	res.Complete = complete
	res.Warn(r.warnings...)
	if r.model != nil {
		res.Kind = results.ModelledKind
		res.Warn(r.model.warnings()...)
	} else {
		r.addMeasured(res, &host)
	}
	for _, l := range r.loads {
		if err := r.addStrategies(res, l); err != nil {
			return nil, err
		}
	}
	if r.model == nil {
		res.WarnOfDoubts()
	}
	return res, nil
}

// addMeasured adds what is to be known of times that were measured.
func (r *Run) addMeasured(res *results.Run, host *hostinfo.Host) {
	res.Instrument = instrument()
	res.Config.LockSampledEvery = &res.Instrument.SampledEvery
	res.Warn(r.device.warning())
	res.Warn(host.Warnings()...)
	res.Warn(host.CoreWarning(r.cfg.Clients))
}

// addStrategies adds an entry for each pair that has been measured under l.
func (r *Run) addStrategies(res *results.Run, l *load) error {
	baseline := r.baseline(l)
	for i, p := range r.pairs {
		samples := samplesOf(&r.cfg, l, i, p)
		if len(samples) == 0 {
			continue
		}
		s, warnings, err := results.NewStrategy(samples, baseline)
		if err != nil {
			return err
		}
		res.Warn(warnings...)
		res.Warn(inlineWarning(l, i, p))
		s.Range = l.ranges[i]
		res.Strategies = append(res.Strategies, s)
	}
	return nil
}

// baseline is the samples of "none".
func (r *Run) baseline(l *load) []results.Sample {
	for i, p := range r.pairs {
		if p.Design.Name == "none" {
			return samplesOf(&r.cfg, l, i, p)
		}
	}
	return nil
}

func samplesOf(c *Config, l *load, i int, p Pair) []results.Sample {
	var list []results.Sample
	for _, s := range l.samples[i] {
		if s.outcome.commits > 0 {
			t := resultSample(l, p, &s)
			t.Locks = lockSamples(c, &s.outcome.meter)
			list = append(list, t)
		}
	}
	return list
}

// warning says how well a modelled device can be waited for on this machine.
func (d deviceSpec) warning() string {
	if d.kind != "model" {
		return ""
	}
	overhead := simtime.SleepOverhead()
	if overhead <= d.device.Latency/2 {
		return ""
	}
	return fmt.Sprintf("a sleep takes %s longer than asked here: the last %[1]s of each wait for the modelled device are spun, "+
		"which is processor time of the holder", durationText(overhead/simtime.Microsecond*simtime.Microsecond))
}

// inlineWarning says that flushes had to wait for segments to be made, which is
// in the hold times. Warm-up counts too.
func inlineWarning(l *load, i int, p Pair) string {
	n := int64(0)
	for _, s := range l.samples[i] {
		n += s.outcome.inline
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %s: %d times a flush waited for a segment to be filled with zeros; that is in its hold times",
		l.workload.Name(), p.Design.Name, n)
}

func resultSample(l *load, p Pair, s *sample) results.Sample {
	o := &s.outcome
	cpu := o.cpu.Nanoseconds()
	m := &o.meter
	locks := &m.Locks[simtime.LockSerial]
	t := results.Sample{
		Workload: l.workload.Name(), Strategy: p.Design.Name, Suite: p.SuiteName(), Repetition: s.repetition,
		WindowNs: o.elapsed.Nanoseconds(),
		Counts: results.Counts{
			RealBytes: m.RealBytes, StoredBytes: m.StoredBytes, EncryptedBytes: m.EncryptedBytes,
			WrittenBytes: m.WrittenBytes, CipherSetups: m.CipherSetups, CipherCalls: m.CipherCalls,
			Records: m.Records, Commits: m.Commits, Flushes: m.Flushes, Images: m.Images,
			Retries: m.Retries, BuffersFull: m.BuffersFull, AdvanceBytes: o.advance,
		},
		Hold: holdTiming(locks), Wait: waitTiming(locks),
		Latency: timing(&m.Latency),
		Sampled: sampledHolds(&m.Holds), Lateness: latenessTiming(&m.Late), Noise: s.noise,
		Cipher:   results.SampledCipher{Count: m.CipherTime.Count, SumPs: m.CipherTime.Ps, Bytes: m.CipherTime.Bytes},
		CPUNs:    &cpu,
		Verified: o.verified,
	}
	if l.cores == 0 {
		allocs := int64(o.mallocs)
		t.Allocs, t.Instrument = &allocs, instrument()
		return t
	}
	t.Cores = &l.cores
	t.Model = &results.ModelWork{LockIdlePs: locks.IdlePs, DevicePs: m.DevicePs, MemoryPs: m.MemoryPs}
	if v := t.Verified; v != nil {
		v.ReadNs = 0 // how fast it was read back is no figure of the model
	}
	return t
}

func sampledHolds(h *simtime.HoldSamples) *results.SampledHolds {
	s := &results.SampledHolds{Every: h.Every, Count: h.Count, PhasePs: h.PhasePs, PhaseMarks: h.PhaseMarks, Marks: h.Marks}
	if h.CPU != nil {
		s.CPU = results.Timing{Count: h.Count, SumPs: h.CPUPs, MaxNs: h.CPU.Max(), Histogram: h.CPU}
	}
	return s
}

// latenessTiming is nil for devices without a model: nothing else sleeps.
func latenessTiming(l *simtime.Times) *results.Timing {
	if l.Count == 0 {
		return nil
	}
	t := timing(l)
	return &t
}

func timing(t *simtime.Times) results.Timing {
	return results.Timing{
		Count: t.Count, SumPs: t.SumPs, MinNs: t.MinNs, MaxNs: t.MaxNs, Clipped: t.Clipped, Histogram: t.Histogram,
	}
}

// config is the configuration as it was used.
func (r *Run) config() results.Config {
	c := &r.cfg
	out := results.Config{
		CommandLine: c.CommandLine, Workloads: c.Workloads,
		Clients: c.Clients, Lock: c.Lock, Device: r.device.String(), Runs: c.Runs, Seed: c.Seed,
		SegmentSizeBytes: int64(c.SegmentSize), WALBuffersBytes: int64(c.WALBuffers), KeepBytes: c.Keep,
		Verify: r.device.kind != "null" && (r.model == nil || !r.model.counts), WorkloadOptions: r.workloadOptions(),
	}
	c.describeLocks(&out)
	if n := c.Pages.CheckpointBytes; n > 0 {
		out.CheckpointBytes = &n
	}
	if r.model == nil {
		started := r.started.UTC().Format(time.RFC3339)
		out.StartedAt = &started
	}
	if c.Think > 0 {
		ns := c.Think.Nanoseconds()
		out.ThinkNs = &ns
	}
	if c.SyncLatency != nil {
		ns := c.SyncLatency.Nanoseconds()
		out.SyncLatencyNs = &ns
	}
	if c.Duration > 0 {
		ns := c.Duration.Nanoseconds()
		out.DurationNs = &ns
	}
	if c.Warmup > 0 {
		ns := c.Warmup.Nanoseconds()
		out.WarmupNs = &ns
	}
	if c.TraceOrder != "" {
		out.TraceOrder = &c.TraceOrder
	}
	for _, l := range r.loads {
		if l.workload.UnitsWithoutCommit() {
			n := int64(loadgen.UnitRecords)
			out.UnitsWithoutCommit = &n
		}
	}
	// With several workloads each has its own counts: Repetitions has them.
	if len(r.loads) == 1 {
		out.Commits, out.WarmupCommits = &r.loads[0].commits, &r.loads[0].warmup
	}
	for _, p := range r.pairs {
		out.Strategies = append(out.Strategies, p.Design.Name)
		out.Suites = append(out.Suites, p.SuiteName())
	}
	out.AESCTR, out.Implementations = r.implementations()
	out.StartOrder = r.startOrder()
	if r.model != nil {
		r.model.describe(&out)
	}
	return out
}

// implementations are what does the AES: of reading back, and of each suite. A
// suite's name says it only where users can choose.
func (r *Run) implementations() (reading *string, of map[string]string) {
	selected, _ := aesctr.Selected() // the error is the command's to report
	of = map[string]string{}
	for _, p := range r.pairs {
		if p.Suite != nil {
			of[p.Suite.Name] = p.Suite.Implementation.Name
		}
	}
	return &selected.Name, of
}

// workloadOptions are the options of the tables as given, and each workload's
// commits and warm-up: what it takes to do the run again.
func (r *Run) workloadOptions() map[string]string {
	m := r.cfg.Pages.Given()
	for _, l := range r.loads {
		m[l.workload.Name()+" commits"] = fmt.Sprint(l.commits)
		m[l.workload.Name()+" warmup_commits"] = fmt.Sprint(l.warmup)
	}
	return m
}

// startOrder lists, for each repetition, the pairs in the order they ran in.
func (r *Run) startOrder() [][]string {
	list := make([][]string, r.cfg.Runs)
	for rep := range list {
		for turn := range r.pairs {
			p := r.pairs[r.order(rep, turn)]
			name := p.Design.Name
			if p.Suite != nil {
				name = fmt.Sprintf("%s+%s", name, p.Suite.Name)
			}
			list[rep] = append(list[rep], name)
		}
	}
	return list
}
