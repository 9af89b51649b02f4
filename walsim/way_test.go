package walsim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
)

// way is how a test's log is run: under which locks, on which clock.
type way struct {
	name    string
	lock    Topology
	virtual bool
}

// ways are all of them; tests that do not go through them take the first.
var ways = []way{
	{"single, real clock", Single, false},
	{"single, virtual clock", Single, true},
	{"postgres, real clock", Postgres, false},
	{"postgres, virtual clock", Postgres, true},
}

// current is the way of the test that runs. Tests of this package run one by one.
var current = ways[0]

// eachWay runs f once for each way.
func eachWay(t *testing.T, f func(t *testing.T)) {
	defer func() { current = ways[0] }()
	for _, w := range ways {
		current = w
		t.Run(w.name, f)
	}
}

// eachLock runs f once for each kind of locks, on the real clock: for what is not
// about time.
func eachLock(t *testing.T, f func(t *testing.T)) {
	defer func() { current = ways[0] }()
	for _, w := range ways {
		if current = w; !w.virtual {
			t.Run(w.name, f)
		}
	}
}

// clock is a clock of the current way.
func clock(tb testing.TB) simtime.Clock {
	tb.Helper()
	if !current.virtual {
		return simtime.NewReal()
	}
	return virtualClock(tb, 3, nil)
}

// virtualClock is one on which bytes are moved, with the test's costs; those of
// change replace them.
func virtualClock(tb testing.TB, cores int, change map[string]int64) simtime.Clock {
	tb.Helper()
	c, err := simtime.NewVirtual(simtime.VirtualOptions{Profile: wayProfile(tb, change), Cores: cores})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func wayProfile(tb testing.TB, change map[string]int64) *simtime.Profile {
	tb.Helper()
	numbers := map[string]int64{
		"lock_line_transfer_ps": 60000, "segment_byte_fs": 200000, "wait_keep_ps": 0, "steal_ps": 0, "memory_byte_fs": 5000,
		"copy_call_ps": 15000, "copy_byte_fs": 100000, "zero_call_ps": 10000, "zero_byte_fs": 30000,
		"crc_call_ps": 10000, "crc_byte_fs": 40000, "record_call_ps": 200000, "record_byte_fs": 100000,
		"transaction_ps": 1000000, "reserve_ps": 20000, "page_ps": 20000, "write_call_ps": 100000, "write_byte_fs": 100000,
		"device_sync_ps": 50000000, "device_byte_fs": 163000, "lock_ps": 20000, "wake_ps": 5000000, "wake_call_ps": 1000000,
		"switch_ps": 1000000, "quantum_ps": 300000000, "starvation_ps": 1000000000,
	}
	for name, v := range change {
		numbers[name] = v
	}
	number := func(name string, v int64) string {
		return fmt.Sprintf(`%q:{"value":%d,"source":"assumed","from":"a test"}`, name, v)
	}
	var list, suites []string
	for name, v := range numbers {
		list = append(list, number(name, v))
	}
	for _, s := range strategies.Suites() {
		suites = append(suites, fmt.Sprintf(`%q:{%s,%s,%s,%s}`, s.Name, number("setup_ps", 500000),
			number("call_ps", 20000), number("record_ps", 5000), number("byte_fs", 125000)))
	}
	p, err := simtime.DecodeProfile("test", []byte(fmt.Sprintf(
		`{"schema":"walbench.profile/1","name":"test","machine":"a test","date":"2026-12-01","implementation":"stdlib","numbers":{%s},"suites":{%s}}`,
		strings.Join(list, ","), strings.Join(suites, ","))))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
