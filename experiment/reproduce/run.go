package reproduce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
)

// names are the reproductions that there are.
var names = []string{walWorstCase}

// planned are those of later versions.
var planned = []string{"relations", "ignite", "cvencrypt", "hbase", "derby", "cipher-table", "small-records"}

// Names lists what can be reproduced, "all" included.
func Names() []string { return append(slices.Clone(names), "all") }

// Config says what to reproduce.
type Config struct {
	FS          vfs.FS
	Name        string           // one of Names
	Scale       string           // small, full, or a part of full between 0 and 1
	Profile     *simtime.Profile // of this machine
	ProfileNote string
}

// Run is a checked configuration, to be executed once.
type Run struct {
	cfg   Config
	scale float64
	stop  <-chan struct{}
	tell  func(string)
	// ranges: modelled columns have them. Tests that have no use for them leave them
	// out, since they are most of the time.
	ranges bool
	out    *results.Reproduction
}

// scaleSmall is the part of full that "small" is.
const scaleSmall = 0.1

// New checks cfg. The error is an [experiment.UsageError].
func New(cfg Config) (*Run, error) {
	r := &Run{cfg: cfg, ranges: true}
	switch {
	case slices.Contains(planned, cfg.Name):
		return nil, usagef("reproduce %s: this version does not have it yet (it has: %s)", cfg.Name, strings.Join(Names(), ", "))
	case !slices.Contains(Names(), cfg.Name):
		return nil, usagef("reproduce %q: unknown (known: %s)", cfg.Name, strings.Join(Names(), ", "))
	}
	switch cfg.Scale {
	case "small":
		r.scale = scaleSmall
	case "full":
		r.scale = 1
	default:
		v, err := strconv.ParseFloat(cfg.Scale, 64)
		if err != nil || !(v > 0 && v <= 1) {
			return nil, usagef("--scale %q: want small, full, or a part of full such as 0.3", cfg.Scale)
		}
		r.scale = v
	}
	return r, nil
}

func usagef(format string, args ...any) error {
	return &experiment.UsageError{Err: fmt.Errorf(format, args...)}
}

// Execute goes through all columns. Closing stop ends it, and what there is comes
// back with [experiment.ErrInterrupted]. tell is given what is under way.
func (r *Run) Execute(stop <-chan struct{}, tell func(string)) (*results.Reproduction, error) {
	r.begin(stop, tell)
	err := r.worstCase()
	for i := range r.out.Rows {
		r.out.Rows[i].Judge()
	}
	r.out.Complete = err == nil
	return r.out, err
}

func (r *Run) begin(stop <-chan struct{}, tell func(string)) {
	host := hostinfo.Read()
	r.stop, r.tell = stop, tell
	r.out = &results.Reproduction{Name: walWorstCase, Host: &host, Scale: r.cfg.Scale}
}

// column runs a configuration and has fill take its entries. A run that was
// stopped fills in what it has.
func (r *Run) column(what string, cfg experiment.Config, fill func(row *results.ReproductionRow, s *results.Strategy)) error {
	r.tell(what)
	cfg.FS = r.cfg.FS
	m, err := experiment.NewRun(cfg)
	if err != nil {
		return err
	}
	res, err := m.Execute(r.stop, func(p experiment.Progress) {
		r.tell(fmt.Sprintf("%s: %d%%, %s", what, 100*p.Done/max(1, p.Total), p.Strategy))
	})
	if res == nil {
		return err
	}
	r.out.Warn(res.Warnings...)
	for i := range res.Strategies {
		if row := r.row(&res.Strategies[i]); row != nil {
			fill(row, &res.Strategies[i])
		}
	}
	return err
}

// row is the row of an entry; nil for one that is only there to be relative to.
func (r *Run) row(s *results.Strategy) *results.ReproductionRow {
	for i := range r.out.Rows {
		row := &r.out.Rows[i]
		if row.Workload == s.Workload && row.Design == s.Name && (row.Suite == s.Suite || row.SuiteHere == s.Suite) {
			return row
		}
	}
	return nil
}

// measuredWindow and measuredRuns are those of a full measured column.
const (
	measuredWindow = time.Second
	measuredRuns   = 20
	fewestRuns     = 6 // from which a median has an interval
)

func (r *Run) runs() int { return max(fewestRuns, int(measuredRuns*r.scale)) }

func (r *Run) window() time.Duration { return time.Duration(r.scale * float64(measuredWindow)) }
