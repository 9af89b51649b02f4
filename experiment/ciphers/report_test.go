package ciphers

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"github.com/walbench/walbench/internal/golden"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/strategies/aesctr"
)

func TestMedian(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   float64
	}{{[]float64{5}, 5}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 9, 2}, 3}} {
		if got := results.MedianValue(tc.values); got == nil || *got != tc.want {
			t.Errorf("%v: got %v, want %v", tc.values, got, tc.want)
		}
	}
	if got := results.MedianValue(nil); got != nil {
		t.Errorf("median of nothing: %v", *got)
	}
}

// A disturbed round does not move a paired ratio, which the quotient of two
// medians would not withstand.
func TestPairedRatio(t *testing.T) {
	for _, tc := range []struct {
		a, b []float64
		want *float64
	}{
		{[]float64{20, 40, 60}, []float64{10, 20, 30}, number(2)},
		{[]float64{20, 400, 600}, []float64{10, 200, 300}, number(2)},
		{[]float64{20, 90}, []float64{10}, number(2)},
		{[]float64{20, 30, 80}, []float64{10, 0, 20}, number(3)},
		{nil, []float64{1}, nil},
	} {
		if diff := cmp.Diff(tc.want, pairedRatio(tc.a, tc.b)); diff != "" {
			t.Errorf("%v / %v (-want +got):\n%s", tc.a, tc.b, diff)
		}
	}
}

func number(v float64) *float64 { return &v }

// madeUp is a run whose samples are given: a kernel, the copy and a rival.
func madeUp() *Run {
	units := &aesctr.Implementation{Name: "vaes-512"}
	r := &Run{
		rival: &rival{info: RivalInfo{"openssl", "OpenSSL 3.9", "gcc 99"}}, bounds: bounds{units: 0.1}, gaps: gaps{lost: 10, spun: 1000},
		report: &Report{ClockBefore: number(3), ClockAfter: number(3.3), AddsPerNs: 12},
	}
	add := func(s subject, size Size, allocs *float64, samples ...float64) {
		s.aesKey = 16
		ring := newRing(size)
		r.cells = append(r.cells, &cell{subject: &s, ring: ring, records: 1000, samples: samples, setupNs: 100, allocs: allocs})
	}
	for _, size := range []Size{{64, 64}, {4096, 4096}} {
		f := float64(size.Min) / 64
		add(subject{suite: suiteCopy, implementation: stdlib, call: CallPerRecord}, size, number(0), 2*f, 2*f, 3*f)
		add(subject{suite: "aes-128-ctr", implementation: "vaes-512", call: CallPerRecord, units: units}, size, number(0), 6*f, 5*f, 9*f)
		add(subject{suite: "aes-128-gcm", implementation: stdlib, call: CallPerRecord}, size, number(0), 60*f, 61*f)
		add(subject{suite: "aes-128-ctr", implementation: RivalOpenSSL, call: CallPerRecord}, size, nil, 60*f, 100*f, 72*f)
	}
	add(subject{suite: "aes-128-ctr", implementation: "vaes-512", call: CallBatch, units: units}, Size{30, 100}, number(0), 4, 5)
	add(subject{suite: "aes-128-ctr", implementation: stdlib, call: CallBatch}, Size{64, 64}, nil)
	return r
}

func TestRows(t *testing.T) {
	r := madeUp()
	r.fill(true)
	var kernel, mixed, rival *Row
	for i := range r.report.Rows {
		switch w := &r.report.Rows[i]; {
		case w.SizeMaxBytes != nil:
			mixed = w
		case w.Implementation == "vaes-512" && w.SizeBytes == 64:
			kernel = w
		case w.Implementation == RivalOpenSSL && w.SizeBytes == 64:
			rival = w
		}
	}
	if kernel == nil || mixed == nil || rival == nil || len(r.report.Rows) != 9 {
		t.Fatalf("rows: %+v", r.report.Rows)
	}
	name := "openssl"
	want := Row{
		Suite: "aes-128-ctr", Implementation: "vaes-512", Call: CallPerRecord, SizeBytes: 64,
		NsBest: 5, NsMedian: 6, GBPerS: 64.0 / 5, SetupNs: 100, Allocs: number(0),
		RatioToMemcpy: number(3), RatioToRival: number(10), Rival: &name, // of 3, 2.5, 3 and 10, 20, 8
		AESBoundNs: number(4), AESUtilisation: number(0.8), // 0.1 ns x 10 rounds x 4 blocks
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) })
	if diff := cmp.Diff(want, *kernel, near, cmp.FilterPath(unexported, cmp.Ignore())); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	if mixed.SizeBytes != 30 || *mixed.SizeMaxBytes != 100 || math.Abs(mixed.GBPerS*4-65) > 2 || mixed.RatioToMemcpy != nil {
		t.Errorf("row of mixed lengths: %+v", *mixed)
	}
	if rival.Allocs != nil || rival.RatioToRival != nil || rival.Rival != nil || rival.AESBoundNs != nil || *rival.RatioToMemcpy != 30 {
		t.Errorf("row of the rival: %+v", *rival)
	}
}

func unexported(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && f.Name()[0] >= 'a'
}

func TestWarnings(t *testing.T) {
	for name, tc := range map[string]struct {
		p    Report
		want []string
	}{
		"quiet":   {Report{ClockBefore: number(3), ClockAfter: number(3.1), GapShare: number(0.04)}, []string{}},
		"unknown": {Report{}, []string{}},
		"drift":   {Report{ClockBefore: number(3), ClockAfter: number(2.8)}, []string{"the clock ran at 3.00 GHz before and 2.80 GHz after: compare ratios, not times"}},
		"gaps": {Report{GapShare: number(0.2)}, []string{"20% of the time something else had the core: medians are too long, " +
			"trust best values and ratios only"}},
	} {
		if diff := cmp.Diff(tc.want, tc.p.doubts()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestText(t *testing.T) {
	for name, write := range map[string]func(*Report, *bytes.Buffer) error{
		"text.txt":    func(p *Report, b *bytes.Buffer) error { return p.WriteText(b) },
		"article.txt": func(p *Report, b *bytes.Buffer) error { return p.WriteArticle(b) },
	} {
		r := madeUp()
		r.fill(false)
		var b bytes.Buffer
		if err := write(r.report, &b); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, name, b.Bytes())
	}
}

func TestJSON(t *testing.T) {
	r := madeUp()
	r.fill(false)
	var b bytes.Buffer
	if err := r.report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema   string
		Complete *bool
		Rows     []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "walbench.ciphers/1" || doc.Complete == nil || *doc.Complete || len(doc.Rows) != 9 {
		t.Errorf("schema %q, complete %v, %d rows", doc.Schema, doc.Complete, len(doc.Rows))
	}
	for _, member := range []string{"size_max_bytes", "ratio_to_rival", "rival", "aes_bound_ns", "aes_utilisation"} {
		if v, there := doc.Rows[0][member]; !there || v != nil {
			t.Errorf("%s of the copy: %v, there %t; want null", member, v, there)
		}
	}
	empty := Run{report: &Report{}}
	empty.fill(false)
	b.Reset()
	if err := empty.report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{`"rows": []`, `"rivals": []`} {
		if !strings.Contains(b.String(), list) {
			t.Errorf("empty report has no %s:\n%s", list, b.String())
		}
	}
}

// benchstat's own reader takes what is written: a line a round.
func TestBenchfmt(t *testing.T) {
	r := madeUp()
	r.fill(true)
	var b bytes.Buffer
	if err := r.report.WriteBenchfmt(&b); err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{}
	for reader := benchfmt.NewReader(&b, "samples"); reader.Scan(); {
		res, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("not a result: %v", reader.Result())
		}
		seconds, _ := res.Value("sec/op")
		if speed, ok := res.Value("B/s"); !ok || speed <= 0 || res.Iters != 1000 {
			t.Errorf("%s: %v B/s, %d iterations", res.Name, speed, res.Iters)
		}
		values[string(res.Name.Full())] = append(values[string(res.Name.Full())], math.Round(seconds*1e9))
	}
	if len(values) != 9 {
		t.Errorf("%d benchmarks, want 9", len(values))
	}
	for name, want := range map[string][]float64{
		"Ciphers/suite=aes-128-ctr/impl=vaes-512/call=per-record/size=64": {6, 5, 9},
		"Ciphers/suite=aes-128-ctr/impl=vaes-512/call=batch/size=30-100":  {4, 5},
	} {
		if diff := cmp.Diff(want, values[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
