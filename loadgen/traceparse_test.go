package loadgen

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const header = "start_lsn,end_lsn,xid,rmgr,record_type,record_length,main_data_length,fpi_length,fpi_count,blocks\n"

const goodRow = "0/28,0/70,3,Heap,HOT_UPDATE,71,14,0,0,r0:8169\n"

func TestTraceErrors(t *testing.T) {
	row := func(s string) string { return header + goodRow + s + "\n" }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `t.csv: empty file: want a CSV header line`},
		{"only empty lines", "\n\n", `t.csv: empty file: want a CSV header line`},
		{"no rows", header, `t.csv: no records in it: nothing to replay`},
		{"missing columns", "start_lsn,end_lsn,xid,rmgr,record_type,record_length,main_data_length,fpi_length\n",
			`t.csv:1: no column fpi_count, blocks in the header line: not a trace (see walbench capture)`},
		{"other text", "hello\nworld\n", `t.csv:1: no column start_lsn, end_lsn, xid, rmgr, record_type, record_length, ` +
			`main_data_length, fpi_length, fpi_count, blocks in the header line: not a trace (see walbench capture)`},
		{"column twice", "xid," + header, `t.csv:1: column xid: got "xid": want each column once`},
		{"open quote in the header", `"` + header, `t.csv:1: a quoted field does not end on its line`},
		{"too few columns", row("0/70,0/B8,3,Heap"), `t.csv:3: 4 columns, want 10 as in the header line`},
		{"too many columns", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,r0:1,x"), `t.csv:3: 11 columns, want 10 as in the header line`},
		{"empty line between", header + "\n" + goodRow, `t.csv:2: 1 columns, want 10 as in the header line`},
		{"open quote", row(`0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,"r0:1`), `t.csv:3: a quoted field does not end on its line`},
		{"line too long", row(strings.Repeat("x", maxLineBytes)), `t.csv:3: line longer than 1 MiB: not a trace`},
		{"start LSN", row("0-70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column start_lsn: got "0-70": want an LSN HEX/HEX, such as 0/1A2B3C`},
		{"end LSN", row("0/70,0/XX,3,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column end_lsn: got "0/XX": want an LSN HEX/HEX, such as 0/1A2B3C`},
		{"end not behind start", row("0/70,0/70,3,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column end_lsn: got "0/70": want more than start_lsn 0/00000070`},
		{"out of order", row("0/68,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column start_lsn: got "0/68": want at least the end_lsn of the row before, 0/00000070`},
		{"xid", row("0/70,0/B8,-3,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column xid: got "-3": want a whole number from 0 to 4294967295`},
		{"xid too large", row("0/70,0/B8,4294967296,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column xid: got "4294967296": want a whole number from 0 to 4294967295`},
		{"empty number", row("0/70,0/B8,,Heap,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column xid: got "": want a whole number from 0 to 4294967295`},
		{"rmgr", row("0/70,0/B8,3,Pile,HOT_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column record_type: got "HOT_UPDATE": want a record type of resource manager "Pile", as PostgreSQL 15 to 18 name them`},
		{"record type", row("0/70,0/B8,3,Heap,COLD_UPDATE,71,14,0,0,r0:1"),
			`t.csv:3: column record_type: got "COLD_UPDATE": want a record type of resource manager "Heap", as PostgreSQL 15 to 18 name them`},
		{"empty record type", row("0/70,0/B8,3,Heap,,71,14,0,0,r0:1"),
			`t.csv:3: column record_type: got "": want a record type of resource manager "Heap", as PostgreSQL 15 to 18 name them`},
		{"record length", row("0/70,0/B8,3,Heap,HOT_UPDATE,seven,14,0,0,r0:1"),
			`t.csv:3: column record_length: got "seven": want a whole number from 24 to 1069547520`},
		{"record shorter than a header", row("0/70,0/B8,3,Heap,HOT_UPDATE,23,14,0,0,r0:1"),
			`t.csv:3: column record_length: got "23": want a whole number from 24 to 1069547520`},
		{"record longer than PostgreSQL allows", row("0/70,0/B8,3,Heap,HOT_UPDATE,1069547521,14,0,0,r0:1"),
			`t.csv:3: column record_length: got "1069547521": want a whole number from 24 to 1069547520`},
		{"main data", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,1.5,0,0,r0:1"),
			`t.csv:3: column main_data_length: got "1.5": want a whole number from 0 to 1069547520`},
		{"record too short for its parts", row("0/70,0/B8,3,Heap,HOT_UPDATE,59,14,0,0,r0:1"),
			`t.csv:3: column record_length: got "59": want 60 with these blocks, images and main data (or blocks to hold the difference)`},
		{"main data longer than the record", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,1000,0,0,r0:1"),
			`t.csv:3: column record_length: got "71": want 1049 with these blocks, images and main data (or blocks to hold the difference)`},
		{"data without a block", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,"),
			`t.csv:3: column record_length: got "71": want 40 with these blocks, images and main data (or blocks to hold the difference)`},
		{"more data than a block holds", row("0/70,0/11000,3,Heap,HOT_UPDATE,65596,14,0,0,r0:1"),
			`t.csv:3: column record_length: got "65596": want 65595 with these blocks, images and main data (or blocks to hold the difference)`},
		{"image count", row("0/70,0/B8,3,Heap,HOT_UPDATE,8200,14,8000,34,r0:1F"),
			`t.csv:3: column fpi_count: got "34": want a whole number from 0 to 33`},
		{"more images than blocks marked", row("0/70,0/20B8,3,Heap,HOT_UPDATE,8200,14,8000,2,r0:1F"),
			`t.csv:3: column fpi_count: got "2": want 1, the blocks marked F`},
		{"image marked but not counted", row("0/70,0/20B8,3,Heap,HOT_UPDATE,8200,14,0,0,r0:1F"),
			`t.csv:3: column fpi_count: got "0": want 1, the blocks marked F`},
		{"image bytes without image", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,8,0,r0:1"),
			`t.csv:3: column fpi_length: got "8": want 0 to 0 for 0 page images`},
		{"image without bytes", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,1,r0:1F"),
			`t.csv:3: column fpi_length: got "0": want 1 to 8192 for 1 page images`},
		{"image larger than a page", row("0/70,0/30B8,3,Heap,HOT_UPDATE,9000,14,8193,1,r0:1F"),
			`t.csv:3: column fpi_length: got "8193": want 1 to 8192 for 1 page images`},
		{"block reference", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,r0:1 r0;2"),
			`t.csv:3: column blocks: got "r0:1 r0;2": want references rN[f|v|i]:BLOCK[F], not "r0;2"`},
		{"two spaces", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,r0:1  r0:2"),
			`t.csv:3: column blocks: got "r0:1  r0:2": want references rN[f|v|i]:BLOCK[F], not ""`},
		{"too many blocks", row("0/70,0/B8,3,Heap,HOT_UPDATE,71,14,0,0,r0:1" + strings.Repeat(" r0:1", 33)),
			`t.csv:3: column blocks: got "r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 r0:1 ...": want at most 33 references`},
		{"only switches", header + "0/28,0/100000,0,XLOG,SWITCH,24,0,0,0,\n",
			`t.csv: only XLOG/SWITCH records in it: nothing to replay`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, packed := range []bool{false, true} {
				_, err := loadTrace("trace:t.csv", "t.csv", text(t, c.text, packed))
				if err == nil {
					t.Fatalf("packed %t: no error, want %s", packed, c.want)
				}
				if err.Error() != c.want {
					t.Errorf("packed %t:\n got %s\nwant %s", packed, err, c.want)
				}
				var input *InputError
				if !errors.Is(err, ErrInput) || !errors.As(err, &input) || input.File != "t.csv" {
					t.Errorf("packed %t: %#v is no InputError about t.csv", packed, err)
				}
			}
		})
	}
}

// A compressed trace that is cut or broken is told from a short one.
func TestTraceBrokenCompression(t *testing.T) {
	whole := pack(t, header+strings.Repeat("x", 5000))
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"only the magic", whole[:2], "t.csv.gz: unexpected EOF"},
		{"cut", whole[:len(whole)-9], "t.csv.gz:2: unexpected EOF"},
		{"wrong checksum", append(append([]byte(nil), whole[:len(whole)-8]...), make([]byte, 8)...), "t.csv.gz:2: gzip: invalid checksum"},
	} {
		_, err := loadTrace("trace:t.csv.gz", "t.csv.gz", strings.NewReader(string(c.file)))
		if err == nil || err.Error() != c.want || !errors.Is(err, ErrInput) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// Columns are found by name, wherever they stand, and others do not matter.
func TestTraceColumnOrder(t *testing.T) {
	plain, err := parseTrace("a", strings.NewReader(header+goodRow))
	if err != nil {
		t.Fatal(err)
	}
	other := "blocks,fpi_count,description,fpi_length,main_data_length,record_length,record_type,rmgr,xid,end_lsn,start_lsn\r\n" +
		`r0:8169,0,"off 1, xmax ""3""",0,14,71,HOT_UPDATE,Heap,3,0/70,0/28` + "\r\n\r\n"
	turned, err := parseTrace("b", strings.NewReader("\ufeff"+other))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fmt.Sprintf("%+v", plain), fmt.Sprintf("%+v", turned)); diff != "" {
		t.Error(diff)
	}
}

// Names of later versions than the one whose format the log has.
func TestTraceNewerTypes(t *testing.T) {
	rows := header +
		"0/28,0/68,3,Heap2,PRUNE_ON_ACCESS,58,8,0,0,r0:1\n" +
		"0/68,0/A8,3,Heap2,PRUNE_VACUUM_SCAN,58,8,0,0,r0:1\n" +
		"0/A8,0/C8,0,XLOG,CHECKPOINT_REDO,30,4,0,0,\n"
	table, err := parseTrace("t", strings.NewReader(rows))
	if err != nil || len(table.rows) != 3 {
		t.Fatalf("%d rows, %v", len(table.rows), err)
	}
	if got := table.rows[0].info; got != 0x10 {
		t.Errorf("PRUNE_ON_ACCESS has info %#x, want that of PRUNE, 0x10", got)
	}
}

// Origin and top-level headers of records without blocks become main data.
func TestTraceHeadersWithoutBlocks(t *testing.T) {
	for _, c := range []struct{ length, declared, want uint32 }{
		{24, 0, 0},
		{34, 8, 8},
		{37, 8, 11},
		{39, 8, 13},
		{42, 8, 16},
		{24 + 2 + 255, 255, 255},
		{24 + 3, 0, 1},
		{24 + 5, 0, 3},
		{24 + 5 + 255 + 3, 250, 250}, // 11 too long: not such a header
		{24 + 2 + 250 + 5, 250, 255},
		{24 + 5 + 300, 300, 300},
		{24 + 5 + 300 + 3, 300, 303},
		{24 + 2 + 253 + 5, 253, 258 + 2 - 5}, // 260 bytes have no header of either kind
		{30, 100, 100},
	} {
		if got := withoutBlocks(c.length, c.declared); got != c.want {
			t.Errorf("length %d, main data %d: %d, want %d", c.length, c.declared, got, c.want)
		}
	}
}
