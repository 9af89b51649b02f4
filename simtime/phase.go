package simtime

import "github.com/HdrHistogram/hdrhistogram-go"

// Phase is a part of the time that the serialising lock is held.
type Phase uint8

// The phases of a hold. PhaseOther is what none of the others is.
const (
	PhaseHeader  Phase = iota // positions, record and page headers
	PhaseCopy                 // into WAL buffers, and between them
	PhaseCRC                  // checksums
	PhaseEncrypt              // cipher calls and their set-up
	PhaseWrite                // handing bytes to the device
	PhaseSync                 // waiting for it
	PhaseOther
	NumPhases
)

// SampleEvery is how many acquisitions of the serialising lock go by between
// two whose phases and processor time are taken: the clock readings that takes
// must not become part of what is measured. Processes begin at different places,
// so that a few acquisitions of many processes give samples too. A sampled hold
// of a thousand small pieces is tens of microseconds longer; less than one in a
// hundred are, so that they are not what a 99th percentile shows.
const SampleEvery = 128

// sampleStride puts neighbouring processes far apart in that cycle: it has no
// factor in common with SampleEvery, so the first SampleEvery processes all begin
// at different places, spread over all of it.
const sampleStride = 37

// HoldSamples are the sampled holds of one process.
type HoldSamples struct {
	Every   int64 // acquisitions for each one that is sampled
	Count   int64
	PhasePs [NumPhases]int64 // sums over the sampled holds
	Marks   int64            // clock readings that told phases apart
	// PhaseMarks are the stretches that PhasePs is the sum of, each of which
	// contains one reading of the clock.
	PhaseMarks [NumPhases]int64
	CPUPs      int64 // processor time of the holder, summed
	CPU        *hdrhistogram.Histogram

	on    bool
	phase Phase
	since Time
	cpu   Duration
	clock *source
	// borrowed: CPU is another process's, who adds it up for both.
	borrowed bool
}

func (h *HoldSamples) reset() {
	cpu := h.CPU
	if cpu != nil {
		cpu.Reset()
	}
	*h = HoldSamples{Every: h.Every, CPU: cpu, clock: h.clock, borrowed: h.borrowed}
}

func (h *HoldSamples) add(o *HoldSamples) {
	h.Count += o.Count
	h.Marks += o.Marks
	h.CPUPs += o.CPUPs
	for i := range h.PhasePs {
		h.PhasePs[i] += o.PhasePs[i]
		h.PhaseMarks[i] += o.PhaseMarks[i]
	}
	h.Every = o.Every
	if o.CPU == nil || o.borrowed {
		return
	}
	if h.CPU == nil {
		h.CPU = newHistogram()
	}
	h.CPU.Merge(o.CPU)
}

// begin starts a sample at the moment the lock was acquired.
func (h *HoldSamples) begin(now Time, cpu Duration) {
	h.on, h.phase, h.since, h.cpu = true, PhaseOther, now, cpu
}

// end finishes the sample at the moment the lock is released.
func (h *HoldSamples) end(now Time, cpu Duration) {
	h.PhasePs[h.phase] += int64(now.Sub(h.since))
	h.PhaseMarks[h.phase]++
	h.on = false
	h.Count++
	used := max(cpu-h.cpu, 0)
	h.CPUPs += int64(used)
	_ = h.CPU.RecordValue(min(used.Nanoseconds(), histogramMaxNs)) // in range
}

// Enter says that what follows belongs to phase p, and returns the phase before,
// to be entered again behind it. Outside a sampled hold it does nothing.
func (m *Meter) Enter(p Phase) Phase {
	if !m.Holds.on {
		return p
	}
	return m.Holds.enter(p)
}

func (h *HoldSamples) enter(p Phase) Phase {
	now := h.clock.now()
	h.PhasePs[h.phase] += int64(now.Sub(h.since))
	h.PhaseMarks[h.phase]++
	h.Marks++
	before := h.phase
	h.phase, h.since = p, now
	return before
}
