package results

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leaves lists the paths of all numbers below type t.
func leaves(t reflect.Type, path string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64:
		return []string{path}
	case t.Kind() != reflect.Struct:
		return nil
	}
	var list []string
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			list = append(list, leaves(f.Type, strings.TrimPrefix(path+"."+f.Tag.Get("json"), "."))...)
		}
	}
	return list
}

// TestEveryNumberIsAMetric walks the schema: each number has a metric, is the
// range or the runs of one, or stands in a repetition under a metric's name.
func TestEveryNumberIsAMetric(t *testing.T) {
	var paths, names, medians []string
	for _, m := range Metrics() {
		paths, names = append(paths, m.Path), append(names, m.Name)
		if base, ok := strings.CutSuffix(m.Path, ".median"); ok {
			medians = append(medians, base+".low", base+".high", base+".runs")
		}
	}
	known := slices.Concat(paths, medians, []string{"repetitions.repetition", "repetitions.window_ns"})
	all := leaves(reflect.TypeFor[Strategy](), "")
	for _, leaf := range all {
		inRepetition := strings.TrimPrefix(leaf, "repetitions.")
		if !slices.Contains(known, leaf) && (inRepetition == leaf || !slices.Contains(names, inRepetition)) {
			t.Errorf("%s has no metric", leaf)
		}
	}
	for _, p := range paths {
		if !slices.Contains(all, p) {
			t.Errorf("metric path %s is not in the schema", p)
		}
	}
	if len(all) < 120 {
		t.Errorf("found only %d numbers in the schema", len(all))
	}
}

func TestMetricsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.Name] {
			t.Errorf("%s: two metrics of that name", m.Name)
		}
		seen[m.Name] = true
		if m.Meaning == "" || m.Better != Lower && m.Better != Higher && m.Better != NoDirection {
			t.Errorf("%s: meaning %q, direction %q", m.Name, m.Meaning, m.Better)
		}
		plain := m.Unit == Count || m.Unit == Ratio
		if !plain && !strings.Contains("_"+m.Name+"_", "_"+string(m.Unit)+"_") {
			t.Errorf("%s: unit %s is not in the name", m.Name, m.Unit)
		}
		if found, ok := FindMetric(m.Name); !ok || found != m {
			t.Errorf("%s cannot be found by name", m.Name)
		}
	}
	if _, ok := FindMetric("speed"); ok {
		t.Error("found a metric that does not exist")
	}
}

// TestDirections spells out those that a gate must not get wrong.
func TestDirections(t *testing.T) {
	for name, want := range map[string]Direction{
		"throughput_tps": Higher, "relative_throughput": Higher, "recovery_mb_per_s": Higher,
		"lock_held_ns_per_commit": Lower, "relative_lock_held": Lower, "relative_lock_hold_p50": Lower, "lock_wait_ns_p99": Lower, "commit_latency_ns_mean": Lower,
		"encrypted_bytes_per_real_byte": Lower, "log_growth": Lower, "verified_lost": Lower, "real_bytes": NoDirection,
	} {
		if m, ok := FindMetric(name); !ok || m.Better != want {
			t.Errorf("%s: got %q, want %q", name, m.Better, want)
		}
	}
}

func TestMetricValues(t *testing.T) {
	s := testRun(t).Strategies[2] // in-lock
	for name, want := range map[string]float64{
		"throughput_tps": 1250, "relative_throughput": 0.75, "lock_hold_ns_max": 4002, "commits": 3000,
		"encrypted_bytes_per_real_byte": 20, "verified_records_acknowledged": 6600,
		"lock_hold_cpu_ns_mean": 1110, "instrument_ns_per_hold": 200, "device_lateness_count": 9, "device_lateness_ns_max": 5000,
		"noise_gap_share": 0.12, "noise_steal_share": 0.02, "lock_hold_sampled_every": 64,
	} {
		m, _ := FindMetric(name)
		if v, ok := m.Value(&s); !ok || v != want {
			t.Errorf("%s: got %v, %v, want %v", name, v, ok, want)
		}
	}
	for _, name := range []string{"locks_insert_hold_ns_p50", "cores"} {
		if m, ok := FindMetric(name); !ok {
			t.Errorf("%s is no metric", name)
		} else if v, ok := m.Value(&s); ok {
			t.Errorf("%s: got %v, want null", name, v)
		}
	}
	m, _ := FindMetric("relative_throughput")
	if diff := cmp.Diff([]float64{0.5, 0.8, 0.75}, m.Runs(&s)); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	m, _ = FindMetric("noise_gap_share")
	if diff := cmp.Diff([]float64{0.004, 0.004, 0.12}, m.Runs(&s)); diff != "" {
		t.Errorf("noise (-want +got):\n%s", diff)
	}
	m, _ = FindMetric("images")
	if runs := m.Runs(&s); runs != nil {
		t.Errorf("images by repetition: got %v, want nil", runs)
	}
}
