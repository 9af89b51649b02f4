package results

import (
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	n := func(v int64) *int64 { return &v }
	mk := func(name, suite string) Strategy {
		return Strategy{Workload: "worst-case", Name: name, Suite: suite, ThroughputTPS: Throughput{Range{f(61234), f(60000), f(62000)}, []float64{1, 2, 3}}, RelativeThroughput: &Range{f(.54), f(.52), f(.56)}, LockHeldNsPerCommit: f(121345), LockHoldNs: LockHold{Distribution: Distribution{P50: n(12345), P99: n(123456)}}, EncryptedBytesPerRealByte: f(41), WrittenBytesPerRealByte: f(1.03), LogGrowth: f(.0012), Verified: &Verified{}}
	}
	r := NewRun(Measured, Config{Clients: 8, Lock: "single", Device: "model:10us,4GB/s", Runs: 3}, nil)
	r.Strategies = []Strategy{mk("none", ""), mk("in-lock", "aes-128-ctr"), mk("batched-ctr", "aes-128-ctr")}
	WriteTable(os.Stdout, r)
	r.Strategies = append(r.Strategies, mk("record-cbc-fixed-iv", "aes-256-ctr/vaes-512"))
	WriteTable(os.Stdout, r)
}
