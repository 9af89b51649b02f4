package walsim

import (
	"testing"

	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/simtime"
)

// The helper takes its time for segments that are new, whether or not there are any bytes,
// and none for those that are used again; without a device there are no segments.
func TestSegmentsTakeTime(t *testing.T) {
	const first, ahead, size = 1, 2, 1 << 20
	for name, tc := range map[string]struct {
		keeps, discard bool
		spare          int
		want           simtime.Duration
	}{
		"kept":       {keeps: true, want: 3 * size * 200},
		"counted":    {want: 3 * size * 200},
		"used again": {spare: 2, want: size * 200},
		"no device":  {discard: true},
	} {
		o := Options{FS: vfs.NewMem(), Dir: "log", SegmentSize: size, SegmentsAhead: ahead, TLI: 1, Discard: tc.discard}
		if err := o.FS.MkdirAll(o.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		free := map[string]int64{"wake_ps": 0, "wake_call_ps": 0, "switch_ps": 0, "lock_ps": 0, "lock_line_transfer_ps": 0}
		virtualClock(t, 2, free).Run("main", func(p simtime.Proc) {
			d := newDevice(o, tc.keeps)
			for range tc.spare {
				d.spare = append(d.spare, "a segment that is no more needed")
			}
			if err := d.open(p, first); err != nil {
				t.Error(err)
			}
			if took := simtime.Duration(p.Now()); took != tc.want {
				t.Errorf("%s: took %d ps, want %d", name, took, tc.want)
			}
			if err := d.close(p); err != nil {
				t.Error(err)
			}
		})
	}
}
