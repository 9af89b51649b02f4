package pgformat

import (
	"fmt"
	"strconv"
	"strings"
)

// Resource managers (access/rmgrlist.h), the same in PostgreSQL 15 to 18.
const (
	RMXLog uint8 = iota
	RMXact
	RMSmgr
	RMClog
	RMDBase
	RMTblSpc
	RMMultiXact
	RMRelMap
	RMStandby
	RMHeap2
	RMHeap
	RMBtree
	RMHash
	RMGin
	RMGist
	RMSeq
	RMSPGist
	RMBrin
	RMCommitTs
	RMReplOrigin
	RMGeneric
	RMLogicalMsg
	numRM
)

// firstCustomRM is the first id that extensions may register (RM_MIN_CUSTOM_ID).
const firstCustomRM = 128

// Values of xl_info that walbench gives a meaning of its own. The low four bits
// of xl_info belong to every resource manager: compare info & InfoMask.
const (
	InfoMask = 0xF0 // the resource manager's part of xl_info

	InfoXLogCheckpointShutdown = 0x00 // catalog/pg_control.h
	InfoXLogCheckpointOnline   = 0x10
	InfoXLogNoop               = 0x20
	InfoXLogSwitch             = 0x40
	InfoXLogFPIForHint         = 0xA0
	InfoXLogFPI                = 0xB0
	InfoXLogOverwriteContRec   = 0xD0
	InfoXLogCheckpointRedo     = 0xE0 // since 17

	InfoXactCommit         = 0x00 // access/xact.h
	InfoXactPrepare        = 0x10
	InfoXactAbort          = 0x20
	InfoXactCommitPrepared = 0x30
	InfoXactAbortPrepared  = 0x40
	InfoXactOpMask         = 0x70
	InfoXactHasInfo        = 0x80

	InfoStandbyRunningXacts = 0x10 // storage/standbydefs.h

	InfoHeap2Prune       = 0x10 // access/heapam_xlog.h
	InfoHeap2MultiInsert = 0x50

	InfoHeapInsert    = 0x00
	InfoHeapDelete    = 0x10
	InfoHeapUpdate    = 0x20
	InfoHeapHotUpdate = 0x40
	InfoHeapLock      = 0x60
	InfoHeapInitPage  = 0x80 // added to insert, update, multi-insert

	InfoBtreeInsertLeaf = 0x00 // access/nbtxlog.h
	InfoBtreeSplitR     = 0x40

	InfoLogicalMsgMessage = 0x00 // replication/message.h
)

var rmNames = [numRM]string{
	"XLOG", "Transaction", "Storage", "CLOG", "Database", "Tablespace", "MultiXact", "RelMap",
	"Standby", "Heap2", "Heap", "Btree", "Hash", "Gin", "Gist", "Sequence", "SPGist", "BRIN",
	"CommitTs", "ReplicationOrigin", "Generic", "LogicalMessage",
}

// ValidRM says whether rmid is a built-in resource manager or may be an
// extension's; the ids between are free, and a reader takes them for noise.
func ValidRM(rmid uint8) bool { return rmid < numRM || rmid >= firstCustomRM }

// RMName is the resource manager's name as pg_waldump prints it: "Heap",
// "custom128" for an extension's.
func RMName(rmid uint8) string {
	switch {
	case rmid < numRM:
		return rmNames[rmid]
	case rmid >= firstCustomRM:
		return fmt.Sprintf("custom%03d", rmid)
	}
	return fmt.Sprintf("rmgr %d", rmid)
}

// RecordType is the name of a record's kind as pg_waldump of PostgreSQL major
// (15 to 18) prints it: "INSERT+INIT", or "UNKNOWN (f0)". info is xl_info; the
// bits that do not belong to the resource manager are ignored.
func RecordType(major int, rmid, info uint8) string {
	if name := typeName(major, rmid, info); name != "" {
		return name
	}
	return fmt.Sprintf("UNKNOWN (%x)", info&InfoMask)
}

func typeName(major int, rmid, info uint8) string {
	if rmid >= numRM {
		return ""
	}
	if rmid == RMGeneric {
		return "Generic" // whatever its info says
	}
	if rmid == RMXact {
		info &= InfoXactOpMask
	}
	if major >= 17 {
		if name := types17[rmid][info>>4]; name != "" {
			return name
		}
	}
	return types15[rmid][info>>4]
}

// ParseRecordType is the reverse of RMName and RecordType, for the names that
// pg_waldump and pg_walinspect of any major from 15 to 18 print. ok is false
// for names that none of them knows.
func ParseRecordType(rmgr, typ string) (rmid, info uint8, ok bool) {
	rmid, ok = parseRMName(rmgr)
	if !ok {
		return 0, 0, false
	}
	if hex, found := strings.CutPrefix(typ, "UNKNOWN ("); found {
		v, err := strconv.ParseUint(strings.TrimSuffix(hex, ")"), 16, 8)
		return rmid, uint8(v) & InfoMask, err == nil
	}
	for i := range 16 {
		info = uint8(i << 4)
		if typeName(15, rmid, info) == typ || typeName(17, rmid, info) == typ {
			return rmid, info, true
		}
	}
	return 0, 0, false
}

func parseRMName(name string) (uint8, bool) {
	for i, n := range rmNames {
		if n == name {
			return uint8(i), true
		}
	}
	digits, found := strings.CutPrefix(name, "custom")
	v, err := strconv.ParseUint(digits, 10, 8)
	return uint8(v), found && err == nil && v >= firstCustomRM
}
