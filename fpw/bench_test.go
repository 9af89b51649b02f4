package fpw

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkGallery(b *testing.B) {
	c := worstCase(Phase{Kind: Steady})
	b.ReportAllocs()
	for b.Loop() {
		newGallery(&c, rowPrunes, rand.NewPCG(1, 2))
	}
}
