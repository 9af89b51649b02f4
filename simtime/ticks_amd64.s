//go:build !purego

#include "textflag.h"

// func readTicks() uint64
// LFENCE keeps the reading behind the work before it: without it the processor
// may read the counter while earlier loads and stores are still under way.
TEXT ·readTicks(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func advancedPower() (maxLeaf, edx uint32)
// CPUID leaf 0x80000007, if the processor has it.
TEXT ·advancedPower(SB), NOSPLIT, $0-8
	MOVL $0x80000000, AX
	XORL CX, CX
	CPUID
	MOVL AX, maxLeaf+0(FP)
	MOVL $0, edx+4(FP)
	CMPL AX, $0x80000007
	JLT  done
	MOVL $0x80000007, AX
	XORL CX, CX
	CPUID
	MOVL DX, edx+4(FP)

done:
	RET
