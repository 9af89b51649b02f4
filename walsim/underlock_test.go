package walsim

import (
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// lockWatcher is a process that adds up what its meter counts between Lock and
// Unlock.
type lockWatcher struct {
	simtime.Proc
	depth int // locks held: the device's own is taken inside the log's
	at    simtime.Counts
	under simtime.Counts
}

func (w *lockWatcher) Lock(m *simtime.Mutex) {
	w.Proc.Lock(m)
	if w.depth++; w.depth == 1 {
		w.at = w.Proc.Meter().Counts
	}
}

func (w *lockWatcher) Unlock(m *simtime.Mutex) {
	if w.depth--; w.depth == 0 {
		now := w.Proc.Meter().Counts
		now.Sub(&w.at)
		w.under.Add(&now)
	}
	w.Proc.Unlock(m)
}

// underLock is what design name does under the lock for transactions of records
// of the given lengths.
func underLock(t *testing.T, name string, list [][]int) (c simtime.Counts) {
	t.Helper()
	d := mustDesign(t, name)
	var s *strategies.Suite
	if d.Mode != strategies.ModeNone {
		s = mustSuite(t, d.DefaultSuite)
	}
	h := newHarness(t, d, s)
	h.o.Updaters = 1
	clock(t).Run("test", func(p simtime.Proc) {
		l, err := Create(p, h.o)
		if err != nil {
			t.Error(err)
			return
		}
		defer l.Close(p)
		w := &lockWatcher{Proc: p}
		if err := commitAll(l.Updater(w, 0), 0, list); err != nil {
			t.Error(err)
		}
		c = w.under
	})
	return c
}

// What batched-ctr does under the lock beyond what none does is to move the
// bytes it has added, and nothing else: no cipher call, no set-up, no checksum
// more. Copy and write calls are left out, since they are made per page piece
// and the growth moves page borders.
func TestBatchedCTRAddsOnlyItsGrowthUnderTheLock(t *testing.T) {
	list := append(repeat(50, sizes...), repeat(500, 100, 71, 34)...)
	none, batched := underLock(t, "none", list), underLock(t, "batched-ctr", list)
	if none.Records == 0 || none.Records != batched.Records || none.RealBytes != batched.RealBytes {
		t.Fatalf("not the same work: %+v and %+v", none, batched)
	}
	growth := batched.StoredBytes - none.StoredBytes
	if want := none.Records * strategies.RecordNonceSize; growth < want {
		t.Errorf("growth %d bytes, want at least the nonces' %d", growth, want)
	}
	if got := batched.CopyBytes - none.CopyBytes; got != growth {
		t.Errorf("%d bytes more copied under the lock, want the growth of %d", got, growth)
	}
	if none.CRCBytes != batched.CRCBytes || none.CRCCalls != batched.CRCCalls || none.CRCCalls != none.Records {
		t.Errorf("checksums under the lock: %d bytes in %d calls, none %d in %d",
			batched.CRCBytes, batched.CRCCalls, none.CRCBytes, none.CRCCalls)
	}
	if batched.EncryptedBytes != 0 || batched.CipherCalls != 0 || batched.CipherSetups != 0 {
		t.Errorf("encryption under the lock: %+v", batched)
	}
	if in := underLock(t, "in-lock", list); in.EncryptedBytes < in.RealBytes || in.CipherCalls == 0 {
		t.Errorf("in-lock encrypts %d bytes under the lock: the watch does not see it", in.EncryptedBytes)
	}
}

// Encrypted bytes per byte of log follow from the layout: whole pages
// 1 + 8192/D, their filled part 1 + 4096/D, where D is the advance of the log
// in one flush.
func TestFlushAmplification(t *testing.T) {
	for name, extra := range map[string]float64{"page-in-lock": pgformat.PageSize, "in-lock": pgformat.PageSize / 2} {
		for _, record := range []int{100, 1000, 3000, 20000, 120000} {
			d := mustDesign(t, name)
			h := newHarness(t, d, mustSuite(t, d.DefaultSuite))
			h.run(t, 1, func(int) [][]int { return repeat(1000, record, 34) })
			advance := float64(h.position.Insert - h.o.SegmentSize.RecordStart(h.o.SegmentSize.Start(1)))
			got := float64(h.meter.EncryptedBytes) / advance
			want := 1 + extra/(advance/float64(h.meter.Flushes))
			if got < 0.98*want || got > 1.02*want {
				t.Errorf("%s, %d-byte records: %.4f encrypted bytes per byte of log, want %.4f within 2 %%", name, record, got, want)
			}
		}
	}
}
