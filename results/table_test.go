package results

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/walbench/walbench/internal/golden"
)

func table(t testing.TB, r *Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteTable(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableGolden(t *testing.T) {
	r := testRun(t)
	golden.Check(t, "table.txt", []byte(table(t, r)))
	long := repeated("record-cbc-fixed-iv", "aes-256-ctr/vaes-512", 12_345, 12_345)
	long[0].Hold = timing(123_456_789)
	r.Strategies = append(r.Strategies, mustStrategy(t, r, long, nil))
	r.Complete = false
	golden.Check(t, "table_stacked.txt", []byte(table(t, r)))
	modelled := NewRun(ModelledKind, testConfig(), testHost())
	modelled.Config.VirtualCores, modelled.Config.Profile = ptr(32), ptr("reference")
	modelled.Strategies, modelled.Complete = r.Modelled.Strategies, true
	golden.Check(t, "table_modelled.txt", []byte(table(t, modelled)))
}

// TestTableFits: whatever the figures, no line is wider than the table may be,
// no cell is broken by control characters, and every strategy has its line.
func TestTableFits(t *testing.T) {
	figure := func(t *rapid.T, name string, top float64) *float64 {
		if rapid.Bool().Draw(t, name+" known") {
			return ptr(rapid.Float64Range(0, top).Draw(t, name))
		}
		return nil
	}
	rapid.Check(t, func(t *rapid.T) {
		r := NewRun(Measured, testConfig(), testHost())
		name := rapid.StringMatching(`[a-z]{1,10}(-[a-z]{1,20}){0,3}`)
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			s := Strategy{Workload: name.Draw(t, "workload"), Name: name.Draw(t, "name"), Suite: name.Draw(t, "suite")}
			s.ThroughputTPS.Median = figure(t, "tps", 1e15)
			s.ThroughputTPS.Runs = []float64{1, 2}
			for _, r := range []**Range{&s.RelativeThroughput, &s.RelativeLockHeld, &s.RelativeLockHoldP50} {
				*r = &Range{figure(t, "vs", 99), figure(t, "low", 99), figure(t, "high", 99)}
			}
			s.LockHeldNsPerCommit = figure(t, "held", 1e15)
			s.Repetitions = []Repetition{{WindowNs: rapid.Int64Range(0, 1e12).Draw(t, "window")}}
			s.CPUNsPerCommit, s.LockHoldNs.Mean = figure(t, "cpu", 1e300), figure(t, "mean", 1e300)
			if rapid.Bool().Draw(t, "phases known") {
				v := rapid.Float64Range(0, 1e300)
				s.LockHoldNs.PhasesNsMean = &Phases{Header: v.Draw(t, "header"), Encrypt: v.Draw(t, "encrypt")}
				s.LockHoldCPUNs = &CPUTime{Mean: figure(t, "held cpu", 1e12)}
			}
			s.LockHoldNs.P50 = ptr(rapid.Int64Range(0, 3600e9).Draw(t, "p50"))
			s.EncryptedBytesPerRealByte = figure(t, "encrypted", 1e9)
			s.WrittenBytesPerRealByte = figure(t, "written", 100)
			s.LogGrowth = figure(t, "growth", 1e6)
			if rapid.Bool().Draw(t, "kept") {
				s.Verified = &Verified{Lost: rapid.Int64Range(0, 1e9).Draw(t, "lost"), Phantom: rapid.Int64Range(0, 2).Draw(t, "phantom")}
			}
			r.Strategies = append(r.Strategies, s)
		}
		r.Warn(rapid.StringN(0, 300, -1).Draw(t, "warning"))
		var b bytes.Buffer
		if err := WriteTable(&b, r); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if width(line) > TableWidth {
				t.Fatalf("%d characters: %q", width(line), line)
			}
		}
		for _, s := range r.Strategies {
			if !strings.Contains(b.String(), "\n"+cut(s.Name)) {
				t.Fatalf("%s is not in\n%s", s.Name, b.String())
			}
		}
	})
}

// TestTableFromAnywhere: control characters in a foreign file reach no terminal.
func TestTableFromAnywhere(t *testing.T) {
	r := NewRun(Measured, testConfig(), nil)
	r.Config.Device = "\x1b[2Jnull"
	r.Strategies = []Strategy{{Workload: "w\nx", Name: "a\nb\x1b[31m", Suite: "c\td"}}
	r.Warn("bell \a and a ✓")
	got := table(t, r)
	if strings.ContainsAny(got, "\x1b\a\t") || !strings.Contains(got, "a?b?[31m  c?d") || !strings.Contains(got, "✓") {
		t.Errorf("got %q", got)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestTableWriteError(t *testing.T) {
	if err := WriteTable(brokenWriter{}, testRun(t)); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
}

func TestReadBackCell(t *testing.T) {
	cases := []struct {
		s    Strategy
		want string
	}{
		{Strategy{}, "not kept"},
		{Strategy{Cores: ptr(32)}, "-"},
		{Strategy{Verified: &Verified{}}, "ok"},
		{Strategy{Verified: &Verified{Lost: 3}}, "3 lost"},
		{Strategy{Verified: &Verified{Lost: 3, Phantom: 2}}, "5 bad"},
		{Strategy{Verified: &Verified{Phantom: 5000}}, ">999 bad"},
	}
	for _, c := range cases {
		if got := readBack(&c.s); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.s.Verified, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	cases := []struct{ got, want string }{
		{threeDigits(0), "0.00"}, {threeDigits(9.994), "9.99"}, {threeDigits(9.996), "10.0"}, {threeDigits(99.96), "100"},
		{amount(nil), "-"}, {amount(ptr(0.4)), "0"}, {amount(ptr(61234.4)), "61,234"}, {amount(ptr(999_999.4)), "999,999"},
		{amount(ptr(999_999.6)), "1.00M"}, {amount(ptr(1.234e8)), "123M"}, {amount(ptr(9.999e8)), "1.00G"}, {amount(ptr(1e13)), "10.0T"},
		{amount(ptr(1e18)), "1.0e+18"},
		{grouped(-1234567), "-1,234,567"}, {grouped(-123), "-123"}, {grouped(1000), "1,000"},
		{duration(nil), "-"}, {duration(ptr(int64(0))), "0ns"}, {duration(ptr(int64(999))), "999ns"}, {duration(ptr(int64(1000))), "1.00us"},
		{duration(ptr(int64(999_499))), "999us"}, {duration(ptr(int64(999_500))), "1.00ms"}, {duration(ptr(int64(999_500_000))), "1.00s"},
		{duration(ptr(int64(3600e9))), "3600s"},
		{percent(nil), "-"}, {percent(ptr(0.0)), "0.0%"}, {percent(ptr(0.0001)), "~0%"}, {percent(ptr(0.123)), "12.3%"}, {percent(ptr(25.0)), "25x"},
		{share(ptr(0.548)), "0.55"}, {share(ptr(1234.0)), "1,234"}, {perByte(ptr(41.0)), "41.0"}, {perByte(ptr(1e6)), "1.00M"},
		{span(ptr(0.5), nil), "-"}, {span(ptr(0.5), ptr(0.6)), "0.50-0.60"},
		{plural(1, "run"), "1 run"}, {plural(1000, "run"), "1,000 runs"},
	}
	for i, c := range cases {
		if c.got != c.want {
			t.Errorf("case %d: got %q, want %q", i, c.got, c.want)
		}
	}
}
