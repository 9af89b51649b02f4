package results

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// whyTable says what limits each design of a modelled block.
var whyTable = grid{
	headers: []string{"limited\nby", "lock", "cores", "device", "memory", "bound\n/s", "reached"},
	figures: func(s *Strategy) []string {
		l := s.Limits
		if l == nil {
			l = &Limits{Resource: missing}
		}
		return []string{
			cut(l.Resource), used(l.LockUtilisation), used(l.CoreUtilisation), used(l.DeviceUtilisation), used(l.MemoryUtilisation),
			amount(l.BoundTPS), used(l.Reached),
		}
	},
}

// used formats a utilisation.
func used(v *float64) string {
	if v == nil {
		return missing
	}
	if p := 100 * *v; p < 999.5 {
		return strconv.FormatFloat(p, 'f', 0, 64) + "%"
	}
	return ">999%"
}

// writeWhy prints what limits each design, if it is known.
func writeWhy(b *bytes.Buffer, rows []*Strategy) error {
	if !slices.ContainsFunc(rows, func(s *Strategy) bool { return s.Limits != nil }) {
		return nil
	}
	b.WriteString("\nwhy: what is used up, how much of it, and how many commits a second it lets through at most:\n")
	table := whyTable
	if hasLocks(rows) {
		table = whyTable.withInsertion()
	}
	return table.write(b, rows)
}

// longestDriver is the longest name of an input in a table.
const longestDriver = 36

// rangeTable says how far modelled figures depend on the profile.
var rangeTable = grid{
	headers: []string{"commits /s\nvs none", "lowest", "highest", "moved most by"},
	figures: func(s *Strategy) []string {
		driver := missing
		if s.Range.Driver != nil {
			driver = cutTo(*s.Range.Driver, longestDriver)
		}
		return []string{share(s.RelativeThroughput.median()), share(s.Range.Low), share(s.Range.High), driver}
	},
}

// writeRanges prints the ranges of a modelled block.
func writeRanges(b *bytes.Buffer, rows []*Strategy) error {
	var list []*Strategy
	for _, s := range rows {
		if s.Range != nil && s.RelativeThroughput.median() != nil {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	b.WriteString("\nrange of these figures when each input of the profile that is not cited is halved and doubled:\n")
	return rangeTable.write(b, list)
}

// kept is the relative throughput below which a design is said to fall behind.
const keptShare = 0.95

// coresLines say, where a workload was modelled on several numbers of cores, on
// which of them designs fall behind none, and before-lock behind in-lock, whose
// loss it was meant to avoid.
func coresLines(list []Strategy) (lines []string) {
	for _, workload := range workloadsOf(list) {
		var rows []*Strategy
		counts := map[int]bool{}
		for i := range list {
			if s := &list[i]; s.Workload == workload && s.Cores != nil {
				rows = append(rows, s)
				counts[*s.Cores] = true
			}
		}
		if len(counts) < 2 {
			continue
		}
		for _, name := range labelsOf(rows) {
			behind := coresWhere(rows, name, func(s *Strategy) bool {
				v := s.RelativeThroughput.median()
				return v != nil && *v < keptShare
			})
			if len(behind) > 0 {
				lines = append(lines, fmt.Sprintf("%s: %s keeps less than %s of none's commits on %s", workload, name, share(ptrTo(keptShare)), coresText(behind)))
			}
		}
		lines = append(lines, naiveLine(workload, rows)...)
	}
	return lines
}

func ptrTo(v float64) *float64 { return &v }

// naiveLine says where the naive way out of the lock is worse than staying in it.
func naiveLine(workload string, rows []*Strategy) []string {
	inLock := map[int]*float64{}
	for _, s := range rows {
		if s.Name == "in-lock" && inLock[*s.Cores] == nil {
			inLock[*s.Cores] = s.ThroughputTPS.Median
		}
	}
	var lines []string
	for _, name := range labelsOf(rows) {
		if !strings.HasPrefix(name, "before-lock") {
			continue
		}
		worse := coresWhere(rows, name, func(s *Strategy) bool {
			t, u := s.ThroughputTPS.Median, inLock[*s.Cores]
			return t != nil && u != nil && *t < *u
		})
		if len(worse) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s is slower than in-lock on %s", workload, name, coresText(worse)))
		}
	}
	return lines
}

// labelsOf lists the designs of rows, with their suites where a design has
// several.
func labelsOf(rows []*Strategy) (names []string) {
	for _, s := range rows {
		if name := labelAmong(s, rows); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func coresWhere(rows []*Strategy, name string, is func(*Strategy) bool) (cores []int) {
	for _, s := range rows {
		if labelAmong(s, rows) == name && is(s) {
			cores = append(cores, *s.Cores)
		}
	}
	slices.Sort(cores)
	return cores
}

// labelAmong is the name of s, with its suite if another row differs in that.
func labelAmong(s *Strategy, rows []*Strategy) string {
	for _, o := range rows {
		if o.Name == s.Name && o.Suite != s.Suite {
			return cut(s.Name) + "+" + cut(s.Suite)
		}
	}
	return cut(s.Name)
}

func coresText(cores []int) string {
	var list []string
	for _, n := range cores {
		list = append(list, grouped(int64(n)))
	}
	if len(list) == 1 && list[0] == "1" {
		return "1 core"
	}
	return strings.Join(list, ", ") + " cores"
}
