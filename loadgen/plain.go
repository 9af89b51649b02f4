package loadgen

// plain is the part of a workload without input: a name and nothing to note.
type plain struct{ name string }

func (p plain) Name() string           { return p.name }
func (plain) UnitsWithoutCommit() bool { return false }
func (plain) Notes() []string          { return nil }
