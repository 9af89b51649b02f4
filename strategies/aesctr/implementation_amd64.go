//go:build amd64 && !purego

package aesctr

import (
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// lacks names what this processor lacks for a kernel. cpuid reports a feature only
// if the operating system saves its registers as well.
func lacks(k kind) string {
	switch k {
	case kindVAES512:
		return missing(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.VAES, cpuid.VPCLMULQDQ, cpuid.BMI2, cpuid.AESNI)
	case kindVAES256:
		return missing(cpuid.AVX2, cpuid.VAES, cpuid.VPCLMULQDQ, cpuid.AESNI)
	}
	return missing(cpuid.AESNI, cpuid.SSE4, cpuid.SSSE3)
}

func missing(features ...cpuid.FeatureID) string {
	var list []string
	for _, f := range features {
		if !cpuid.CPU.Has(f) {
			list = append(list, f.String())
		}
	}
	return strings.Join(list, ", ")
}
