package pgformat

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// testdata/names15.txt is what pg_waldump 15.18 printed for one record of each
// (resource manager, info): "rmid info rmgr type".
func TestNamesAreThoseOfPgWaldump15(t *testing.T) {
	f, err := os.Open("testdata/names15.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for in := bufio.NewScanner(f); in.Scan(); lines++ {
		var rmid, info uint8
		var rmgr string
		if _, err := fmt.Sscanf(in.Text(), "%d %x %s", &rmid, &info, &rmgr); err != nil {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		typ := strings.SplitN(in.Text(), " ", 4)[3]
		if got := RMName(rmid); got != rmgr {
			t.Errorf("RMName(%d) = %q, want %q", rmid, got, rmgr)
		}
		if got := RecordType(15, rmid, info|3); got != typ {
			t.Errorf("RecordType(15, %d, %#x) = %q, want %q", rmid, info, got, typ)
		}
		checkReverse(t, 15, rmid, info)
	}
	if lines != 25*16 {
		t.Errorf("%d lines, want 22 built-in and 3 custom managers with 16 infos", lines)
	}
}

// checkReverse wants ParseRecordType to lead back to the same name.
func checkReverse(t *testing.T, major int, rmid, info uint8) {
	t.Helper()
	rmgr, typ := RMName(rmid), RecordType(major, rmid, info)
	gotRM, gotInfo, ok := ParseRecordType(rmgr, typ)
	if !ok || gotRM != rmid || RecordType(major, gotRM, gotInfo) != typ {
		t.Errorf("ParseRecordType(%q, %q) = %d, %#x, %t, want %d, %#x", rmgr, typ, gotRM, gotInfo, ok, rmid, info)
	}
}

func TestNamesOfLaterVersions(t *testing.T) {
	tests := []struct {
		major      int
		rmid, info uint8
		want       string
	}{
		{16, RMHeap2, 0x10, "PRUNE"},
		{17, RMHeap2, 0x10, "PRUNE_ON_ACCESS"},
		{18, RMHeap2, 0x20, "PRUNE_VACUUM_SCAN"},
		{18, RMHeap2, 0x30, "PRUNE_VACUUM_CLEANUP"},
		{18, RMHeap2, 0xD0, "MULTI_INSERT+INIT"},
		{16, RMXLog, 0xE0, "UNKNOWN (e0)"},
		{17, RMXLog, 0xE0, "CHECKPOINT_REDO"},
		{18, RMXLog, 0xD0, "OVERWRITE_CONTRECORD"},
		{18, RMXact, 0x80, "COMMIT"},
		{18, 57, 0x10, "UNKNOWN (10)"},
	}
	for _, tt := range tests {
		if got := RecordType(tt.major, tt.rmid, tt.info); got != tt.want {
			t.Errorf("RecordType(%d, %d, %#x) = %q, want %q", tt.major, tt.rmid, tt.info, got, tt.want)
		}
		if ValidRM(tt.rmid) {
			checkReverse(t, tt.major, tt.rmid, tt.info)
		}
	}
}

func TestParseRecordType(t *testing.T) {
	tests := []struct {
		rmgr, typ  string
		rmid, info uint8
		ok         bool
	}{
		{"Heap", "INSERT+INIT", RMHeap, InfoHeapInsert | InfoHeapInitPage, true},
		{"Heap2", "MULTI_INSERT+INIT", RMHeap2, InfoHeap2MultiInsert | InfoHeapInitPage, true},
		{"Transaction", "COMMIT", RMXact, InfoXactCommit, true},
		{"Transaction", "ABORT", RMXact, InfoXactAbort, true},
		{"XLOG", "SWITCH", RMXLog, InfoXLogSwitch, true},
		{"Heap2", "PRUNE_ON_ACCESS", RMHeap2, InfoHeap2Prune, true},
		{"Btree", "SPLIT_R", RMBtree, InfoBtreeSplitR, true},
		{"custom200", "UNKNOWN (30)", 200, 0x30, true},
		{"Heap", "SPLIT_R", 0, 0, false},
		{"heap", "INSERT", 0, 0, false},
		{"custom100", "UNKNOWN (0)", 0, 0, false},
		{"Heap", "UNKNOWN (zz)", 0, 0, false},
	}
	for _, tt := range tests {
		rmid, info, ok := ParseRecordType(tt.rmgr, tt.typ)
		if ok != tt.ok || ok && (rmid != tt.rmid || info != tt.info) {
			t.Errorf("ParseRecordType(%q, %q) = %d, %#x, %t, want %d, %#x, %t",
				tt.rmgr, tt.typ, rmid, info, ok, tt.rmid, tt.info, tt.ok)
		}
	}
}
