package results

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// WriteText prints the validation for people: a table for each workload and number
// of updaters, what lies behind the cells that are off, and the verdict.
func (v *Validation) WriteText(w io.Writer) error {
	var b bytes.Buffer
	for _, group := range v.groups() {
		if err := v.writeGroup(&b, group); err != nil {
			return err
		}
	}
	for i := range v.Cells {
		if c := &v.Cells[i]; c.Why != "" && !c.Noisy {
			writeWrapped(&b, "", "  ", c.name()+": "+c.Cause+": "+c.Why)
		}
	}
	if len(v.Cells) > 0 {
		b.WriteByte('\n')
	}
	v.writeSummary(&b)
	writeNotes(&b, v.Complete, v.Warnings)
	_, err := w.Write(b.Bytes())
	return err
}

// groups are the cells of each workload with each number of updaters.
func (v *Validation) groups() (list [][]*ValidationCell) {
	for i := range v.Cells {
		c := &v.Cells[i]
		at := slices.IndexFunc(list, func(g []*ValidationCell) bool {
			return g[0].Workload == c.Workload && g[0].Updaters == c.Updaters
		})
		if at < 0 {
			at, list = len(list), append(list, nil)
		}
		list[at] = append(list[at], c)
	}
	return list
}

func (v *Validation) writeGroup(b *bytes.Buffer, cells []*ValidationCell) error {
	writeWrapped(b, "", "  ", fmt.Sprintf("%s: %s, medians of %d repetitions here beside the model of this machine, profile %s",
		cut(cells[0].Workload), plural(cells[0].Updaters, "updater"), v.Repetitions, printable(v.Profile)))
	m := Matrix{
		Names: [2]string{"lock, device", "strategy"},
		Columns: []string{
			"cores", "commits\n/s", "mod-\nelled", "error", "held ns\n/commit", "mod-\nelled", "error", "likely\ncause",
		},
	}
	for _, c := range cells {
		m.Rows = append(m.Rows, c.row())
	}
	if err := m.Write(b); err != nil {
		return err
	}
	b.WriteByte('\n')
	return nil
}

func (c *ValidationCell) row() MatrixRow {
	a, b := orEmptySide(c.Measured), orEmptySide(c.Modelled)
	cause := c.Cause
	if cause == "" {
		cause = missing
	}
	return MatrixRow{
		Names: [2]string{cut(c.Lock + " " + deviceKind(c.Device)), cut(c.Strategy)},
		Figures: []string{
			strconv.Itoa(c.Cores), amount(a.ThroughputTPS), amount(b.ThroughputTPS), signed(c.ThroughputError),
			amount(a.LockHeldNsPerCommit), amount(b.LockHeldNsPerCommit), signed(c.HoldError), printable(cause),
		},
	}
}

func orEmptySide(s *ValidationSide) ValidationSide {
	if s == nil {
		return ValidationSide{}
	}
	return *s
}

// deviceKind is a device without its figures, which all cells share.
func deviceKind(device string) string {
	kind, _, _ := strings.Cut(device, ":")
	return kind
}

// name tells the cell from others.
func (c *ValidationCell) name() string {
	return fmt.Sprintf("%s, %s, %s, %s, %s, %s", cut(c.Workload), cut(c.Strategy), cut(c.Lock), cut(deviceKind(c.Device)),
		coresText([]int{c.Cores}), plural(c.Updaters, "updater"))
}

// signed is an error with its sign.
func signed(v *float64) string {
	if v == nil {
		return missing
	}
	return fmt.Sprintf("%+.1f%%", 100**v)
}

// writeSummary says what came of it, in two lines and a verdict.
func (v *Validation) writeSummary(b *bytes.Buffer) {
	for _, l := range []struct {
		what          string
		median, worst *float64
	}{
		{"commits a second", v.ThroughputMedianError, v.ThroughputWorstError},
		{"lock held a commit", v.HoldMedianError, v.HoldWorstError},
	} {
		writeWrapped(b, "", "  ", fmt.Sprintf("%s: median error %s (target %s), worst %s (target %s)", l.what,
			percent(l.median), percent(&v.TargetMedian), percent(l.worst), percent(&v.TargetWorst)))
	}
	text := fmt.Sprintf("%s: %s judged", v.Verdict, plural(v.CellsJudged, "cell"))
	writeWrapped(b, "", "  ", text+v.noiseText())
}

// noiseText says how noisy the cells are that were left out.
func (v *Validation) noiseText() string {
	if v.CellsNoisy == 0 {
		return ""
	}
	var noise, spread *float64
	for i := range v.Cells {
		if c := &v.Cells[i]; c.Noisy {
			noise, spread = larger(noise, c.NoiseShare), larger(spread, c.Spread)
		}
	}
	return fmt.Sprintf(", %s left out (others took up to %s of the machine in the median repetition of one, and the middle half of commits a second "+
		"lay up to %s apart)", plural(v.CellsNoisy, "noisy cell"), percent(noise), percent(spread))
}
