package results

import (
	"bytes"
	"strings"
	"testing"
)

// limited is an entry that a resource limits.
func limited(name, resource string, tps, relative float64) Strategy {
	s := Strategy{Workload: "worst-case", Name: name, Suite: "s", Cores: ptr(32)}
	s.ThroughputTPS.Median = &tps
	if resource != "" {
		s.Limits = &Limits{Resource: resource}
	}
	if relative > 0 {
		s.RelativeThroughput = &Range{Median: &relative}
	}
	return s
}

func TestWhatIfSentence(t *testing.T) {
	for want, c := range map[string]struct{ before, with Strategy }{
		"With a sync of 100us the lock no longer limits batched-ctr: the device does (throughput 0.41 of before).": {
			limited("batched-ctr", LimitLock, 1000, 0), limited("batched-ctr", LimitDevice, 410, 0)},
		"With a sync of 100us the lock still limits in-lock (throughput 0.41 of before; against none 0.95, before 0.80).": {
			limited("in-lock", LimitLock, 1000, 0.8), limited("in-lock", LimitLock, 410, 0.95)},
		"With a sync of 100us the cores no longer limit in-lock: the number of updaters does (throughput 1.50 of before; against none 0.801, before 0.800).": {
			limited("in-lock", LimitCores, 1000, 0.8), limited("in-lock", LimitUpdaters, 1500, 0.801)},
		"With a sync of 100us the memory no longer limits none: the cores do (throughput 0.999 of before).": {
			limited("none", LimitMemory, 1000, 1), limited("none", LimitCores, 999, 1)},
		"With a sync of 100us the write-lock still limits none (throughput as before).": {
			limited("none", "write-lock", 1000, 1), limited("none", "write-lock", 1000, 1)},
		"With a sync of 100us the lock still limits in-lock (throughput 0.90 of before; against none 0.80 as before).": {
			limited("in-lock", LimitLock, 1000, 0.8), limited("in-lock", LimitLock, 900, 0.8)},
		"With a sync of 100us nobody knows what limits none.": {Strategy{Name: "none"}, limited("none", LimitLock, 1, 1)},
	} {
		if got := WhatIfSentence("a sync of 100us", c.before.Name, &c.before, &c.with); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	before, with := limited("none", LimitLock, 1, 1), limited("none", LimitLock, 1, 1)
	if s := WhatIfSentence("\x1b[31m", "none", &before, &with); strings.ContainsRune(s, '\x1b') {
		t.Errorf("%q reaches a terminal", s)
	}
}

// Each entry has its counterpart: of as many cores if there is one.
func TestAddWhatIf(t *testing.T) {
	on := func(cores int, s Strategy) Strategy {
		s.Cores = &cores
		return s
	}
	r, changed := NewRun(ModelledKind, testConfig(), nil), NewRun(ModelledKind, testConfig(), nil)
	r.Strategies = []Strategy{
		on(8, limited("none", LimitLock, 100, 1)), on(32, limited("none", LimitLock, 200, 1)), on(32, limited("in-lock", LimitLock, 100, 0.5)),
	}
	changed.Strategies = []Strategy{on(8, limited("none", LimitLock, 50, 1)), on(32, limited("none", LimitDevice, 150, 1))}
	r.AddWhatIf(Change{"sync-latency", "1ms", "a sync of 1ms"}, changed)
	only := NewRun(ModelledKind, testConfig(), nil)
	only.Strategies = []Strategy{on(4, limited("none", LimitCores, 100, 1)), on(4, limited("in-lock", LimitCores, 25, 0.25))}
	r.AddWhatIf(Change{"cores", "4", "4 cores"}, only)
	var got []string
	for _, w := range r.WhatIfs {
		got = append(got, w.Sentence)
	}
	want := []string{
		"With a sync of 1ms the lock still limits none on 8 cores (throughput 0.50 of before).",
		"With a sync of 1ms the lock no longer limits none on 32 cores: the device does (throughput 0.75 of before).",
		"With 4 cores the lock no longer limits none on 8 cores: the cores do (throughput as before).",
		"With 4 cores the lock no longer limits none on 32 cores: the cores do (throughput 0.50 of before).",
		"With 4 cores the lock no longer limits in-lock on 32 cores: the cores do (throughput 0.25 of before; against none 0.25, before 0.50).",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	w := r.WhatIfs[4]
	if w.Knob != "cores" || w.Value != "4" || w.Strategy != "in-lock" || *w.Limit != LimitCores || *w.ThroughputTPS != 25 ||
		*w.RelativeToBefore != 0.25 || *w.RelativeThroughput != 0.25 || *w.Cores != 32 {
		t.Errorf("%+v", w)
	}
	if text := table(t, r); !strings.Contains(strings.Join(strings.Fields(text), " "), want[4]) {
		t.Errorf("not in the table:\n%s", text)
	}
}

// Without a what-if the list is there, and empty.
func TestNoWhatIfs(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, NewRun(Measured, testConfig(), nil)); err != nil || !strings.Contains(b.String(), `"what_ifs": []`) {
		t.Errorf("%v in\n%s", err, b.String())
	}
}
