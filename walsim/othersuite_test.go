package walsim

import (
	"testing"

	"github.com/walbench/walbench/strategies"
)

// A log whose key file names an implementation that this machine does not have
// reads back, whatever the design.
func TestLogOfAnotherMachineReadsBack(t *testing.T) {
	for _, cipher := range []string{"aes-128-ctr", "aes-256-ctr"} {
		there := *mustSuite(t, cipher)
		there.Name = cipher + "/of-another-machine"
		for _, d := range strategies.All() {
			if d.Mode != strategies.ModeCTR {
				continue
			}
			t.Run(d.Name+"/"+cipher, func(t *testing.T) {
				h := newHarness(t, d, &there)
				h.run(t, 3, func(int) [][]int { return repeat(20, 34, 100, 9000) })
				if sum := h.mustReadBack(t); sum.Records != 3*20*3 {
					t.Errorf("%d records read back, want %d", sum.Records, 3*20*3)
				}
			})
		}
	}
}
