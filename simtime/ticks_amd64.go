//go:build !purego

package simtime

// readTicks reads the processor's time-stamp counter.
func readTicks() uint64

// advancedPower returns the highest extended CPUID leaf and EDX of leaf
// 0x80000007.
func advancedPower() (maxLeaf, edx uint32)

// ticksInvariant says whether the counter runs at one rate in all power states
// (CPUID 0x80000007, EDX bit 8: "invariant TSC"), which is when it can serve as
// a clock.
func ticksInvariant() bool {
	const invariantTSC = 1 << 8
	_, edx := advancedPower()
	return edx&invariantTSC != 0
}
