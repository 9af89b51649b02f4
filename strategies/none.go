package strategies

import "github.com/walbench/walbench/simtime"

// none writes the log in clear: the baseline that every other design is
// measured against.
func init() {
	Register(&Design{
		Name: "none", Unit: "-", Place: "-", Nonce: "-", Integrity: "CRC only",
		Summary:   "no encryption: the baseline",
		StandsFor: "PostgreSQL",
		New:       func(Start) (Instance, error) { return noneInstance{}, nil },
	})
}

type noneInstance struct{}

func (noneInstance) Updater(uint16, *simtime.Meter) Phases { return Phases{} }
