package main

import (
	"fmt"
	"strings"
	"testing"
)

// Real pg_waldump reads what was written under PostgreSQL's locks too, with records
// of several updaters going in side by side, synchronously or not.
func TestPgWaldumpReadsLogsOfPostgresLocks(t *testing.T) {
	tool := pgWaldump(t)
	for _, w := range []struct {
		workload         string
		commits, atLeast int
		flags            []string
	}{
		{"insert", 10000, 20000, nil},
		{"worst-case", 20, 4000, nil},
		{"oltp", 4000, 12000, []string{"--synchronous-commit", "off", "--wal-writer-delay", "5ms"}},
	} {
		t.Run(w.workload, func(t *testing.T) {
			dir := quickDir(t)
			args := []string{"run", "--workload", w.workload, "--clients", "4", "--commits", fmt.Sprint(w.commits), "--warmup", "0s", "--runs", "1",
				"--strategy", strings.Join(pgDesigns, ","), "--segment-size", "1MB", "--wal-buffers", "256kB", "--lock", "postgres", "--device", "file:" + dir}
			mustCall(t, append(args, w.flags...)...)
			for _, design := range pgDesigns {
				t.Run(design, func(t *testing.T) { checkPgWaldump(t, tool, designFolder(t, dir, design), w.atLeast) })
			}
		})
	}
}
