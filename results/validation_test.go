package results

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/golden"
)

// side is a side of so many commits a second and so long a hold, on one core that is
// busy throughout.
func side(tps, held float64) *ValidationSide {
	return &ValidationSide{
		ThroughputTPS: &tps, LockHeldNsPerCommit: &held, CPUNsPerCommit: ptr(1e9 / tps), CoreUse: ptr(1.0),
		LockUse: ptr(held * tps / 1e9), AllocsPerCommit: ptr(0.0), Phases: &Phases{Copy: held / 2, Encrypt: held / 2},
	}
}

func validationCell(strategy, device string, cores int, measured, modelled *ValidationSide) ValidationCell {
	return ValidationCell{
		Workload: "worst-case", Strategy: strategy, Suite: "-", Lock: "single", Device: device, Cores: cores, Updaters: 8,
		Commits: 2000, Repetitions: 5, NoiseShare: ptr(0.01), Spread: ptr(0.03), Measured: measured, Modelled: modelled,
	}
}

func testValidation(cells ...ValidationCell) *Validation {
	return &Validation{
		Complete: true, Host: testHost(), Profile: "calibrated", ProfileHash: "0", Calibrated: true, Seed: 1, WindowNs: 250e6, Repetitions: 5,
		TargetMedian: 0.1, TargetWorst: 0.25, Cells: cells,
	}
}

// The median is over cells, the worst is the largest, and each of the two figures can
// break a target alone.
func TestValidationVerdicts(t *testing.T) {
	cell := func(tps, held float64) ValidationCell {
		return validationCell("none", "null", 1, side(10_000, 50_000), side(10_000*(1+tps), 50_000*(1+held)))
	}
	noisy := func(c ValidationCell) ValidationCell { c.Noisy = true; return c }
	good := cell(0.05, -0.05)
	for name, c := range map[string]struct {
		cells         []ValidationCell
		want          string
		median, worst float64
	}{
		"good":                     {[]ValidationCell{good, good, good}, Within, 0.05, 0.05},
		"sign is no matter":        {[]ValidationCell{cell(-0.08, 0), cell(0.08, 0), cell(-0.08, 0)}, Within, 0.08, 0.08},
		"one at the worst":         {[]ValidationCell{good, cell(0.24, 0), good}, Within, 0.05, 0.24},
		"one beyond the worst":     {[]ValidationCell{good, cell(0.26, 0), good}, Beyond, 0.05, 0.26},
		"hold beyond the worst":    {[]ValidationCell{good, cell(0, -0.26), good}, Beyond, 0.05, 0.26},
		"median beyond":            {[]ValidationCell{cell(0.12, 0), cell(0.11, 0), good}, Beyond, 0.11, 0.12},
		"median of holds beyond":   {[]ValidationCell{cell(0, 0.12), cell(0, 0.11), good}, Beyond, 0.11, 0.12},
		"an outlier that is noisy": {[]ValidationCell{good, good, good, noisy(cell(3, 3))}, Within, 0.05, 0.05},
		"too many noisy":           {[]ValidationCell{good, good, noisy(good)}, Inconclusive, 0.05, 0.05},
	} {
		v := testValidation(c.cells...)
		v.Judge()
		if v.Verdict != c.want || !near(v.MedianError, c.median) || !near(v.WorstError, c.worst) {
			t.Errorf("%s: %s, median %v, worst %v; want %s, %v, %v", name, v.Verdict, *v.MedianError, *v.WorstError, c.want, c.median, c.worst)
		}
	}
	for name, v := range map[string]*Validation{"nothing": testValidation(), "not measured": testValidation(validationCell("none", "null", 1, nil, side(1, 1)))} {
		if v.Judge(); v.Verdict != Inconclusive || v.MedianError != nil {
			t.Errorf("%s: %s, %v", name, v.Verdict, v.MedianError)
		}
	}
	partial := testValidation(good)
	if partial.Complete = false; partial.verdict() != Inconclusive {
		t.Error("a partial one has a verdict")
	}
}

func near(v *float64, want float64) bool { return v != nil && *v > want-1e-9 && *v < want+1e-9 }

// Each cause from the figures that speak for it.
func TestValidationCauses(t *testing.T) {
	change := func(s *ValidationSide, f func(*ValidationSide)) *ValidationSide { f(s); return s }
	for want, c := range map[string]struct{ measured, modelled *ValidationSide }{
		"":        {side(10_000, 50_000), side(10_900, 50_000)},
		CauseCPU:  {side(10_000, 50_000), side(15_000, 50_000)},
		CauseIdle: {side(10_000, 50_000), change(side(15_000, 30_000), func(s *ValidationSide) { s.CPUNsPerCommit, s.CoreUse, s.LockUse = ptr(1e5), ptr(1.5), ptr(0.5) })},
		CauseWake: {side(10_000, 50_000), change(side(15_000, 50_000), func(s *ValidationSide) { s.CPUNsPerCommit, s.CoreUse = ptr(1e5), ptr(1.5) })},
		CauseAlloc: {
			change(side(10_000, 50_000), func(s *ValidationSide) { s.AllocsPerCommit = ptr(200.0) }), side(15_000, 50_000),
		},
		CauseLateness: {
			change(side(10_000, 50_000), func(s *ValidationSide) { s.DeviceLatenessNs = ptr(20_000.0) }), side(15_000, 50_000),
		},
		"hold: encrypt": {
			side(10_000, 50_000), change(side(10_000, 70_000), func(s *ValidationSide) { s.Phases = &Phases{Copy: 25_000, Encrypt: 45_000} }),
		},
		"hold: ?": {side(10_000, 50_000), change(side(10_000, 70_000), func(s *ValidationSide) { s.Phases = nil })},
	} {
		v := testValidation(validationCell("none", "null", 1, c.measured, c.modelled))
		v.Judge()
		if got := v.Cells[0].Cause; got != want {
			t.Errorf("got %q (%s), want %q", got, v.Cells[0].Why, want)
		}
	}
}

func TestMedianSide(t *testing.T) {
	if MedianSide(nil) != nil {
		t.Error("a median of nothing")
	}
	m := MedianSide([]ValidationSide{*side(3, 30), *side(1, 20), *side(2, 10)})
	if *m.ThroughputTPS != 2 || *m.LockHeldNsPerCommit != 20 || m.Phases.Copy != 5 || m.DeviceLatenessNs != nil {
		t.Errorf("got %+v", m)
	}
	if got := MiddleHalf([]float64{5, 1, 4, 2, 3}); !near(got, 2.0/3) {
		t.Errorf("got %v", *got)
	}
	if MiddleHalf([]float64{1}) != nil {
		t.Error("one value spreads")
	}
}

func TestValidationGolden(t *testing.T) {
	noisy := validationCell("batched-ctr", "model:10us,4GB/s", 2, side(5_000, 60_000), side(8_000, 40_000))
	noisy.Noisy, noisy.NoiseShare, noisy.Redone, noisy.Repetitions = true, ptr(0.4), 10, 15
	v := testValidation(
		validationCell("none", "null", 1, side(10_000, 50_000), side(10_500, 49_000)),
		validationCell("in-lock", "memory", 1, side(10_000, 50_000), side(10_000, 80_000)),
		validationCell("before-lock", "memory", 2, side(10_000, 50_000), side(15_000, 50_000)),
		validationCell("none", "null", 2, nil, side(10_500, 49_000)), noisy,
	)
	v.Warn("a warning", "", "a warning")
	v.Judge()
	var text, doc bytes.Buffer
	if err := v.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "validation.txt", text.Bytes())
	for l := range strings.Lines(text.String()) {
		if width(strings.TrimRight(l, "\n")) > TableWidth {
			t.Errorf("too wide: %s", l)
		}
	}
	if err := v.WriteJSON(&doc); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "validation.json", doc.Bytes())
	var back Validation
	if err := json.Unmarshal(doc.Bytes(), &back); err != nil || back.Schema != ValidationSchema || len(back.Cells) != 5 {
		t.Errorf("read back: %v, %q, %d cells", err, back.Schema, len(back.Cells))
	}
}
