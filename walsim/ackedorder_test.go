package walsim

import (
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/walsim/pgformat"
)

// A commit is acknowledged when its log has been synced, and not before: while a sync
// is under way nobody returns whose records it makes durable.
func TestAcknowledgedIsFlushed(t *testing.T) {
	defer func() { current, onAcknowledged = ways[0], nil }()
	for _, w := range ways {
		if !w.virtual {
			continue // on the real clock looking would be a race
		}
		t.Run(w.name, func(t *testing.T) {
			current = w
			h := plain(t, 200*simtime.Microsecond)
			commits := 0
			onAcknowledged = func(u *Updater, end pgformat.LSN) {
				if commits++; u.log.flushed < end {
					t.Errorf("acknowledged up to %v, flushed up to %v", end, u.log.flushed)
				}
			}
			h.run(t, 8, func(int) [][]int { return repeat(20, 40, 34) })
			if commits != 8*20 {
				t.Errorf("%d commits seen", commits)
			}
		})
	}
}
