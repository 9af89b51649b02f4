package experiment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/golden"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results/published/profiles"
	"github.com/walbench/walbench/simtime"
)

// The canonical worst case on 32 virtual cores, with each committed profile, is
// pinned to the picosecond and the byte: whatever changes what a design does under
// the lock, or how the clock counts it, shows here.
func TestGoldenWorstCase(t *testing.T) {
	for _, profile := range profiles.Names() {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			p, err := profiles.Lookup(profile)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, "worstcase-"+profile+".txt", []byte(goldenWorstCase(t, p)))
		})
	}
}

// goldenPairs are the designs of the article and of the canonical comparison.
var goldenPairs = []string{
	"none", "in-lock", "before-lock", "batched-ctr", "page-in-lock+ctr-ecb-scalar", "page-in-lock+ctr-ecb-vector",
}

func goldenWorstCase(t *testing.T, p *simtime.Profile) string {
	t.Helper()
	r, err := NewRun(Config{
		FS: vfs.NewMem(), Strategies: goldenPairs, VirtualCores: []int{32}, Profile: p, Clients: DefaultClients, Commits: 640,
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, pair := range r.pairs {
		o, err := r.measure(r.loads[0], pair, r.device.inMemory(), 1, 64, 640)
		if err != nil || o.err != nil {
			t.Fatal(err, o.err)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", goldenPairs[i])
		writeOutcome(&b, &o)
	}
	return b.String()
}

// writeOutcome writes all exact figures of a modelled repetition, one a line.
func writeOutcome(b *strings.Builder, o *outcome) {
	m := &o.meter
	s := &m.Locks[simtime.LockSerial]
	for _, figure := range []struct {
		name  string
		value int64
	}{
		{"window_ps", int64(o.elapsed)},
		{"cpu_ps", int64(o.cpu)},
		{"lock_acquisitions", s.Acquisitions},
		{"lock_held_ps", s.HoldPs},
		{"lock_hold_max_ns", s.HoldMaxNs},
		{"lock_wait_ps", s.WaitPs},
		{"lock_idle_ps", s.IdlePs},
		{"device_ps", m.DevicePs},
		{"events", o.events},
		{"commits", o.commits},
		{"records", m.Records},
		{"images", m.Images},
		{"real_bytes", m.RealBytes},
		{"stored_bytes", m.StoredBytes},
		{"encrypted_bytes", m.EncryptedBytes},
		{"written_bytes", m.WrittenBytes},
		{"flushes", m.Flushes},
		{"cipher_calls", m.CipherCalls},
		{"cipher_setups", m.CipherSetups},
		{"retries", m.Retries},
	} {
		fmt.Fprintf(b, "  %-18s %16d\n", figure.name, figure.value)
	}
}
