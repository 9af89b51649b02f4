package results

import (
	"reflect"
	"strings"
)

// Value is the metric's figure in s; ok is false if it is null.
func (m *Metric) Value(s *Strategy) (v float64, ok bool) {
	return lookup(reflect.ValueOf(s), m.Path)
}

// Runs is the metric's figure in every repetition of s that has it, in order;
// nil for metrics that are kept for the whole only.
func (m *Metric) Runs(s *Strategy) []float64 {
	var runs []float64
	for i := range s.Repetitions {
		if v, ok := lookup(reflect.ValueOf(&s.Repetitions[i]), m.Name); ok {
			runs = append(runs, v)
		}
	}
	return runs
}

// FindMetric looks a metric up by name.
func FindMetric(name string) (m Metric, ok bool) {
	for _, m := range Metrics() {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

// flatName turns a path into a name.
func flatName(path string) string { return strings.ReplaceAll(path, ".", "_") }

// lookup follows member names through structs and pointers to a number. It is
// false for a null on the way, a member that does not exist, and no number.
func lookup(v reflect.Value, path string) (float64, bool) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0, false
		}
		v = v.Elem()
	}
	switch {
	case path == "" && v.CanInt():
		return float64(v.Int()), true
	case path == "" && v.CanFloat():
		return v.Float(), true
	case path == "" || v.Kind() != reflect.Struct:
		return 0, false
	}
	name, rest, _ := strings.Cut(path, ".")
	field, ok := member(v, name)
	if !ok {
		return 0, false
	}
	return lookup(field, rest)
}

// member finds the field with JSON name among v's own and embedded ones.
func member(v reflect.Value, name string) (reflect.Value, bool) {
	for _, f := range reflect.VisibleFields(v.Type()) {
		if !f.Anonymous && f.Tag.Get("json") == name {
			return v.FieldByIndex(f.Index), true
		}
	}
	return reflect.Value{}, false
}
