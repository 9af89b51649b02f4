package ciphers

import (
	"io"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt prints one line a row and round in the format of Go benchmarks,
// for benchstat.
func (p *Report) WriteBenchfmt(w io.Writer) error {
	b := benchfmt.NewWriter(w)
	config := []benchfmt.Config{
		{Key: "goos", Value: []byte(p.Host.OS), File: true},
		{Key: "goarch", Value: []byte(p.Host.Arch), File: true},
	}
	if cpu := p.Host.CPU.Brand; cpu != nil {
		config = append(config, benchfmt.Config{Key: "cpu", Value: []byte(*cpu), File: true})
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		for _, ns := range r.samples {
			if err := b.Write(&benchfmt.Result{Config: config, Name: r.benchmark(), Iters: r.records, Values: r.values(ns)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchmark is the row's name; the writer puts Benchmark before it.
func (r *Row) benchmark() benchfmt.Name {
	return benchfmt.Name("Ciphers/suite=" + r.Suite + "/impl=" + r.Implementation + "/call=" + r.Call + "/size=" + r.size.String())
}

func (r *Row) values(ns float64) []benchfmt.Value {
	return []benchfmt.Value{{Value: ns, Unit: "ns/op"}, {Value: r.meanBytes / ns * 1e3, Unit: "MB/s"}}
}
