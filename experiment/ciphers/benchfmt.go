package ciphers

import (
	"fmt"
	"io"
	"runtime"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt writes every round of every row in Go's benchmark format, for
// benchstat and its like.
func (r *Report) WriteBenchfmt(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	config := []benchfmt.Config{
		{Key: "goos", Value: []byte(runtime.GOOS), File: true},
		{Key: "goarch", Value: []byte(runtime.GOARCH), File: true},
	}
	if r.Host.CPU.Brand != nil {
		config = append(config, benchfmt.Config{Key: "cpu", Value: []byte(*r.Host.CPU.Brand), File: true})
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		name := fmt.Sprintf("Ciphers/suite=%s/impl=%s/call=%s/size=%s", row.Suite, row.Implementation, row.Call, row.Size())
		for _, ns := range row.rounds {
			err := out.Write(&benchfmt.Result{
				Config: config, Name: benchfmt.Name(name), Iters: 1,
				Values: []benchfmt.Value{
					{Value: ns, Unit: "ns/op"}, {Value: row.GBPerS * 1000 * row.NsPerRecord / ns, Unit: "MB/s"},
				},
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
