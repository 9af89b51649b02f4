package simtime

// SuiteID stands for a cipher suite's name in meter calls. This package knows
// suites by name only; a cost profile is looked up by it.
type SuiteID int32

var suiteNames []string

// RegisterSuite returns the id of the suite called name, the same for the same
// name. It is meant for package initialisation and not safe for concurrent use.
func RegisterSuite(name string) SuiteID {
	for i, n := range suiteNames {
		if n == name {
			return SuiteID(i)
		}
	}
	suiteNames = append(suiteNames, name)
	return SuiteID(len(suiteNames) - 1)
}

// SuiteName is the name that id was registered with.
func SuiteName(id SuiteID) string { return suiteNames[id] }
