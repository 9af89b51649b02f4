package results

import (
	"bytes"
	"math"
)

// phaseTable splits the mean hold of each design by what was done meanwhile,
// and sets the holder's processor time beside it: of a hold that is much longer
// than that, the holder spent the rest waiting for the device or for a core.
var phaseTable = grid{
	headers: []string{"mean\nhold", "header", "copy", "crc", "encrypt", "write", "sync", "other", "CPU\ntime"},
	figures: func(s *Strategy) []string {
		p := s.LockHoldNs.PhasesNsMean
		if p == nil {
			p = &Phases{}
		}
		cells := []string{rounded(s.LockHoldNs.Mean)}
		for _, v := range []float64{p.Header, p.Copy, p.CRC, p.Encrypt, p.Write, p.Sync, p.Other} {
			if s.LockHoldNs.PhasesNsMean == nil {
				cells = append(cells, missing)
			} else {
				cells = append(cells, rounded(&v))
			}
		}
		var cpu *float64
		if s.LockHoldCPUNs != nil {
			cpu = s.LockHoldCPUNs.Mean
		}
		return append(cells, rounded(cpu))
	},
}

// writePhases prints the split of the holds, if any design has one.
func writePhases(b *bytes.Buffer, rows []*Strategy) error {
	for _, s := range rows {
		if s.LockHoldNs.PhasesNsMean != nil {
			b.WriteString("\nwhere the time of a mean hold goes, and how much of it the holder was on a core:\n")
			return phaseTable.write(b, rows)
		}
	}
	return nil
}

// rounded formats a mean in nanoseconds; one that is not zero but rounds to it
// says so. Files may hold any number.
func rounded(ns *float64) string {
	switch {
	case ns == nil:
		return missing
	case *ns > 0 && *ns < 0.5:
		return "~0ns"
	}
	v := int64(math.Round(max(min(*ns, math.MaxInt32*1e9), 0)))
	return duration(&v)
}
