package main

import (
	"fmt"
	"io"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/strategies/aesctr"
)

// kernelReport is what `env --json` says of the implementations of AES in
// counter mode.
type kernelReport struct {
	Selected        string        `json:"selected"`
	Implementations []kernelEntry `json:"implementations"` // the preferred ones first
}

type kernelEntry struct {
	Name      string  `json:"name"`
	Supported bool    `json:"supported"`
	Missing   *string `json:"missing"` // null: nothing
}

// selectedKernel refuses a WALBENCH_AESCTR that names no implementation that can
// run here: commands that encrypt, decrypt or describe call it before they do
// anything.
func selectedKernel() (*aesctr.Implementation, error) {
	i, err := aesctr.Selected()
	if err != nil {
		return nil, &experiment.UsageError{Err: err}
	}
	return i, nil
}

func newKernelReport(selected *aesctr.Implementation) kernelReport {
	r := kernelReport{Selected: selected.Name}
	for _, i := range aesctr.Implementations() {
		e := kernelEntry{Name: i.Name, Supported: i.Supported()}
		if !e.Supported {
			e.Missing = &i.Missing
		}
		r.Implementations = append(r.Implementations, e)
	}
	return r
}

// writeText says the same in lines that look like those of the host.
func (r *kernelReport) writeText(w io.Writer) error {
	for _, e := range r.Implementations {
		text := "can run here"
		switch {
		case e.Missing != nil:
			text = "cannot run here: needs " + *e.Missing
		case e.Name == r.Selected:
			text = "selected"
		}
		if _, err := fmt.Fprintf(w, "%-12s %-9s %s\n", "aes-ctr", e.Name, text); err != nil {
			return err
		}
	}
	return nil
}
