package results

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// TableWidth is the widest line WriteTable prints, in characters.
const TableWidth = 100

// WriteTable prints r for people: for each workload a headline, a table, what
// it means in words, and where the time of a hold went; measured and modelled
// ones apart; then what times were taken with, and the numbered warnings.
func WriteTable(w io.Writer, r *Run) error {
	var b bytes.Buffer
	notes := slices.Clone(r.Warnings)
	for _, k := range r.blocks() {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if err := k.write(&b); err != nil {
			return err
		}
	}
	lines := coresLines(r.Strategies)
	if r.Modelled != nil {
		lines = append(lines, coresLines(r.Modelled.Strategies)...)
	}
	writeLines(&b, lines...)
	writeLines(&b, whatIfLines(r.WhatIfs)...)
	writeLines(&b, r.instrumentLine(), r.latenessLine())
	notes = append(notes, readBackNotes(r.Strategies)...)
	if r.Modelled != nil {
		notes = append(notes, readBackNotes(r.Modelled.Strategies)...)
	}
	writeNotes(&b, r.Complete, notes)
	_, err := w.Write(b.Bytes())
	return err
}

// block is one workload's part of the text.
type block struct {
	headline string
	clients  int
	cores    int // that updaters ran on; 0 if unknown or modelled
	modelled bool
	rows     []*Strategy
}

// blocks are the workloads measured, then the modelled ones.
func (r *Run) blocks() []block {
	if r.Kind == ModelledKind {
		return r.modelledBlocks(r.Strategies, r.Config.Clients, r.Config.Profile, r.Config.VirtualCores)
	}
	cores, place := 0, "measured"
	if r.Host != nil {
		cores = min(r.Host.Cores.Usable, r.Host.GOMAXPROCS)
	}
	if cores > 0 {
		place += " on " + plural(cores, "core")
	}
	list := r.blocksOf(r.Strategies, r.Config.Clients, cores, place)
	if m := r.Modelled; m != nil {
		clients := r.Config.Clients
		if m.Clients != nil {
			clients = *m.Clients
		}
		list = append(list, r.modelledBlocks(m.Strategies, clients, &m.Profile, &m.Cores)...)
	}
	return list
}

// modelledBlocks has a block for each number of cores that a workload was modelled
// on; of those that do not say it, all says it, if anything does.
func (r *Run) modelledBlocks(list []Strategy, clients int, profile *string, all *int) (blocks []block) {
	for _, workload := range workloadsOf(list) {
		for _, cores := range coresOf(list, workload) {
			var some []Strategy
			for i := range list {
				if s := &list[i]; s.Workload == workload && coresOr(s, 0) == cores {
					some = append(some, list[i])
				}
			}
			place := "modelled"
			if n := cores; n > 0 {
				place += " on " + plural(n, "core")
			} else if all != nil {
				place += " on " + plural(*all, "core")
			}
			if profile != nil {
				place += " with profile " + *profile
			}
			for _, k := range r.blocksOf(some, clients, 0, place) {
				k.modelled = true
				blocks = append(blocks, k)
			}
		}
	}
	return blocks
}

func coresOr(s *Strategy, or int) int {
	if s.Cores == nil {
		return or
	}
	return *s.Cores
}

// coresOf lists the numbers of cores of a workload's entries, rising.
func coresOf(list []Strategy, workload string) (cores []int) {
	for i := range list {
		if n := coresOr(&list[i], 0); list[i].Workload == workload && !slices.Contains(cores, n) {
			cores = append(cores, n)
		}
	}
	slices.Sort(cores)
	return cores
}

func (r *Run) blocksOf(list []Strategy, clients, cores int, place string) (blocks []block) {
	for _, workload := range workloadsOf(list) {
		k := block{clients: clients, cores: cores}
		runs := 0
		for i := range list {
			if list[i].Workload == workload {
				k.rows = append(k.rows, &list[i])
				runs = max(runs, len(list[i].Repetitions))
			}
		}
		k.headline = fmt.Sprintf("%s: %s, %s lock, device %s, %s, %s", workload, plural(clients, "updater"),
			r.Config.Lock, r.Config.deviceText(), plural(runs, "run"), place)
		blocks = append(blocks, k)
	}
	return blocks
}

// workloadsOf lists the workloads in the order of their blocks.
func workloadsOf(list []Strategy) []string {
	var names []string
	for i := range list {
		if !slices.Contains(names, list[i].Workload) {
			names = append(names, list[i].Workload)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return workloadRank(a) - workloadRank(b) })
	return names
}

func (k *block) write(b *bytes.Buffer) error {
	writeWrapped(b, "", "  ", k.headline)
	if k.modelled {
		return k.writeModelled(b)
	}
	if err := comparison.write(b, k.rows); err != nil {
		return err
	}
	writeLines(b, holdLine(k.rows), k.boundLine())
	if err := writeWaits(b, k.rows); err != nil {
		return err
	}
	return writePhases(b, k.rows)
}

// writeModelled prints a block whose figures no clock has seen.
func (k *block) writeModelled(b *bytes.Buffer) error {
	main := comparison
	if !slices.ContainsFunc(k.rows, func(s *Strategy) bool { return s.Verified != nil }) {
		main = comparison.withoutLast()
	}
	if err := main.write(b, k.rows); err != nil {
		return err
	}
	if err := writeWaits(b, k.rows); err != nil {
		return err
	}
	if err := writeWhy(b, k.rows); err != nil {
		return err
	}
	if err := writeRanges(b, k.rows); err != nil {
		return err
	}
	return writePhases(b, k.rows)
}

// withoutLast is the table without its last column.
func (g *grid) withoutLast() grid {
	n := len(g.headers) - 1
	return grid{headers: g.headers[:n], figures: func(s *Strategy) []string { return g.figures(s)[:n] }}
}

// comparison is the main table. It leads with the time the lock is held, which
// designs are compared by: commits a second depend on the number of cores too.
var comparison = grid{
	headers: []string{"held ns\n/commit", "vs\nnone", "hold\np50", "hold\np99", "encr\nB/B", "writ\nB/B", "log\ngrowth",
		"commits\n/s", "vs\nnone", "read\nback"},
	figures: func(s *Strategy) []string {
		return []string{
			amount(s.LockHeldNsPerCommit), share(s.RelativeLockHeld.median()),
			duration(s.LockHoldNs.P50), duration(s.LockHoldNs.P99),
			perByte(s.EncryptedBytesPerRealByte), perByte(s.WrittenBytesPerRealByte), percent(s.LogGrowth),
			amount(s.ThroughputTPS.Median), share(s.RelativeThroughput.median()), readBack(s),
		}
	},
}

// median is nil for no range.
func (r *Range) median() *float64 {
	if r == nil {
		return nil
	}
	return r.Median
}

func writeNotes(b *bytes.Buffer, complete bool, notes []string) {
	if !complete {
		notes = append([]string{"this is a partial result: the run did not get to its end"}, notes...)
	}
	if len(notes) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("warnings:\n")
	for i, n := range notes {
		writeWrapped(b, fmt.Sprintf("%3d. ", i+1), "     ", n)
	}
}
