package loadgen

import "github.com/walbench/walbench/walsim/pgformat"

// sink is what a source adds records to: a [walsim.Tx], or a test's ear. Both
// methods are done with their arguments when they return.
type sink interface {
	Add(s *pgformat.Spec, content *pgformat.Content)
	AddRaw(rec []byte)
}
