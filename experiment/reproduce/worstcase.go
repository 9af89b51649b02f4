package reproduce

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/results/published/profiles"
	"github.com/walbench/walbench/simtime"
)

// walWorstCase is the article's worst case of WAL encryption: Zsolt Parragi, TDE
// performance in PostgreSQL, percona/community, 2026-07-20.
const walWorstCase = "wal-worst-case"

const (
	article        = "TDE performance in PostgreSQL (Percona, 2026-07-20)"
	articleProfile = "article-threadripper-3970x"
	hereCores      = experiment.ModelledCores
)

// claim is what the article says of one design.
type claim struct {
	workload, design string
	// suite is the one of the article's machine; "" is the design's default there
	// and here.
	suite, standsFor string
	figure           float64 // 0: none
	relation         results.Relation
	tolerance        float64
	says             string
	inDoubt          string
}

// What stands between the model and some rows.
const (
	noSharedContexts = "what setting up a cipher context for each record costs with 64 sessions at once. OpenSSL 3 looks algorithms up under locks and counts references " +
		"in memory that all cores share, of which the article gives nothing and the profile, from one thread, knows nothing; the worse set-up gets with sessions, " +
		"the more cores it takes to hide it (see the crossovers)"
	noGroupCommit = "the single lock, under which every commit flushes its own page; PostgreSQL's sessions share flushes, so that each encrypts less often"
)

// claims are the article's rows. The tolerances are what "about" means: it speaks
// of "only 60%", of "a 40%+ degradation", and of "the 80% range".
var claims = []claim{
	{"worst-case", "page-in-lock", "ctr-ecb-scalar", "pg_tde before its fix", 0.60, results.About, 0.08, "only 60 % of the throughput", ""},
	{"worst-case", "page-in-lock", "ctr-ecb-vector", "pg_tde after its fix", 0.80, results.About, 0.05, "the 80 % range", ""},
	{"worst-case", "batched-ctr", "", "its prototype", 0.98, results.AtLeast, 0, "no significant degradation", ""},
	{"worst-case", "before-lock", "", "naive encryption before the lock", 0.60, results.Below, 0, "even worse than pg_tde before its fix", noSharedContexts},
	{"oltp", "page-in-lock", "ctr-ecb-scalar", "pg_tde before its fix", 0.90, results.AtLeast, 0, "less than 10 % lost", noGroupCommit},
	{"oltp", "page-in-lock", "ctr-ecb-vector", "pg_tde after its fix", 0.90, results.AtLeast, 0, "less than 10 % lost", noGroupCommit},
	{"oltp", "batched-ctr", "", "its prototype", 0, results.Unknown, 0, "nothing of it here", ""},
	{"oltp", "before-lock", "", "naive encryption before the lock", 0, results.Unknown, 0, "nothing of it here", ""},
}

// slips are the article's own mistakes, found in pg_tde's release notes, pull
// requests and source.
var slips = []string{
	"it names pg_tde 2.2.3 as the release with the fix; PG-2494 (percona/pg_tde pull requests 633, 639 and 649) is in the release notes of 2.2.2",
	"its 40 encrypted bytes for each byte of a 100-byte record are for the filled part of a page; PostgreSQL's XLogWrite hands pg_tde whole pages of 8 kB, " +
		"and it encrypts all of them: 80",
	"its 15 % as the least that encryption under the lock can cost takes the speed of native CTR (8 GB/s); pg_tde builds CTR from ECB calls and an XOR of its own, " +
		"which is what the two rows differ in",
}

// worstCase goes through the columns of the article's worst case.
func (r *Run) worstCase() error {
	theirs, err := profiles.Lookup(articleProfile)
	if err != nil {
		return err
	}
	r.describe(theirs)
	columns := []func() error{
		func() error { return r.documentColumn(theirs) },
		func() error { return r.hereColumn() },
		func() error { return r.crossovers(theirs) },
		func() error { return r.measuredColumn() },
	}
	for _, column := range columns {
		if err := column(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) describe(theirs *simtime.Profile) {
	here := r.cfg.Profile
	r.out.Document = article
	r.out.DocumentMachine = fmt.Sprintf("%d cores, %d updaters", theirs.Cores, theirs.Clients)
	r.out.HereMachine = fmt.Sprintf("%d cores, %d updaters", hereCores, experiment.DefaultClients)
	r.out.DocumentProfile, r.out.HereProfile = theirs.Name, here.Name
	r.out.Slips = slips
	r.out.Warn(r.cfg.ProfileNote)
	for _, workload := range workloads() {
		r.out.Rows = append(r.out.Rows, results.ReproductionRow{
			Workload: workload, Design: "none", Suite: "-", SuiteHere: "-", StandsFor: "PostgreSQL",
			DocumentRelation: results.Unknown, DocumentSays: "what all are compared with",
		})
		for _, c := range claims {
			if c.workload == workload {
				r.out.Rows = append(r.out.Rows, c.row(theirs, here))
			}
		}
	}
}

func workloads() (list []string) {
	for _, c := range claims {
		if !slices.Contains(list, c.workload) {
			list = append(list, c.workload)
		}
	}
	return list
}

func (c *claim) row(theirs, here *simtime.Profile) results.ReproductionRow {
	row := results.ReproductionRow{
		Workload: c.workload, Design: c.design, Suite: c.suite, SuiteHere: c.suite, StandsFor: c.standsFor,
		DocumentRelation: c.relation, DocumentTolerance: c.tolerance, DocumentSays: c.says, InDoubt: c.inDoubt,
	}
	if c.suite == "" {
		row.Suite, row.SuiteHere = defaultSuite(c.design, theirs), defaultSuite(c.design, here)
	}
	if c.relation != results.Unknown {
		row.Document = &c.figure
	}
	return row
}

// designs are the pairs of a column, as run takes them.
func designs() []string {
	list := []string{"none"}
	for _, c := range claims {
		name := c.design
		if c.suite != "" {
			name += "+" + c.suite
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// documentColumn models the article's machine from the article's figures.
func (r *Run) documentColumn(theirs *simtime.Profile) error {
	cfg := experiment.Config{
		Workloads: workloads(), Strategies: designs(), Clients: theirs.Clients, Warmup: -1,
		VirtualCores: []int{theirs.Cores}, Profile: theirs, Device: experiment.ProfileDevice, Ranges: r.ranges,
	}
	return r.column("modelled with the document's figures", cfg, func(row *results.ReproductionRow, s *results.Strategy) {
		row.ModelledDocumentProfile, row.ModelledDocumentProfileRange = medianOf(s.RelativeThroughput), s.Range
	})
}

// hereColumn models as many cores from costs measured here.
func (r *Run) hereColumn() error {
	cfg := experiment.Config{
		Workloads: workloads(), Strategies: designs(), Warmup: -1,
		VirtualCores: []int{hereCores}, Profile: r.cfg.Profile, Ranges: r.ranges,
	}
	return r.column("modelled here", cfg, func(row *results.ReproductionRow, s *results.Strategy) {
		row.ModelledHere, row.ModelledHereRange = medianOf(s.RelativeThroughput), s.Range
	})
}

// measuredColumn runs the same on this machine.
func (r *Run) measuredColumn() error {
	cfg := experiment.Config{
		Workloads: workloads(), Strategies: designs(), Runs: r.runs(), Duration: r.window(), Warmup: r.window() / 4,
	}
	return r.column("measured here", cfg, func(row *results.ReproductionRow, s *results.Strategy) {
		row.Measured, row.MeasuredRange = medianOf(s.RelativeThroughput), s.RelativeThroughput
	})
}

func medianOf(r *results.Range) *float64 {
	if r == nil {
		return nil
	}
	return r.Median
}

// crossoverCores are the numbers of cores on which designs are held against each
// other.
var crossoverCores = []int{1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128}

// Where designs are close, one draw of the work decides who is behind: the median
// of several does so less.
const (
	crossoverRuns   = 5
	crossoverWindow = 100 * time.Millisecond
)

// behind is the share of none's throughput below which a design has fallen behind
// it: it loses what is worth a mention. Against another design any loss counts.
const behind = 0.95

// crossovers models the worst case on other numbers of cores, two updaters a core
// as in the article, and finds out where the naive way out of the lock falls
// behind none, and where it falls behind staying in it.
func (r *Run) crossovers(theirs *simtime.Profile) error {
	against := []string{"none", "page-in-lock+ctr-ecb-scalar", "page-in-lock+ctr-ecb-vector"}
	list := make([]results.Crossover, len(against))
	for i := range list {
		list[i] = results.Crossover{Workload: "worst-case", Design: "before-lock", Against: against[i], Share: 1, Modelled: crossoverCores}
		if against[i] == "none" {
			list[i].Share = behind
		}
	}
	for _, cores := range crossoverCores {
		tps, err := r.throughputs(theirs, cores, append([]string{"before-lock"}, against...))
		if err != nil {
			return err
		}
		for i := range list {
			if tps["before-lock"] < list[i].Share*tps[against[i]] {
				list[i].Cores = append(list[i].Cores, cores)
			}
		}
	}
	r.out.Crossovers = list
	return nil
}

var errNoFigure = errors.New("a modelled run gives no throughput")

// throughputs models pairs of the worst case on some cores: commits a second.
func (r *Run) throughputs(theirs *simtime.Profile, cores int, names []string) (map[string]float64, error) {
	r.tell(fmt.Sprintf("modelled with the document's figures on %d cores", cores))
	m, err := experiment.NewRun(experiment.Config{
		FS: r.cfg.FS, Workloads: []string{"worst-case"}, Strategies: names, Clients: theirs.Clients / theirs.Cores * cores,
		Warmup: -1, VirtualCores: []int{cores}, Profile: theirs, Device: experiment.ProfileDevice,
		Runs: crossoverRuns, Duration: crossoverWindow,
	})
	if err != nil {
		return nil, err
	}
	res, err := m.Execute(r.stop, nil)
	if err != nil {
		return nil, err
	}
	tps := map[string]float64{}
	for i := range res.Strategies {
		s := &res.Strategies[i]
		if s.ThroughputTPS.Median == nil {
			return nil, fmt.Errorf("%s on %d cores: %w", s.Name, cores, errNoFigure)
		}
		tps[s.Name] = *s.ThroughputTPS.Median
		tps[s.Name+"+"+s.Suite] = *s.ThroughputTPS.Median
	}
	return tps, nil
}
