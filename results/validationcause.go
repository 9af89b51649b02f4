package results

import (
	"fmt"
	"math"
)

// Causes of an error, as the table has them.
const (
	CauseNoise    = "noise"     // something else had the machine
	CauseCPU      = "CPU"       // a commit takes other processor time than its operations add up to
	CauseAlloc    = "garbage"   // the same, where much is allocated: collecting it is in no cost
	CauseIdle     = "idle"      // cores stood idle that the model keeps busy, or the other way round
	CauseWake     = "hand-off"  // the same, with the lock free for longer or shorter: how it is passed on
	CauseLateness = "late wait" // waits for the device end later than asked
	causeHold     = "hold: "    // and the phase of the hold that differs most
)

// manyAllocs is from how many allocations a commit on collecting them counts.
const manyAllocs = 50

// explain finds the likely cause of an error beyond limit, and the figures that speak
// for it.
func (c *ValidationCell) explain(limit float64) {
	c.Cause, c.Why = "", ""
	t, h := math.Abs(orZero(c.ThroughputError)), math.Abs(orZero(c.HoldError))
	switch {
	case c.Noisy:
		c.Cause, c.Why = CauseNoise, fmt.Sprintf("others took %s of the machine, and the middle half of %s spread over %s",
			percent(c.NoiseShare), plural(c.Repetitions, "repetition"), percent(c.Spread))
	case c.Measured == nil || c.Modelled == nil || max(t, h) <= limit:
	case t >= h:
		c.Cause, c.Why = c.throughputCause()
	default:
		c.Cause, c.Why = c.holdCause()
	}
}

// throughputCause splits the error by what commits a second are made of: cores in use
// divided by processor time a commit. The factor that differs more is the cause.
func (c *ValidationCell) throughputCause() (cause, why string) {
	a, b := c.Measured, c.Modelled
	cpu, use := distance(a.CPUNsPerCommit, b.CPUNsPerCommit), distance(a.CoreUse, b.CoreUse)
	if math.Abs(cpu) >= math.Abs(use) {
		return c.cpuCause()
	}
	why = fmt.Sprintf("cores busy for %s, modelled %s", used(a.CoreUse), used(b.CoreUse))
	if lock := distance(a.LockUse, b.LockUse); math.Abs(lock) > math.Abs(use)/2 {
		return CauseWake, fmt.Sprintf("%s; lock held for %s, modelled %s", why, used(a.LockUse), used(b.LockUse))
	}
	return CauseIdle, why
}

// cpuCause: processor time a commit is what differs.
func (c *ValidationCell) cpuCause() (cause, why string) {
	a, b := c.Measured, c.Modelled
	why = fmt.Sprintf("%s of processor time a commit, modelled %s", nanos(a.CPUNsPerCommit), nanos(b.CPUNsPerCommit))
	more := orZero(a.CPUNsPerCommit) - orZero(b.CPUNsPerCommit)
	switch late, allocs := orZero(a.DeviceLatenessNs), orZero(a.AllocsPerCommit); {
	case more > 0 && allocs >= manyAllocs:
		return CauseAlloc, fmt.Sprintf("%s; %.0f allocations", why, allocs)
	case more > 0 && late > more/2:
		return CauseLateness, fmt.Sprintf("%s; waits for the device, whose end is spun for, end %s late", why, nanos(&late))
	}
	return CauseCPU, why
}

// holdCause finds the phase that differs most.
func (c *ValidationCell) holdCause() (cause, why string) {
	a, b := c.Measured, c.Modelled
	why = fmt.Sprintf("held %s a commit, modelled %s", nanos(a.LockHeldNsPerCommit), nanos(b.LockHeldNsPerCommit))
	if a.Phases == nil || b.Phases == nil {
		return causeHold + "?", why
	}
	name, x, y := "", 0.0, 0.0
	for _, p := range []struct {
		name string
		a, b float64
	}{
		{"header", a.Phases.Header, b.Phases.Header}, {"copy", a.Phases.Copy, b.Phases.Copy}, {"crc", a.Phases.CRC, b.Phases.CRC},
		{"encrypt", a.Phases.Encrypt, b.Phases.Encrypt}, {"write", a.Phases.Write, b.Phases.Write},
		{"sync", a.Phases.Sync, b.Phases.Sync}, {"other", a.Phases.Other, b.Phases.Other},
	} {
		if name == "" || math.Abs(p.a-p.b) > math.Abs(x-y) {
			name, x, y = p.name, p.a, p.b
		}
	}
	why = fmt.Sprintf("%s; most in %s: %s a hold, modelled %s", why, name, nanos(&x), nanos(&y))
	if late := orZero(a.DeviceLatenessNs); name == "sync" && late > (x-y)/2 {
		return CauseLateness, fmt.Sprintf("%s; waits for the device end %s late", why, nanos(&late))
	}
	return causeHold + name, why
}

// distance is the logarithm of b/a; 0 if one of them is unknown or nothing.
func distance(a, b *float64) float64 {
	if orZero(a) <= 0 || orZero(b) <= 0 {
		return 0
	}
	return math.Log(*b / *a)
}

func nanos(ns *float64) string {
	if ns == nil {
		return missing
	}
	return duration(new(int64(math.Round(*ns))))
}
