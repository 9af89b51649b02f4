package simtime

import (
	"testing"
)

// testProfile is a profile of round numbers. Its costs may be changed before it is
// used.
func testProfile(change func(c *Costs)) *Profile {
	p := &Profile{
		Schema: ProfileSchema, Name: "test", Machine: "none", Date: "2026-12-01",
		Numbers: map[string]Number{}, Suites: map[string]map[string]Number{},
	}
	c := Costs{QuantumPs: 3 * int64(Millisecond), StarvationPs: int64(Millisecond)}
	if change != nil {
		change(&c)
	}
	for i := range costFields {
		p.Numbers[costFields[i].Name] = Number{*costFields[i].of(&c), Assumed, "a test"}
	}
	if err := p.complete(); err != nil {
		panic(err)
	}
	return p
}

func newTestClock(t testing.TB, cores int, change func(c *Costs)) Clock {
	t.Helper()
	c, err := NewVirtual(VirtualOptions{Profile: testProfile(change), Cores: cores})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A lock that is always wanted lets one holder in after the other.
func TestVirtualLockSaturated(t *testing.T) {
	const n, each, hold = 8, 50, 10 * Microsecond
	c := newTestClock(t, 4, nil)
	m := NewMutex(LockSerial)
	var end Time
	total := NewMeter()
	c.Run("main", func(p Proc) {
		handles := make([]Handle, n)
		for i := range handles {
			handles[i] = p.Spawn("updater", func(p Proc) {
				for range each {
					p.Lock(m)
					p.Work(hold)
					p.Unlock(m)
				}
			})
		}
		for _, h := range handles {
			h.Join(p)
		}
		for _, h := range handles {
			total.Add(h.Meter())
		}
		end = p.Now()
	})
	if want := Time(n * each * hold); end != want {
		t.Errorf("ended at %d ps, want %d", end, want)
	}
	s := &total.Locks[LockSerial]
	if s.Acquisitions != n*each || s.HoldPs != int64(n*each*hold) || s.Hold.TotalCount() != n*each {
		t.Errorf("%d acquisitions, held %d ps, %d recorded", s.Acquisitions, s.HoldPs, s.Hold.TotalCount())
	}
}
