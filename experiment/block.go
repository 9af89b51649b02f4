package experiment

import (
	"errors"
	"strings"

	"github.com/walbench/walbench/results"
)

// ModelledCores is the number of virtual cores of the modelled block of a measured
// run: the article's.
const ModelledCores = 32

// addBlock models the same workloads and strategies on more cores than there are
// here, and puts the figures beside the measured ones. What the profile cannot say
// is a warning, and no reason to lose what has been measured.
func (r *Run) addBlock(res *results.Run, stop <-chan struct{}) error {
	if r.cfg.BlockCores == 0 || r.gates.isStopped() {
		return nil
	}
	cfg := r.cfg
	cfg.BlockCores, cfg.VirtualCores, cfg.Ranges = 0, []int{r.cfg.BlockCores}, true
	cfg.Runs, cfg.Commits, cfg.Duration, cfg.Warmup = 0, 0, 0, -1
	if strings.HasPrefix(cfg.Device, "file:") {
		cfg.Device = ProfileDevice
	}
	m, err := NewRun(cfg)
	if usage := (*UsageError)(nil); errors.As(err, &usage) {
		res.Warn("no modelled figures: " + err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	modelled, err := m.Execute(stop, nil)
	if modelled == nil || len(modelled.Strategies) == 0 {
		return err
	}
	res.Warn(modelled.Warnings...)
	res.Modelled = &results.Modelled{
		Profile: cfg.Profile.Name, Cores: r.cfg.BlockCores, DataPlane: m.model.plane(), Strategies: modelled.Strategies,
	}
	return err
}
