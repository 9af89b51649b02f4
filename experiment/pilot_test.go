package experiment

import (
	"errors"
	"strings"
	"testing"

	"github.com/walbench/walbench/internal/vfs"
)

// A profile that charges nothing never fills a pilot run: that is said, and not tried
// for ever.
func TestPilotOfNoCosts(t *testing.T) {
	p := modelProfile(t, nil)
	for _, name := range p.Inputs() {
		p = p.Scaled(name, 0, 1) // the least that it may be
	}
	r, err := NewRun(Config{FS: vfs.NewMem(), Workloads: []string{"small"}, Strategies: []string{"none"}, Device: "null", VirtualCores: []int{2}, Profile: p})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Execute(make(chan struct{}), func(Progress) {})
	var usage *UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "ask for --commits") {
		t.Errorf("error %v, want a usage error that says what to do", err)
	}
}
