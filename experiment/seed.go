package experiment

import "github.com/walbench/walbench/loadgen"

// repetitionSeed is the seed of one repetition: the same for all designs.
// Repetition -1 is the pilot.
func repetitionSeed(seed uint64, rep int) uint64 {
	hi, _ := loadgen.Derive(seed, "repetition", rep)
	return hi
}

// systemID is the system identifier of a log written from seed.
func systemID(seed uint64) uint64 {
	hi, _ := loadgen.Derive(seed, "system id", 0)
	return hi
}
