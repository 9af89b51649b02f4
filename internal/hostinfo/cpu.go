package hostinfo

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
)

// CPU names the processor. The numbers are x86's CPUID family, model and
// stepping, and nil elsewhere.
type CPU struct {
	Brand    *string `json:"brand"`
	Vendor   *string `json:"vendor"`
	Family   *int    `json:"family"`
	Model    *int    `json:"model"`
	Stepping *int    `json:"stepping"`
}

// Features are the x86 instruction sets that decide how fast a cipher can be,
// as far as both processor and operating system support them; nil elsewhere.
// InvariantTSC is the operating system's word that the time stamp counter runs
// at one speed and never stops.
type Features struct {
	AESNI        *bool `json:"aesni"`
	VAES         *bool `json:"vaes"`
	PCLMULQDQ    *bool `json:"pclmulqdq"`
	VPCLMULQDQ   *bool `json:"vpclmulqdq"`
	AVX2         *bool `json:"avx2"`
	AVX512F      *bool `json:"avx512f"`
	AVX512BW     *bool `json:"avx512bw"`
	AVX512DQ     *bool `json:"avx512dq"`
	AVX512VL     *bool `json:"avx512vl"`
	SHA          *bool `json:"sha"`
	InvariantTSC *bool `json:"invariant_tsc"`
}

const isX86 = runtime.GOARCH == "amd64" || runtime.GOARCH == "386"

func readCPU() CPU {
	id := &cpuid.CPU
	c := CPU{Brand: known(id.BrandName), Vendor: known(id.VendorString)}
	if isX86 {
		family, model, stepping := id.Family, id.Model, id.Stepping
		c.Family, c.Model, c.Stepping = &family, &model, &stepping
	}
	return c
}

func readFeatures(f files) Features {
	if !isX86 {
		return Features{}
	}
	has := func(id cpuid.FeatureID) *bool {
		b := cpuid.CPU.Has(id)
		return &b
	}
	return Features{
		AESNI: has(cpuid.AESNI), VAES: has(cpuid.VAES),
		PCLMULQDQ: has(cpuid.CLMUL), VPCLMULQDQ: has(cpuid.VPCLMULQDQ),
		AVX2:    has(cpuid.AVX2),
		AVX512F: has(cpuid.AVX512F), AVX512BW: has(cpuid.AVX512BW),
		AVX512DQ: has(cpuid.AVX512DQ), AVX512VL: has(cpuid.AVX512VL),
		SHA: has(cpuid.SHA), InvariantTSC: f.invariantTSC(),
	}
}

// readHypervisor says whether the program runs in a virtual machine (CPUID leaf
// 1, ECX bit 31) and whose it is (leaf 0x40000000).
func readHypervisor() (virtual *bool, vendor *string) {
	if !isX86 {
		return nil, nil
	}
	v := cpuid.CPU.VM()
	return &v, known(cpuid.CPU.HypervisorVendorString)
}

// known is nil for the empty string, which is how sources say that they do not
// know.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
