//go:build amd64 && !purego

package aesctr

import (
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// kernels are the assembly implementations, the fastest first. cpuid reports a
// feature only if the operating system saves its registers as well.
func kernels() []*Implementation {
	return []*Implementation{
		{
			Name: "vaes-512", kind: kindVAES512, Summary: "VAES on 512-bit registers with masks",
			Missing: missing(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.VAES, cpuid.VPCLMULQDQ, cpuid.BMI2, cpuid.AESNI),
		},
		{
			Name: "vaes-256", kind: kindVAES256, Summary: "VAES on 256-bit registers",
			Missing: missing(cpuid.AVX2, cpuid.VAES, cpuid.VPCLMULQDQ, cpuid.AESNI),
		},
		{
			Name: "aes-ni", kind: kindAESNI, Summary: "AES-NI on 128-bit registers",
			Missing: missing(cpuid.AESNI, cpuid.SSE4, cpuid.SSSE3),
		},
	}
}

func missing(features ...cpuid.FeatureID) string {
	var lacks []string
	for _, f := range features {
		if !cpuid.CPU.Has(f) {
			lacks = append(lacks, f.String())
		}
	}
	return strings.Join(lacks, ", ")
}
