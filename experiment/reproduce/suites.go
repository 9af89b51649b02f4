package reproduce

import (
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// defaultSuite is what a design encrypts with on the machine of a profile.
func defaultSuite(design string, p *simtime.Profile) string {
	d, err := strategies.Lookup(design)
	if err != nil {
		panic("reproduce: " + err.Error()) // a design of this package's tables
	}
	return d.SuiteOn(p.Implementation)
}
