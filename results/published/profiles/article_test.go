package profiles

import (
	"math"
	"strings"
	"testing"

	"github.com/walbench/walbench/simtime"
)

const articleName = "article-threadripper-3970x"

// The rates of the article's first table, GB/s.
var published = map[string]float64{
	"copy_byte_fs": 11, "device_byte_fs": 6.1,
	"aes-128-ctr.byte_fs": 8.0, "aes-256-ctr.byte_fs": 6.5, "aes-128-ctr/aes-ni.byte_fs": 8.0, "aes-256-ctr/aes-ni.byte_fs": 6.5,
	"aes-128-xts.byte_fs": 7.3, "aes-256-xts.byte_fs": 5.6, "aes-128-gcm.byte_fs": 3.8, "aes-256-gcm.byte_fs": 3.6,
}

// What is called cited is what the article says, all of it and nothing else.
func TestArticleCited(t *testing.T) {
	p := lookup(t, articleName)
	for _, name := range p.Inputs() {
		n, _ := p.Input(name)
		gbps, cited := published[name]
		if cited != (n.Source == simtime.Cited) {
			t.Errorf("%s is %s", name, n.Source)
		}
		if want := int64(math.Round(1e6 / gbps)); cited && n.Value != want {
			t.Errorf("%s: %d fs, want %d for %g GB/s", name, n.Value, want, gbps)
		}
	}
	if p.Cores != 32 || p.Clients != 64 || p.Implementation != "aes-ni" || p.Host != nil {
		t.Errorf("cores %d, clients %d, implementation %s, host %v", p.Cores, p.Clients, p.Implementation, p.Host)
	}
}

// A row of the table of OpenSSL's rates that ratios are taken from, GB/s.
const (
	row112New, row112IV, row112Running                = 0.1, 0.6, 1.9
	row112Vector                                      = 1.9
	row64kScalar, row64kVector, row64kRunning         = 1.0, 3.1, 4.6
	smallBytes                                        = 112
	articleRate                                       = 8.0 // GB/s, AES-128-CTR
	psPerByteAtOneGB                          float64 = 1000
)

func smallPs(gbps float64) float64 { return smallBytes * psPerByteAtOneGB / gbps }

// Derived numbers are what their formulas give.
func TestArticleDerived(t *testing.T) {
	p := lookup(t, articleName)
	scale := row64kRunning / articleRate
	want := map[string]float64{
		"ctr-ecb-scalar.byte_fs":   1e6 / articleRate * row64kRunning / row64kScalar,
		"ctr-ecb-vector.byte_fs":   1e6 / articleRate * row64kRunning / row64kVector,
		"ctr-ecb-vector.record_ps": (smallPs(row112Vector) - smallPs(row64kVector)) * scale,
		"ctr-ecb-scalar.record_ps": 0,
		"memory_byte_fs":           1e6 / (4 * 8 * 3.2), // channels, bytes, GT/s
		"zero_byte_fs":             1e6 / 11.0, "write_byte_fs": 1e6 / 11.0,
	}
	for _, suite := range []string{"aes-128-ctr", "aes-256-ctr", "aes-128-ctr/aes-ni", "aes-256-ctr/aes-ni", "aes-128-xts", "aes-128-gcm"} {
		want[suite+".setup_ps"] = (smallPs(row112New) - smallPs(row112IV)) * scale
		want[suite+".call_ps"] = (smallPs(row112IV) - smallPs(row112Running)) * scale
		want[suite+".record_ps"] = (smallPs(row112Running) - smallPs(row64kRunning)) * scale
	}
	for name, v := range want {
		n, ok := p.Input(name)
		if !ok || n.Source != simtime.Derived || math.Abs(float64(n.Value)-v) > 1 {
			t.Errorf("%s: %d, %s; want %.0f, derived", name, n.Value, n.Source, v)
		}
	}
}

// The flush is what is left of a commit at the article's 15,000 QPS.
func TestArticleFlush(t *testing.T) {
	p := lookup(t, articleName)
	c := p.Costs()
	const records, pages, stored, advance, written = 201.344, 11.445, 92849, 93757, 101947
	under := records*(float64(c.ReservePs+c.CRCCallPs)+20*float64(c.CRCByteFs)/1000) +
		(records+pages)*float64(c.CopyCallPs) + stored*float64(c.CopyByteFs)/1000 +
		pages*float64(c.ZeroCallPs+c.PagePs) + advance*float64(c.ZeroByteFs)/1000 +
		float64(c.WriteCallPs) + written*float64(c.WriteByteFs+c.DeviceByteFs)/1000 + float64(c.WakePs)
	n, _ := p.Input("device_sync_ps")
	if rest := 1e12/15000 - under; math.Abs(float64(n.Value)-rest) > 100_000 {
		t.Errorf("device_sync_ps %d, want %.0f", n.Value, rest)
	}
	if n.Source != simtime.Assumed || !strings.Contains(n.From, "15,000 QPS") {
		t.Errorf("device_sync_ps is %s: %s", n.Source, n.From)
	}
}

func lookup(t *testing.T, name string) *simtime.Profile {
	t.Helper()
	p, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
