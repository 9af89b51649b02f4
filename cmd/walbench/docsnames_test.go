package main

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/walbench/walbench/experiment"
	"github.com/walbench/walbench/experiment/ciphers"
	"github.com/walbench/walbench/internal/hostinfo"
	"github.com/walbench/walbench/internal/vfs"
	"github.com/walbench/walbench/results"
	"github.com/walbench/walbench/simtime"
	"github.com/walbench/walbench/strategies"
	"github.com/walbench/walbench/strategies/aesctr"
	"github.com/walbench/walbench/walsim"
	"github.com/walbench/walbench/walsim/pgformat"
)

var (
	docLink = regexp.MustCompile(`\]\(([^)]+)\)`)
	docPath = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+\.(go|md|gz)$`)
)

// Links lead somewhere, anchors included, and files named in the text exist.
func TestDocsLinks(t *testing.T) {
	for _, d := range docFiles(t) {
		d.prose(func(line string) {
			for _, m := range docLink.FindAllStringSubmatch(line, -1) {
				d.checkLink(t, m[1])
			}
		})
		for _, span := range d.spans() {
			if !docPath.MatchString(span) {
				continue
			}
			if _, err := os.Stat(filepath.Join(repository, span)); err != nil {
				t.Errorf("%s: %s: %v", d.name, span, err)
			}
		}
	}
}

func (d *docFile) checkLink(t *testing.T, link string) {
	t.Helper()
	if strings.Contains(link, "://") {
		return
	}
	file, anchor, hasAnchor := strings.Cut(link, "#")
	target := d.name
	if file != "" {
		target = path.Join(path.Dir(d.name), file)
	}
	if _, err := os.Stat(filepath.Join(repository, target)); err != nil {
		t.Errorf("%s: link %s: %v", d.name, link, err)
		return
	}
	if hasAnchor && !slices.Contains(readDoc(t, target).anchors(), anchor) {
		t.Errorf("%s: link %s: no such heading", d.name, link)
	}
}

var notInAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)

// anchors are those that GitHub makes of the headings.
func (d *docFile) anchors() (list []string) {
	d.prose(func(line string) {
		if level, title, found := strings.Cut(line, " "); found && strings.Trim(level, "#") == "" && level != "" {
			title = notInAnchor.ReplaceAllString(strings.ToLower(title), "")
			list = append(list, strings.ReplaceAll(title, " ", "-"))
		}
	})
	return list
}

// Every folder with Go code is one step away from the README.
func TestDocsMap(t *testing.T) {
	var links []string
	for _, row := range readDoc(t, "README.md").tableAfter(t, "## Map of the folders") {
		links = append(links, docLink.FindStringSubmatch(row[0])[1])
	}
	found := 0
	err := filepath.WalkDir(repository, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && name != repository) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		found++
		rel, err := filepath.Rel(repository, filepath.Dir(name))
		if err == nil && !slices.Contains(links, filepath.ToSlash(rel)+"/") {
			t.Errorf("the map of the README has no %s/, where %s is", rel, e.Name())
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d Go files found: %v", found, err)
	}
}

// The README's row of suites names every cipher, and every implementation that
// this build has, and nothing that does not exist.
func TestDocsSuites(t *testing.T) {
	known := map[string]bool{"/vaes-512": true, "/vaes-256": true, "/aes-ni": true} // of builds with kernels
	want := map[string]bool{}
	for _, s := range strategies.Suites() {
		want[s.Cipher] = true
	}
	for _, i := range aesctr.Implementations() {
		if i.Name != "stdlib" {
			want["/"+i.Name] = true
		}
	}
	got := map[string]bool{}
	for _, row := range readDoc(t, "README.md").tableAfter(t, "A prototype, and a first version of it. What exists:") {
		if row[0] != "suites" {
			continue
		}
		for _, span := range spansOf(row[1]) {
			got[span] = true
			if !want[span] && !known[span] {
				t.Errorf("README: there is no suite or implementation %s", span)
			}
		}
	}
	for name := range want {
		if !got[name] {
			t.Errorf("README: the row of suites has no %s", name)
		}
	}
}

// The tables of JSON members in docs/format.md have the members of the types.
func TestDocsFields(t *testing.T) {
	types := map[string]reflect.Type{
		"results.Run":              reflect.TypeFor[results.Run](),
		"results.Config":           reflect.TypeFor[results.Config](),
		"results.WhatIf":           reflect.TypeFor[results.WhatIf](),
		"results.Strategy":         reflect.TypeFor[results.Strategy](),
		"results.Throughput":       reflect.TypeFor[results.Throughput](),
		"results.LockHold":         reflect.TypeFor[results.LockHold](),
		"results.Phases":           reflect.TypeFor[results.Phases](),
		"results.CPUTime":          reflect.TypeFor[results.CPUTime](),
		"results.Lateness":         reflect.TypeFor[results.Lateness](),
		"results.Instrument":       reflect.TypeFor[results.Instrument](),
		"results.Verified":         reflect.TypeFor[results.Verified](),
		"results.Repetition":       reflect.TypeFor[results.Repetition](),
		"results.Sensitivity":      reflect.TypeFor[results.Sensitivity](),
		"results.Limits":           reflect.TypeFor[results.Limits](),
		"results.Modelled":         reflect.TypeFor[results.Modelled](),
		"results.Reproduction":     reflect.TypeFor[results.Reproduction](),
		"results.ReproductionRow":  reflect.TypeFor[results.ReproductionRow](),
		"results.Crossover":        reflect.TypeFor[results.Crossover](),
		"experiment.RecoverReport": reflect.TypeFor[experiment.RecoverReport](),
		"experiment.RecoverDamage": reflect.TypeFor[experiment.RecoverDamage](),
		"results.Validation":       reflect.TypeFor[results.Validation](),
		"results.ValidationCell":   reflect.TypeFor[results.ValidationCell](),
		"results.ValidationSide":   reflect.TypeFor[results.ValidationSide](),
		"ciphers.Report":           reflect.TypeFor[ciphers.Report](),
		"ciphers.Row":              reflect.TypeFor[ciphers.Row](),
		"ciphers.RivalInfo":        reflect.TypeFor[ciphers.RivalInfo](),
		"hostinfo.Host":            reflect.TypeFor[hostinfo.Host](),
		"strategies.Range":         reflect.TypeFor[strategies.Range](),
		"simtime.Profile":          reflect.TypeFor[simtime.Profile](),
		"simtime.Number":           reflect.TypeFor[simtime.Number](),
	}
	d := readDoc(t, "docs/format.md")
	for name, typ := range types {
		var want, got []string
		for _, f := range reflect.VisibleFields(typ) {
			if tag := f.Tag.Get("json"); tag != "" {
				want = append(want, tag)
			}
		}
		for _, row := range d.tableAfter(t, "<!-- fields: "+name+" -->") {
			got = append(got, spansOf(row[0])...)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-code +document):\n%s", name, diff)
		}
	}
}

// The tables of bytes in docs/format.md say where the code puts what.
func TestDocsBytes(t *testing.T) {
	d := readDoc(t, "docs/format.md")
	checkBytes(t, d, "page header", pageHeaderBytes(), map[string]uint64{
		"magic": pgformat.Magic15, "info": pgformat.LongHeader, "timeline": 0x01020304,
		"page_address": 0x1112131415161718, "rem_len": 0x21222324, "system_id": 0x3132333435363738,
		"segment_size": 0x41424344, "block_size": pgformat.PageSize,
	})
	checkBytes(t, d, "record header", recordHeaderBytes(), map[string]uint64{
		"tot_len": 0x01020304, "xid": 0x11121314, "prev": 0x2122232425262728, "info": 0x31, "rmid": 0x41, "crc": 0x51525354,
	})
	control := controlBytes(t)
	checkBytes(t, d, "control file", control, map[string]uint64{
		"magic": binary.LittleEndian.Uint64([]byte("WLBCTL01")), "seq": 1, "system_id": 0x0102030405060708,
		"timeline": 0x11121314, "segment_size": 1 << 20, "start_lsn": 0x2122232425262728, "oldest_lsn": 0x3132333435363738,
		"durable_lsn": 0x4142434445464748, "redo_lsn": 0x5152535455565758, "crc": uint64(pgformat.CRC(0, control[:508])),
	})
}

func pageHeaderBytes() []byte {
	b := make([]byte, pgformat.LongHeaderSize)
	h := pgformat.PageHeader{
		Magic: pgformat.Magic15, Info: pgformat.LongHeader, TLI: 0x01020304, PageAddr: 0x1112131415161718,
		RemLen: 0x21222324, SysID: 0x3132333435363738, SegSize: 0x41424344, BlockSize: pgformat.PageSize,
	}
	h.Encode(b)
	return b
}

func recordHeaderBytes() []byte {
	b := make([]byte, pgformat.RecordHeaderSize)
	h := pgformat.RecordHeader{
		TotLen: 0x01020304, Xid: 0x11121314, Prev: 0x2122232425262728, Info: 0x31, RMID: 0x41, CRC: 0x51525354,
	}
	h.Encode(b)
	return b
}

// controlBytes is the first copy of a new control file.
func controlBytes(t *testing.T) []byte {
	t.Helper()
	mem := vfs.NewMem()
	if err := mem.MkdirAll("log", 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := walsim.CreateControl(mem, "log", walsim.Control{
		SysID: 0x0102030405060708, TLI: 0x11121314, SegSize: 1 << 20, StartLSN: 0x2122232425262728,
		OldestLSN: 0x3132333435363738, DurableLSN: 0x4142434445464748, RedoLSN: 0x5152535455565758,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := vfs.ReadFile(mem, path.Join("log", walsim.ControlName), 1<<20)
	if err != nil || len(b) != 8192 {
		t.Fatalf("control file of %d bytes, want 8192: %v", len(b), err)
	}
	return b[4096:][:512]
}

// checkBytes compares a table of offsets and sizes with bytes that hold values.
// Every byte outside of the table has to be zero.
func checkBytes(t *testing.T, d *docFile, what string, b []byte, values map[string]uint64) {
	t.Helper()
	rest := slices.Clone(b)
	seen := map[string]bool{}
	for _, row := range d.tableAfter(t, "<!-- bytes: "+what+" -->") {
		at, errAt := strconv.Atoi(row[0])
		size, errSize := strconv.Atoi(row[1])
		if errAt != nil || errSize != nil || at+size > len(b) || size > 8 {
			t.Fatalf("%s: row %q", what, row)
		}
		name := spansOf(row[2])[0]
		var field [8]byte
		copy(field[:], b[at:at+size])
		if got := binary.LittleEndian.Uint64(field[:]); got != values[name] {
			t.Errorf("%s: %s at %d, %d bytes: got %#x, want %#x", what, name, at, size, got, values[name])
		}
		clear(rest[at : at+size])
		seen[name] = true
	}
	for name := range values {
		if !seen[name] {
			t.Errorf("%s: no row for %s", what, name)
		}
	}
	if i := slices.IndexFunc(rest, func(c byte) bool { return c != 0 }); i >= 0 {
		t.Errorf("%s: byte %d is in no row, and not zero", what, i)
	}
}
