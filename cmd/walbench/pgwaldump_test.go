package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/walsim/pgformat"
)

// pgWaldump finds PostgreSQL 15's pg_waldump. Where it is missing the test is
// left out, unless WALBENCH_REQUIRE_PG says that it must not be.
func pgWaldump(t *testing.T) string {
	t.Helper()
	candidates, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_waldump")
	if err != nil {
		t.Fatal(err)
	}
	if path, err := exec.LookPath("pg_waldump"); err == nil {
		candidates = append(candidates, path)
	}
	for _, path := range candidates {
		out, err := exec.Command(path, "--version").Output()
		if err == nil && regexp.MustCompile(`\) 15\.`).Match(out) {
			return path
		}
	}
	if os.Getenv("WALBENCH_REQUIRE_PG") != "" {
		t.Fatalf("no pg_waldump of PostgreSQL 15 (found %q), and WALBENCH_REQUIRE_PG is set", candidates)
	}
	t.Skip("no pg_waldump of PostgreSQL 15")
	return ""
}

// pgDesigns are all designs but those that only tests register.
var pgDesigns = append(strategies.Canonical(), "page-in-lock", "unsafe-zero-tail")

// pgWorkloads are runs whose logs cross pages and segments of 1 MB.
var pgWorkloads = []struct {
	workload         string
	clients, commits int
	records          int // at least
}{
	{"worst-case", 2, 20, 4000},
	{"oltp", 2, 4000, 12000},
	{"bulk", 2, 12, 12000},
	{"small", 2, 10500, 10500},
	{"insert", 2, 10000, 20000},
	{"trace:../../loadgen/testdata/worst_hot_ff50_1c_cut.csv.gz", 1, 8, 500},
	{"trace:../../loadgen/testdata/vacuum_full.csv.gz", 1, 1, 1500},
	{"wal:../../loadgen/testdata/seg1mb_mix_000000010000000000000019.gz", 2, 200, 1000},
}

// Real pg_waldump reads what every design has written, once it is decrypted,
// and finds the records that we find.
func TestPgWaldumpReadsEveryDesign(t *testing.T) {
	tool := pgWaldump(t)
	for _, w := range pgWorkloads {
		kind, _, _ := strings.Cut(filepath.Base(w.workload), ".")
		t.Run(kind, func(t *testing.T) {
			dir := quickDir(t)
			mustCall(t, "run", "--workload", w.workload, "--clients", fmt.Sprint(w.clients), "--commits", fmt.Sprint(w.commits),
				"--warmup", "0s", "--runs", "1", "--strategy", strings.Join(pgDesigns, ","), "--segment-size", "1MB", "--wal-buffers", "256kB", "--device", "file:"+dir)
			for _, design := range pgDesigns {
				t.Run(design, func(t *testing.T) {
					log := designFolder(t, dir, design)
					checkPgWaldump(t, tool, log, w.records)
				})
			}
		})
	}
}

// quickDir is a temporary folder in memory if there is one, since these runs sync
// ten thousands of times.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "walbench")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// designFolder is the folder of a design's log below that of a file device, with
// whatever suite is its default on this machine.
func designFolder(t *testing.T, dir, design string) string {
	t.Helper()
	for _, pattern := range []string{design, design + "_*"} {
		if found, err := filepath.Glob(filepath.Join(dir, pattern)); err == nil && len(found) == 1 {
			return found[0]
		}
	}
	t.Fatalf("no folder of %s", design)
	return ""
}

// pgReport is what the test needs of `recover --json`.
type pgReport struct {
	Segments          int
	Records           int
	First, Last, Kind string
}

func checkPgWaldump(t *testing.T, tool, log string, records int) {
	t.Helper()
	plain := filepath.Join(quickDir(t), "plain")
	json := filepath.Join(t.TempDir(), "report.json")
	ours := parseOurs(t, mustCall(t, "recover", "--records", "--plain", plain, "--json", json, log))
	report := readReport(t, json)
	if report.Kind != "clean" || report.Segments < 2 || report.Records != len(ours) || len(ours) < records {
		t.Fatalf("got %+v and %d lines, want a clean end, two segments, %d records", report, len(ours), records)
	}
	if _, err := os.Stat(filepath.Join(log, "master.key")); filepath.Base(log) == "none" {
		comparePlain(t, log, plain)
		plain = usedSegments(t, log, report) // what the run itself has written
	} else if err != nil {
		t.Error(err)
	}
	theirs, stderr, err := dump(tool, plain, report.First, report.Last)
	if err != nil || stderr != "" {
		t.Fatalf("pg_waldump -e %s: %v: %s", report.Last, err, stderr)
	}
	compareRecords(t, ours, parseTheirs(t, theirs))
	checkEnd(t, tool, plain, report)
}

func compareRecords(t *testing.T, ours, theirs []pgRecord) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Errorf("we read %d records, pg_waldump %d", len(ours), len(theirs))
	}
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != theirs[i] {
			t.Fatalf("record %d: ours %+v, pg_waldump's %+v", i, ours[i], theirs[i])
		}
	}
}

// checkEnd reads on to where pg_waldump gives up: that has to be our end, and
// nothing but that has to be wrong.
func checkEnd(t *testing.T, tool, plain string, report pgReport) {
	t.Helper()
	_, stderr, err := dump(tool, plain, report.First, "")
	m := regexp.MustCompile(`^pg_waldump: error: error in WAL record at \S+: invalid record length at (\S+): wanted 24, got 0\n$`).
		FindStringSubmatch(stderr)
	if err == nil || m == nil {
		t.Fatalf("pg_waldump without -e: %v: %q, want the end of the log only", err, stderr)
	}
	got, want := lsn(t, m[1]), pgformat.SegmentSize(1<<20).RecordStart(lsn(t, report.Last))
	if got != want {
		t.Errorf("pg_waldump ends at %v, we at %v", got, want)
	}
}

func dump(tool, dir, start, end string) (stdout, stderr string, err error) {
	args := []string{"-p", dir, "-s", start}
	if end != "" {
		args = append(args, "-e", end)
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(tool, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func readReport(t *testing.T, name string) pgReport {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Segments, Records int
		FirstLSN          string `json:"first_lsn"`
		EndLSN            string `json:"end_lsn"`
		End               string
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return pgReport{r.Segments, r.Records, r.FirstLSN, r.EndLSN, r.End}
}

// pgRecord is what both tools say of a record.
type pgRecord struct {
	lsn, prev           pgformat.LSN
	rmgr, typ           string
	xid, recLen, totLen int
}

var (
	theirLine = regexp.MustCompile(`^rmgr: (?P<rmgr>\S+) +len \(rec/tot\): *(?P<rec>\d+)/ *(?P<tot>\d+), tx: *(?P<tx>\d+), ` +
		`lsn: (?P<lsn>\S+), prev (?P<prev>\S+), desc: (?P<type>\S+)`)
	ourLine = regexp.MustCompile(`^lsn: (?P<lsn>\S+), prev (?P<prev>\S+), rmgr: (?P<rmgr>\S+), type: (?P<type>\S+), ` +
		`tx: (?P<tx>\d+), len \(rec/tot\): (?P<rec>\d+)/(?P<tot>\d+), images: \d+$`)
)

func parseTheirs(t *testing.T, text string) []pgRecord { return parseRecords(t, text, theirLine) }
func parseOurs(t *testing.T, text string) []pgRecord   { return parseRecords(t, text, ourLine) }

func parseRecords(t *testing.T, text string, format *regexp.Regexp) []pgRecord {
	t.Helper()
	var list []pgRecord
	for line := range strings.Lines(text) {
		m := format.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Fatalf("not a record: %q", line)
		}
		field := func(name string) string { return m[format.SubexpIndex(name)] }
		number := func(name string) int {
			n, err := strconv.Atoi(field(name))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		list = append(list, pgRecord{
			lsn: lsn(t, field("lsn")), prev: lsn(t, field("prev")), rmgr: field("rmgr"), typ: field("type"),
			xid: number("tx"), recLen: number("rec"), totLen: number("tot"),
		})
	}
	return list
}

func lsn(t *testing.T, text string) pgformat.LSN {
	t.Helper()
	l, err := pgformat.ParseLSN(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// comparePlain: what `recover --plain` makes of an unencrypted log is the log.
func comparePlain(t *testing.T, log, plain string) {
	t.Helper()
	for _, name := range segmentNames(t, plain) {
		want, errLog := os.ReadFile(filepath.Join(log, name))
		got, errPlain := os.ReadFile(filepath.Join(plain, name))
		if errLog != nil || errPlain != nil {
			t.Fatal(errLog, errPlain)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("segment %s of the unencrypted log changed when it was recovered", name)
		}
	}
}

func segmentNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if pgformat.IsSegmentName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if !slices.IsSorted(names) || len(names) == 0 {
		t.Fatalf("segments in %s: %q", dir, names)
	}
	return names
}

// usedSegments copies a log without the zero-filled segments made ahead:
// pg_waldump may look for the segment size in one of them.
func usedSegments(t *testing.T, log string, report pgReport) string {
	t.Helper()
	to := quickDir(t)
	names := segmentNames(t, log)
	if len(names) < report.Segments {
		t.Errorf("%d segments, of which %d are used", len(names), report.Segments)
	}
	for _, name := range names[:report.Segments] {
		text, err := os.ReadFile(filepath.Join(log, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}
